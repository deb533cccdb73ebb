"""Whether an action may rest on what was recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.fence.block import Block
from memwarden.fence.corroboration import influence_of
from memwarden.model import Influence, Message

ACTIONS: Final[Mapping[str, Influence]] = {
    "look_up": Influence.REFERENCE,
    "cite": Influence.REFERENCE,
    "answer": Influence.INFORM,
    "mention": Influence.INFORM,
    "summarise": Influence.INFORM,
    "personalise": Influence.INFORM,
    "tool": Influence.DECIDE,
    "recipient": Influence.DECIDE,
    "price": Influence.DECIDE,
    "permission": Influence.DECIDE,
}
"""What an action asks of the memories it rests on. Any other action asks for ``decide``."""

_WORDS: Final[Mapping[Influence, Message]] = {
    Influence.REFERENCE: Message(en="be looked up", zh="查阅"),
    Influence.INFORM: Message(en="inform", zh="参考"),
    Influence.DECIDE: Message(en="decide", zh="决定"),
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """A yes or no with its reason. It is true where the answer is yes."""

    yes: bool
    reason: Message

    def __bool__(self) -> bool:
        return self.yes


def may(action: str, block: Block, because: Sequence[str] | None = None) -> Allowed:
    """Whether ``action`` may be taken because of ``block``. Pure; to be asked by a tool gate.

    ``action`` is a name of ``ACTIONS`` or any other, which then needs memories that may decide:
    an action nobody has classified is not taken on hearsay. ``because`` are the ids of the
    memories that the action really rests on, for a caller who knows (default: all of them). An
    action that rests on no memory at all is none of this function's business.
    """
    needed = ACTIONS.get(action, Influence.DECIDE)
    if because is None:
        given = block.influence
    else:
        chosen = [memory for memory in block.memories if memory.memory_id in because]
        if not because or set(because) - {memory.memory_id for memory in chosen}:
            return Allowed(False, _UNKNOWN)
        given = influence_of(chosen)
    return Allowed(True, _YES) if given >= needed else Allowed(False, _no(needed, given))


_YES: Final = Message(
    en="every memory it rests on may be used for this", zh="所依据的记忆均可用于此目的"
)
_UNKNOWN: Final = Message(
    en="it rests on a memory that is not in the block", zh="所依据的记忆不在本次引用之中"
)


def _no(needed: Influence, given: Influence) -> Message:
    return Message(
        en=f"this needs memories that may {_WORDS[needed].en}; "
        f"the least of those it rests on may only {_WORDS[given].en}",
        zh=f"此操作需要可用于{_WORDS[needed].zh}的记忆，而所依据的记忆中最低者仅供{_WORDS[given].zh}",
    )
