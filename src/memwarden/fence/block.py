"""What a prompt gets to see of the memories that were recalled for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from memwarden.model import Influence, Memory


@dataclass(frozen=True, slots=True)
class Block:
    """Quoted memories, ready for a prompt. In an f-string it stands for its text.

    ``text`` is what goes into the prompt. ``nonce`` names the fence of this call and no other.
    ``influence`` is what the whole block may do: as much as the least of its memories, for nobody
    can tell which of them a model followed. ``memories`` are those that are in the text, in its
    order, ``omitted`` counts those that had no room, ``tokens`` is an estimate of the text's cost.
    """

    text: str = field(repr=False)
    tenant: str
    language: str
    decision_ids: tuple[str, ...]
    nonce: str
    influence: Influence
    memories: tuple[Memory, ...] = field(default=(), repr=False)
    omitted: int = 0
    tokens: int = 0

    def __str__(self) -> str:
        return self.text
