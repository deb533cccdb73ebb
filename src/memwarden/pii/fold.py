"""A plain reading of a text for recognizers that are used without the canonical views.

Width, digits of other scripts and dashes are folded one to one; what is invisible is left out.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_DASHES: Final = frozenset("‐‑‒–—―−﹣－")
_KEPT_FORMAT: Final = frozenset("\n\t\r")
_IGNORABLE: Final = frozenset("\u115f\u1160\u17b4\u17b5\u3164\u034f\uffa0\u00ad")


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading with its way back: ``origin[i]`` is where ``text[i]`` stands in the original.

    An empty ``origin`` means that both are the same length, position by position.
    """

    layer: str
    text: str = field(repr=False)
    origin: tuple[int, ...] = field(default=(), repr=False)
    ends: tuple[int, ...] = field(default=(), repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the original that ``text[start:end]`` was read from."""
        if not self.origin:
            return (start, end)
        if start >= end:
            at = self.origin[start] if start < len(self.origin) else self.ends[-1]
            return (at, at)
        return (self.origin[start], self.ends[end - 1])


def fold(text: str) -> Reading:
    """Read ``text`` with width folded and invisible characters left out."""
    if text.isascii():
        return Reading("original", text)
    folded = [_folded(char) for char in text]
    joined = "".join(folded)
    if len(joined) == len(text):
        return Reading("folded", joined) if joined != text else Reading("original", text)
    origin = tuple(at for at, char in enumerate(folded) if char)
    return Reading("folded", joined, origin, tuple(at + 1 for at in origin))


@lru_cache(maxsize=8192)
def _folded(char: str) -> str:
    """One character in plain form: itself, its one-character equal, or nothing."""
    if char.isascii() or char in _KEPT_FORMAT:
        return char
    if char in _DASHES:
        return "-"
    if char in _IGNORABLE or unicodedata.category(char) == "Cf" or _is_variation(char):
        return ""
    if unicodedata.category(char) == "Nd":
        return str(unicodedata.digit(char))
    if unicodedata.category(char) == "Zs":
        return " "
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def _is_variation(char: str) -> bool:
    code = ord(char)
    return 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE01EF
