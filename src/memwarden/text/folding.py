"""Folding: the same text as it would be written plainly, character by character.

Each character folds by itself, whatever stands beside it, so a folding is a table, one C-level
pass over the text, and the way back needs no more than the table. Foldings are for matching;
nothing folded is ever stored.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import unicodedata2

from memwarden.text.scripts import INVISIBLE
from memwarden.text.tables import han_variants, lookalikes

_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_REMEMBERED: Final = 16_384
"""Entries a table keeps. More distinct characters than that are folded anew each time."""

_LONGEST: Final = 4
"""A character that stands for more (an Arabic blessing stands for eighteen) folds to its start."""

_PLAIN: Final = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300a\u300b\u300c\u300d", '"'),
    **dict.fromkeys("\u300e\u300f\uff02\u301d\u301e\u301f", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58", "-"),
    **dict.fromkeys("\u0085\u2028\u2029", "\n"),
    **dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x1f\u1680\u180e", " "),
}
"""Quotes, dashes and breaks in all their shapes."""


class Folding(dict[int, str]):
    """A translation table that works out each character when it is first met."""

    __slots__ = ("_case", "_lookalikes")

    def __init__(self, *, case: bool, other_scripts: bool) -> None:
        super().__init__()
        tables = lookalikes()
        self._case = case
        self._lookalikes = {**tables.other, **tables.latin} if other_scripts else tables.latin

    def __missing__(self, code: int) -> str:
        folded = self._closed(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = folded
        return folded

    def _closed(self, char: str) -> str:
        """Fold until nothing changes, so that folding twice is folding once."""
        before, after = "", char
        while before != after:
            before, after = after, "".join(self._step(c) for c in after)
        return after

    def _step(self, char: str) -> str:
        code = ord(char)
        if code < 0x80 and (char >= " " or char in "\t\n\r") and char != "\x7f":
            return char.lower() if self._case else char
        if char in _PLAIN:
            return _PLAIN[char]
        if unicodedata2.category(char) in ("Cc", "Cf", "Cs", "Mn", "Me") or _INVISIBLE.match(char):
            return ""
        if code in self._lookalikes and (self._case or char.lower() == char):
            return self._lookalikes[code]
        if code in self._lookalikes:
            return self._lookalikes[code].upper()
        return self._decomposed(char)

    def _decomposed(self, char: str) -> str:
        parts = unicodedata2.normalize("NFKD", char)
        bare = "".join(c for c in parts if unicodedata2.category(c) not in ("Mn", "Me"))
        whole: str = unicodedata2.normalize("NFKC", bare)
        if self._case:
            whole = whole.casefold()
        variants = han_variants()
        return "".join(variants.get(ord(c), c) for c in whole[:_LONGEST])


@cache
def folding() -> Folding:
    """NFKC, lower case, no invisible or combining characters, plain quotes, simplified Chinese."""
    return Folding(case=True, other_scripts=False)


@cache
def cleaning() -> Folding:
    """The same with the case kept, for looking into encoded runs."""
    return Folding(case=False, other_scripts=False)


@cache
def skeleton() -> Folding:
    """The folding that also takes letters of other scripts for the Latin ones they look like."""
    return Folding(case=True, other_scripts=True)


def fold(text: str) -> str:
    """Return the folded text, the form in which rule patterns are written."""
    return text.translate(folding())
