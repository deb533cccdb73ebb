"""Whether an action may rest on what was recalled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memwarden.fence.block import Block
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


@dataclass(frozen=True, slots=True)
class Allowed:
    """A yes or no with its reason. It is true where the answer is yes."""

    yes: bool
    reason: Message

    def __bool__(self) -> bool:
        return self.yes


def may(action: str, block: Block) -> Allowed:
    """Whether ``action`` may be taken because of ``block``. Pure; to be asked by a tool gate.

    ``action`` is a name of ``ACTIONS`` or any other, which then needs memories that may decide:
    an action nobody has classified is not taken on hearsay.
    """
    needed = ACTIONS.get(action, Influence.DECIDE)
    if block.influence >= needed:
        return Allowed(True, _YES)
    return Allowed(False, _no(needed, block.influence))


_YES: Final = Message(
    en="every memory in the block may be used for this", zh="所引记忆均可用于此目的"
)


def _no(needed: Influence, given: Influence) -> Message:
    return Message(
        en=f"this needs memories that may {needed.label}; "
        f"the least of those recalled may {given.label}",
        zh=f"此操作需要影响力为 {needed.label} 的记忆，而所召回的记忆中最低者仅为 {given.label}",
    )
