"""Cuts a text into windows: whole sentences, merged while they stay short.

An attack among many harmless sentences disappears in the average of the whole text; judged
window by window it does not. Windows cover everything but the white space between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from memwarden.model import Span

WINDOW_TOKENS: Final = 60
"""Most tokens in a window."""

_SENTENCE_END: Final = re.compile(
    r"[。！？；…]+[\"'”’」』）)\]]*"
    r"|[.!?;]+[\"'”’)\]]*(?=\s|$|[\u3400-\u9fff])"
    r"|\n+"
)
_CLAUSE_END: Final = re.compile(r"[,，、:：]|\s")

_SHORT: Final = 6
"""Characters a token, at most, in texts that are tried as one window before they are divided."""

Count = Callable[[str], int]
"""How many tokens a text has."""


def sentences(text: str) -> Iterator[Span]:
    """The sentences of ``text`` as spans without surrounding white space, in order."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def windows(text: str, count: Count, limit: int = WINDOW_TOKENS) -> tuple[Span, ...]:
    """The windows of ``text``: sentences merged up to ``limit`` tokens, longer ones divided."""
    whole = tuple(_trimmed(text, 0, len(text)))
    if whole and whole[0][1] - whole[0][0] <= _SHORT * limit and count(_of(text, *whole)) <= limit:
        return whole
    merged: list[Span] = []
    room = 0
    for start, end, tokens in _pieces(text, count, limit):
        if merged and tokens <= room:
            merged[-1] = (merged[-1][0], end)
            room -= tokens
        else:
            merged.append((start, end))
            room = limit - tokens
    return tuple(merged)


def _pieces(text: str, count: Count, limit: int) -> Iterator[tuple[int, int, int]]:
    """Sentences, or parts of over-long ones, with their number of tokens."""
    waiting = list(sentences(text))[::-1]
    while waiting:
        start, end = waiting.pop()
        tokens = count(text[start:end])
        if tokens <= limit or end - start == 1:
            yield start, end, tokens
        else:
            waiting.extend(reversed(list(_divided(text, start, end, -(-tokens // limit)))))


def _of(text: str, span: Span) -> str:
    return text[span[0] : span[1]]


def _divided(text: str, start: int, end: int, parts: int) -> Iterator[Span]:
    """``parts`` pieces of about equal length, cut behind a comma or space where one is near."""
    length = end - start
    parts = min(max(parts, 2), length)
    here = start
    for part in range(1, parts):
        goal = start + length * part // parts
        cut = _near_clause_end(text, max(here + 1, goal - length // (2 * parts)), goal)
        yield from _trimmed(text, here, cut)
        here = cut
    yield from _trimmed(text, here, end)


def _near_clause_end(text: str, earliest: int, goal: int) -> int:
    """The last clause end in ``text[earliest:goal]``, else ``goal`` itself."""
    best = max(goal, earliest)
    for match in _CLAUSE_END.finditer(text, earliest, best):
        best = match.end()
    return best


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
