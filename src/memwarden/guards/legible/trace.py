"""What was found in a text, and the pieces of a text that are looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from memwarden.model import Span

if TYPE_CHECKING:
    import re2

WINDOW: Final = 200
"""Code points of a long line that are looked at together; windows overlap by a half."""


class Trace(NamedTuple):
    """``text[start:end]`` is what ``rule`` speaks of; ``about`` names a language."""

    rule: str
    start: int
    end: int
    score: float
    about: str = ""


def encodable(text: str) -> str:
    """The same text with each lone surrogate as ``?``: RE2 reads UTF-8, which has none."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def lines(text: str) -> Iterator[Span]:
    """The lines of a text, without their breaks."""
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def windows(text: str) -> Iterator[Span]:
    """Lines, and overlapping pieces of those that are much longer than a window."""
    for start, end in lines(text):
        if end - start <= WINDOW * 3 // 2:
            yield start, end
            continue
        for begin in range(start, end - WINDOW // 2, WINDOW // 2):
            yield begin, min(begin + WINDOW, end)


@cache
def expression(pattern: str) -> re2._Regexp:
    """A pattern compiled for RE2, which matches in linear time."""
    import re2

    return re2.compile(pattern)
