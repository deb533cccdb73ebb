"""The reading that recognizers look at: plain characters, case kept, with the way back.

The canonical folded reading is in lower case, which is right for rules and wrong here: keys and
names live by their case.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from memwarden.model import View, Views
from memwarden.text import cleaned
from memwarden.text.reading import Reading


def fold(text: str) -> View:
    """Read ``text`` with width, digits and Chinese variants folded and nothing invisible in it."""
    return cleaned(Views((Reading("original", text),), ()))


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A reading made character by character: ``starts``/``ends`` are where each one came from."""

    layer: str
    text: str = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)
    ends: tuple[int, ...] = field(repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the original that ``text[start:end]`` was read from."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else self.ends[-1]
            return (at, at)
        return (self.starts[start], self.ends[end - 1])
