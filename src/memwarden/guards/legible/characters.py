"""Chinese characters in a row that make no words."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache
from itertools import product
from typing import Final

from memwarden.guards.legible.trace import Trace, expression
from memwarden.guards.legible.words import common_han

RULE: Final = "characters"
_RARE: Final = (4, 0.4)
"""Different rare characters in a row, and their share of it: nobody writes so many."""

_UNCOMMON: Final = (12, 0.2, 0.7)
"""Length of a row, the share of common characters it has at most, of different ones at least."""

_FIRST: Final = 0xB0
_SECOND_LEVEL: Final = 0xD8
"""GB 2312 sorts its characters by how common they are: here the first level begins and ends."""


def find(text: str) -> Iterator[Trace]:
    """Rows of characters in a folded (simplified) text that no writer would put side by side."""
    if text.isascii():
        return
    for match in expression(r"\p{Han}{6,}").finditer(text):
        row = match[0]
        different = set(row)
        rare = len(different - _usual_han())
        if rare >= max(_RARE[0], _RARE[1] * len(row)) or _scattered(row, different):
            yield Trace(RULE, match.start(), match.end(), 0.85)


def _scattered(row: str, different: Set[str]) -> bool:
    """Whether a long row of different characters has hardly one of the commonest."""
    length, share, least = _UNCOMMON
    few = len(different & common_han()) <= share * len(row)
    if not few or len(row) < length or len(different) < least * len(row):
        return False
    return sum(char in common_han() for char in row) <= share * len(row)


@cache
def _usual_han() -> frozenset[str]:
    """The 3,755 characters of the first level of GB 2312."""
    codes = product(range(_FIRST, _SECOND_LEVEL), range(0xA1, 0xFF))
    return frozenset(bytes(code).decode("gb2312", "ignore") for code in codes) - {""}
