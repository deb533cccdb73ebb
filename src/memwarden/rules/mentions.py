"""Where a rule's words stand in a text decides whether they are used or only mentioned."""

from __future__ import annotations

from functools import cache
from typing import Final

from memwarden.rules.loader import discussing
from memwarden.rules.matching import Hit, found
from memwarden.rules.model import Pattern

_STOPS: Final = ".!?\n。"
_SENTENCE: Final = 200
"""How far the sentence around a hit is looked at, each way."""

_CONTEXT: Final = 240
"""How far before and behind a quotation a word about attacks may stand."""

_MARKS: Final = "\"`'"
_QUOTATION: Final = 160
"""A longer quotation is no example but a text of its own."""


def is_waived(hit: Hit, text: str) -> bool:
    """Whether one of the rule's own exceptions stands in the same sentence."""
    if not hit.rule.unless:
        return False
    sentence = _sentence(text, hit.start, hit.end)
    return any(found(pattern, sentence) for pattern in hit.rule.unless)


def is_mention(hit: Hit, text: str) -> bool:
    """Whether the hit is a quotation in a text that talks about attacks."""
    if not _quoted(text, hit.start, hit.end):
        return False
    before = text[max(0, hit.start - _CONTEXT) : hit.start]
    after = text[hit.end : hit.end + _CONTEXT]
    around = f"{before} {after}"
    return any(found(pattern, around) for pattern in _discussing())


@cache
def _discussing() -> tuple[Pattern, ...]:
    return discussing()


def _sentence(text: str, start: int, end: int) -> str:
    first = max(text.rfind(stop, max(0, start - _SENTENCE), start) for stop in _STOPS)
    limit = end + _SENTENCE
    ends = [at for stop in _STOPS if (at := text.find(stop, end, limit)) >= 0]
    return text[max(first + 1, start - _SENTENCE) : min(ends, default=limit)]


def _quoted(text: str, start: int, end: int) -> bool:
    """Whether a span stands within quotation marks that hold no more than a short example."""
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    first = start + 1 if text[start] in _MARKS else start
    for mark in _MARKS:
        opened = text.rfind(mark, line, first)
        closed = text.find(mark, end - 1, stop)
        if opened < 0 or closed < 0 or closed - opened > _QUOTATION:
            continue
        if mark == "'" and opened > line and text[opened - 1].isalnum():
            continue
        if mark == "'" or text.count(mark, line, first) % 2 == 1:
            return True
    return False
