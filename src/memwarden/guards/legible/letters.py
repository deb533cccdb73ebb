"""Words that are none: struck keys, random letters, rare tokens in a row, long meaningless runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from memwarden.guards.legible.trace import Trace, expression, lines
from memwarden.guards.legible.words import (
    known_oddities,
    known_runs,
    never_side_by_side,
    vowels,
)

NOISE: Final = "letters"
TRIGGER: Final = "trigger"
RUN: Final = "run"

_TOGETHER: Final = 9
_FEWEST: Final = 3
_SHARE: Final = 1 / 3
_CONSONANTS: Final = 6
_ACRONYM: Final = 7
_NOT_BEFORE: Final = frozenset("0123456789_@./:\\<-#$%&*+=[{(")
_NOT_BEHIND: Final = frozenset("0123456789_@/\\(=*-")
_RARE: Final = (2, 4)
"""Letters of a token that may be a planted trigger: cf, mn, bb."""

_LONG: Final = 32
_LONG_TOGETHER: Final = 64
_PIECE: Final = 12
_CHANGES: Final = 0.35
"""How often capitals, small letters and digits change in a run without meaning; in names of
files, classes and addresses they change less."""


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def find(text: str) -> Iterator[Trace]:
    """Every place of noise, line by line."""
    if len(expression(_may_be_strange()).findall(text)) < _FEWEST:
        return
    for start, end in lines(text):
        words = list(_words(text, start, end))
        yield from _noise([word for word in words if len(word.text) >= 4])
        yield from _triggers(words)


def find_runs(text: str) -> list[Trace]:
    """Long runs of letters and digits that stand for nothing known; none unless they are many."""
    if expression(rf"[A-Za-z0-9+/=_-]{{{_LONG}}}").search(text) is None:
        return []
    found = [
        Trace(RUN, match.start(), match.end(), 0.8)
        for match in expression(rf"[A-Za-z0-9+/=_-]{{{_LONG},}}").finditer(text)
        if _meaningless(match[0]) and not _in_address(text, match.start())
    ]
    return found if sum(one.end - one.start for one in found) >= _LONG_TOGETHER else []


@cache
def _may_be_strange() -> str:
    """The cheap look: a pair that never meets, or consonants that stand alone or in a row."""
    pairs = "|".join(sorted(never_side_by_side()))
    consonants = "[bcdfghjklmnpqrstvwxz]"
    alone = f"(?:^|[^0-9a-z]){consonants}{{2,3}}(?:$|[^0-9a-z])"
    return f"(?i){pairs}|{consonants}{{4,}}|{alone}"


def _words(text: str, start: int, end: int) -> Iterator[_Word]:
    """Words of plain letters that are no part of a name, a path, a number or a command."""
    for match in expression("[A-Za-z]{2,}").finditer(text[start:end]):
        first, last = start + match.start(), start + match.end()
        before = text[first - 1 : first] if first > start else ""
        if before not in _NOT_BEFORE and text[last : last + 1] not in _NOT_BEHIND:
            yield _Word(first, last, match[0])


def _noise(words: Sequence[_Word]) -> Iterator[Trace]:
    strange = [is_strange(word.text) for word in words]
    if sum(strange) < _FEWEST:
        return
    for at in range(max(1, len(words) - _TOGETHER + 1)):
        here = range(at, min(at + _TOGETHER, len(words)))
        odd = [i for i in here if strange[i]]
        if len(odd) >= _FEWEST and len(odd) >= _SHARE * len(here):
            yield Trace(NOISE, words[odd[0]].start, words[odd[-1]].end, 0.85)
            return


def _triggers(words: Sequence[_Word]) -> Iterator[Trace]:
    row: list[_Word] = []
    for word, following in pairwise((*words, None)):
        if word is not None and _is_rare(word.text):
            row.append(word)
            if following is not None and following.start - word.end <= 2:
                continue
        if len(row) >= _FEWEST:
            yield Trace(TRIGGER, row[0].start, row[-1].end, 0.7)
        row = []


def _is_rare(word: str) -> bool:
    low, high = _RARE
    return (
        low <= len(word) <= high
        and word.islower()
        and word not in known_oddities()
        and not any(char in vowels() or char == "y" for char in word)
    )


def is_strange(word: str) -> bool:
    """Whether no language we know has such a word: a pair of letters that never meets, no vowel,
    or many consonants in a row. A word with a capital may be a name (Zbigniew): it needs two."""
    low = word.lower()
    if low in known_oddities() or (word.isupper() and len(word) <= _ACRONYM):
        return False
    if any(a.islower() and b.isupper() for a, b in pairwise(word)):
        return False
    pairs = sum(a + b in never_side_by_side() for a, b in pairwise(low))
    if pairs > word[0].isupper():
        return True
    return _consonants(low) >= min(_CONSONANTS, len(low))


def _consonants(word: str) -> int:
    longest = run = 0
    for char in word:
        run = 0 if char in vowels() or char == "y" else run + 1
        longest = max(longest, run)
    return longest


def _meaningless(run: str) -> bool:
    core = run.strip("=")
    sorts = [_sort(char) for char in core if char.isalnum()]
    if len(set(sorts)) < 3 or core.startswith(known_runs()):
        return False
    pieces = expression("[A-Za-z0-9]+").findall(core)
    changes = sum(a != b for a, b in pairwise(sorts))
    return max(map(len, pieces)) >= _PIECE and changes >= _CHANGES * len(sorts)


def _sort(char: str) -> str:
    if char.isdigit():
        return "digit"
    return "capital" if char.isupper() else "small"


def _in_address(text: str, start: int) -> bool:
    """Whether a run is the tail of a web address."""
    begin = max(text.rfind(blank, max(0, start - 300), start) for blank in " \n\t\"'<(")
    lead = text[begin + 1 : start]
    return "://" in lead or lead.startswith("www.")
