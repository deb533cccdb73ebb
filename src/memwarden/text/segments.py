"""Sentences and clauses of the original, Chinese and English.

Segments tile the text: each takes the blanks after it along, so that taking whole segments out
leaves a readable rest.
"""

from __future__ import annotations

import re
from typing import Final

from memwarden.model import Span
from memwarden.text.scripts import CJK

_END: Final = re.compile(r"[.!?;\n\r\u3002\uff01\uff1f\uff1b\uff0e\uff61\u2026]")
_CLOSERS: Final = "\"'”’」』）)】]》*_`"
_ALWAYS: Final = frozenset("\u3002\uff01\uff1f\uff1b\uff61\n\r")
_STOPS: Final = frozenset(".!?;\u3002\uff01\uff1f\uff1b\uff0e\uff61\u2026")
_BLANK: Final = frozenset(" \t\n\r\u3000\xa0")
_UNSPACED: Final = re.compile(f"[{CJK}]")
_ABBREVIATED: Final = (
    "mr mrs ms dr prof sr jr st vs etc eg ie e.g i.e cf no vol pp fig al inc ltd co corp dept est "
    "approx ca jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun "
    "a.m p.m u.s u.k ph.d rev gen col lt capt"
)
_ABBREVIATIONS: Final = frozenset(_ABBREVIATED.split())
_LAST_WORD: Final = re.compile(r"[A-Za-z][A-Za-z.]{0,8}\Z")
_LOOK_BACK: Final = 12
_LIST_NUMBER: Final = re.compile(r"(?:^|\n)[ \t]{0,8}(?:\d{1,3}|[A-Za-z])\Z")


def segments(text: str) -> tuple[Span, ...]:
    """Return spans that tile ``text`` without gaps; an empty text has none."""
    spans: list[Span] = []
    start = resume = 0
    for mark in _END.finditer(text):
        if mark.start() < resume:
            continue
        end = _end_of(text, mark.start())
        if end:
            spans.append((start, end))
            start = resume = end
    if start < len(text):
        spans.append((start, len(text)))
    return tuple(spans)


def _end_of(text: str, position: int) -> int:
    """Where the segment ends that the character at ``position`` may close; 0 if it does not."""
    if not _closes(text, position):
        return 0
    end, size = position + 1, len(text)
    while end < size and text[end] in _STOPS:
        end += 1
    while end < size and text[end] in _CLOSERS and not _opens(text, end):
        end += 1
    while end < size and text[end] in _BLANK:
        end += 1
    return end


def _closes(text: str, position: int) -> bool:
    char = text[position]
    if char in _ALWAYS:
        return True
    following = text[position + 1 : position + 2]
    if following and following not in _BLANK and following not in _CLOSERS:
        return following in _STOPS or bool(_UNSPACED.match(following))
    return char != "." or not _abbreviates(text, position)


def _abbreviates(text: str, position: int) -> bool:
    """Whether the full stop at ``position`` ends an abbreviation, an initial or a list number."""
    if text[position + 1 : position + 2] not in (" ", "\t", ""):
        return False
    before = text[max(0, position - _LOOK_BACK) : position]
    if _LIST_NUMBER.search(before if position > _LOOK_BACK else "\n" + before):
        return True
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    return word[0].lower() in _ABBREVIATIONS or (len(word[0]) == 1 and word[0].isupper())


def _opens(text: str, position: int) -> bool:
    """Whether a quote or star stands before a word rather than after one."""
    following = text[position + 1 : position + 2]
    return text[position] in "\"'*_`" and bool(following) and following.isalnum()
