"""Whether what stands between the signs that were found leaves them one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from memwarden.fence.scrub.kinds import LETTER, unseen
from memwarden.fence.scrub.owner import Owner

MOST: Final = 4
"""Visible separators that may stand between two signs of an original, and as many around each
separator that the original itself has there."""
_PER_SEEN: Final = 8
"""Characters in all, invisible ones included, for every visible one that there may be."""
_SHORT: Final = 7
_LONG_WORD: Final = 6
_QUOTATION: Final = 16
_LIST: Final = ",，、;；|"
_SENTENCE_END: Final = "。！？；!?;"
_WITHIN_NAME: Final = frozenset(" \t\n\u3000\u00a0·・•.-_*~/|")


class Gap(NamedTuple):
    """What is seen between the signs ``after - 1`` and ``after`` of the body."""

    after: int
    seen: str


def gaps_in(
    text: str, places: Sequence[int], own: Mapping[int, int], first: int = 0
) -> list[Gap] | None:
    """The gaps between signs at ``places``; None if one is too wide. ``first`` is the place of
    the first sign in the body, ``own`` are the body's own gaps."""
    if places[-1] - places[0] == len(places) - 1:
        return []
    gaps: list[Gap] = []
    for after, (left, right) in enumerate(pairwise(places), first + 1):
        if right - left <= 1:
            continue
        seen = passable(text[left + 1 : right], own.get(after, 0))
        if seen is None:
            return None
        if seen:
            gaps.append(Gap(after, seen))
    return gaps


def passable(between: str, own: int = 0) -> str | None:
    """What is seen of ``between``, or None if that is too much to stand inside an original that
    has ``own`` separators there."""
    most = MOST + own * (MOST + 1)
    if len(between) > most * _PER_SEEN:
        return None
    seen = "".join(char for char in between if not unseen(char))
    return seen if len(seen) <= most else None


def tolerated(owner: Owner, gaps: Sequence[Gap], first: int, length: int, capital: bool) -> bool:
    """Whether an original written with these gaps is still that original.

    ``first`` and ``length`` say which part of the body was found, ``capital`` whether it began
    with a capital letter. Short numbers and names are easily made up of their neighbours
    (5, 6, 7, 8; free man), so these may only be written apart in ways that neighbours are not.
    """
    foreign = [gap for gap in gaps if gap.after not in owner.gaps]
    if not foreign:
        return True
    if owner.all_unspaced:
        return _names_fit(len(owner.body), foreign)
    if len(owner.body) < _SHORT and LETTER not in owner.kinds:
        return _spelt_out(gaps, length) and not any(_list_like(gap.seen) for gap in gaps)
    return length >= _QUOTATION or _words_fit(owner, foreign, first, length, capital)


def _names_fit(signs: int, foreign: Sequence[Gap]) -> bool:
    if signs == 2:
        return all(
            len(gap.seen) <= 2 and all(c in _WITHIN_NAME for c in gap.seen) for gap in foreign
        )
    if signs == 3:
        return not any(char in _SENTENCE_END for gap in foreign for char in gap.seen)
    return True


def _words_fit(
    owner: Owner, foreign: Sequence[Gap], first: int, length: int, capital: bool
) -> bool:
    inside = [gap for gap in foreign if _inside_word(owner, gap.after)]
    if not any(char.isspace() for gap in inside for char in gap.seen):
        return True
    apart = sum(
        _inside_word(owner, after) and after not in owner.gaps
        for after in range(first + 1, first + length)
    )
    return len(inside) == apart or (capital and len(owner.body) >= _LONG_WORD)


def _inside_word(owner: Owner, after: int) -> bool:
    return owner.kinds[after - 1] == LETTER and owner.kinds[after] == LETTER


def _spelt_out(gaps: Sequence[Gap], length: int) -> bool:
    return len(gaps) == length - 1 and all(len(gap.seen) == 1 for gap in gaps)


def _list_like(seen: str) -> bool:
    return any(char in _LIST for char in seen)
