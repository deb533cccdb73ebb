"""Whether words around a match speak for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from memwarden.pii.pattern import WordList

BEFORE: Final = 44
"""Code points looked at before a match."""

AFTER: Final = 14
"""Code points looked at after a match."""

_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHER_VALUE: Final = re.compile(r"[0-9][0-9 .\-]{4,}[0-9]|@|\n[^\n]*\n")
_CLAUSE_END: Final = re.compile(r"[。;；\n!?！？]|[,，、.](?![0-9])")


def tokens(text: str) -> str:
    """Latin words of ``text`` in lower case, with one space around each (``idCard`` is two)."""
    return " " + " ".join(word.lower() for word in _TOKEN.findall(text)) + " "


def mentions(text: str, lists: Iterable[WordList]) -> bool:
    """Whether a word of the lists occurs in ``text``."""
    latin = tokens(text)
    for words in lists:
        if any(word in text for word in words.zh):
            return True
        if len(latin) > 2 and any(f" {word} " in latin for word in words.en):
            return True
    return False


def window(text: str, start: int, end: int) -> str:
    """What stands before and after ``text[start:end]``, up to another value or clause."""
    before = text[max(0, start - BEFORE) : start]
    for other in _OTHER_VALUE.finditer(before):
        before_cut = other.end()
        if before_cut < len(before):
            before = " " * before_cut + before[before_cut:]
    after = text[end : end + AFTER]
    stop = _CLAUSE_END.search(after)
    return before + " | " + (after[: stop.start()] if stop else after)


def speaks_for(
    text: str,
    start: int,
    end: int,
    names: tuple[str, ...],
    lists: Mapping[str, WordList],
    hint: str,
) -> bool:
    """Whether context for ``names`` stands around the match, or in ``hint`` (a field's name)."""
    if not names:
        return False
    chosen = [lists[name] for name in names]
    return mentions(window(text, start, end), chosen) or (bool(hint) and mentions(hint, chosen))
