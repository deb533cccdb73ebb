"""What a prompt gets to see of the memories that were recalled for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from memwarden.model import Influence, Memory

_ROLES: Final[Mapping[str, str]] = {"chat": "user", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class Block:
    """Quoted memories, ready for a prompt. In an f-string it stands for its text.

    ``text`` is what goes into the prompt. ``nonce`` names the fence of this call and no other.
    ``influence`` is what the whole block may do: as much as the least of its memories, for nobody
    can tell which of them a model followed. ``memories`` are those that are in the text, in its
    order, ``omitted`` counts those that had no room, ``tokens`` is an estimate of the text's cost.
    ``withheld`` are memories of the same recall that nobody here may read: they are not in the
    text, and what they say is taken out of the answer.
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
    style: str = "xml"
    withheld: tuple[Memory, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text

    @property
    def message(self) -> Mapping[str, str]:
        """The block as a message of a chat model: ``role`` and ``content``."""
        return {"role": _ROLES.get(self.style, "system"), "content": self.text}
