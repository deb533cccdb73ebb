"""Suspicious layout: what a reader would not see, or would see otherwise than a model reads it.

Invisible characters have honest uses (emoji sequences, Persian and Indic spelling, flags, bidi
marks in Arabic and Hebrew, a soft hyphen from a web page); those are not named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memwarden.text.scripts import CJK
from memwarden.text.smuggling import smuggled
from memwarden.text.tables import lookalikes

SMUGGLED: Final = "smuggled_payload"
TAGS: Final = "tag_characters"
BIDI: Final = "bidi_override"
INVISIBLE_RUN: Final = "invisible_run"
INVISIBLE_IN_WORDS: Final = "invisible_in_words"
MIXED_SCRIPT: Final = "mixed_script_words"
TERMINAL: Final = "terminal_escape"

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]{0,24}[A-Za-z]|\x1b[\]P_^]")
_OVERRIDE: Final = re.compile("[\u202d\u202e]")
_TAG_RUN: Final = re.compile("[\U000e0000-\U000e007f]+")
_HIDDEN: Final = (
    "\u00ad\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u034f\u115f\u1160\u3164\uffa0\u180e"
)
_RUN: Final = re.compile(f"[{_HIDDEN}]{{4,}}|[\u3164\uffa0\u115f\u1160]{{2,}}")
_SPLIT_WORD: Final = re.compile(
    f"(?<=[a-zA-Z{CJK}])[\u200b-\u200d\u2060-\u2064\ufeff\u034f\u3164\uffa0\u180e\u00ad]{{1,3}}(?=[a-zA-Z{CJK}])"
)
_FLAG: Final = "\U0001f3f4"
_SPLITS_THAT_ALARM: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


class Oddity(NamedTuple):
    """One place of suspicious layout; ``start`` and ``end`` are code points of the original."""

    name: str
    start: int
    end: int


def name_oddities(text: str, looks: frozenset[str]) -> tuple[str, ...]:
    """The names of what is odd in ``text``. ``looks`` is what the cheap look saw in it."""
    if not looks and "\x1b" not in text:
        return ()
    return tuple(dict.fromkeys(oddity.name for oddity in find_oddities(text)))


def find_oddities(text: str) -> tuple[Oddity, ...]:
    """Every suspicious place in ``text``, by position."""
    found = [*_escapes(text), *_invisible(text), *_split_words(text), *_mixed_words(text)]
    return tuple(sorted(found, key=lambda oddity: (oddity.start, oddity.name)))


def _escapes(text: str) -> Iterator[Oddity]:
    for run in _ESCAPE.finditer(text):
        yield Oddity(TERMINAL, run.start(), run.end())


def _invisible(text: str) -> Iterator[Oddity]:
    payloads = smuggled(text)
    for payload in payloads:
        yield Oddity(SMUGGLED, payload.start, payload.end)
    taken = {payload.start for payload in payloads}
    for run in _TAG_RUN.finditer(text):
        flag = run.start() > 0 and text[run.start() - 1] == _FLAG
        if not flag and run.start() not in taken:
            yield Oddity(TAGS, run.start(), run.end())
    for mark in _OVERRIDE.finditer(text):
        yield Oddity(BIDI, mark.start(), mark.end())
    for run in _RUN.finditer(text):
        if run.start() not in taken:
            yield Oddity(INVISIBLE_RUN, run.start(), run.end())


def _split_words(text: str) -> Iterator[Oddity]:
    """Invisible characters inside Latin or Chinese words; a few may be a web page's line breaks."""
    splits = list(_SPLIT_WORD.finditer(text))
    if len(splits) >= _SPLITS_THAT_ALARM:
        for split in splits:
            yield Oddity(INVISIBLE_IN_WORDS, split.start(), split.end())


def _mixed_words(text: str) -> Iterator[Oddity]:
    """Words of Latin letters and of letters from elsewhere that all pass for Latin ones."""
    other = lookalikes().other
    for word in _WORD.finditer(text):
        if word[0].isascii():
            continue
        strange = [char for char in word[0] if not char.isascii()]
        latin = len(word[0]) - len(strange)
        if latin and all(ord(char) in other for char in strange):
            yield Oddity(MIXED_SCRIPT, word.start(), word.end())
