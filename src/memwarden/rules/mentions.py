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

_MARKS: Final = '"`'


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
    """Whether the nearest quotation marks around a span open before and close behind it."""
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    behind = text[end : stop if stop >= 0 else len(text)]
    inside = text[start:end]
    for mark in _MARKS:
        if mark in behind and text.count(mark, line, start) % 2 == 1:
            return True
        if inside.startswith(mark) and mark in (inside[1:] + behind):
            return True
    before = text[line:start].rstrip()
    return before.endswith("'") and "'" in behind
