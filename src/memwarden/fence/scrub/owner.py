"""One protected original, and what is known of it before any answer is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from memwarden.fence.scrub.kinds import DIGIT, LETTER, UNSPACED, kind_of
from memwarden.fence.scrub.lists import ordinary_words
from memwarden.fence.scrub.signs import is_numeral, signs_of
from memwarden.model import ScrubSetting

_LONGEST_WINDOW: Final = 80
_NUMBER_SHARE: Final = 0.75
_SHORTEST_NUMBER: Final = 10
_FEWEST_WORDS: Final = 4
_FEWEST_HAN: Final = 8
_READ_OUT: Final = 4
"""Digits in a row from which on Chinese numerals are taken for digits."""


@dataclass(frozen=True, slots=True)
class Protected:
    """An original that must not appear in an answer, and what stands in its place."""

    original: str = field(repr=False)
    replacement: str


@dataclass(frozen=True, slots=True)
class Owner:
    """An original as it is looked for.

    ``body`` are its signs, ``kinds`` their sorts, ``gaps`` the places (counted in signs) where it
    has separators of its own, and how many. ``window`` says how many of its signs in a row are a
    quotation of it (0: only all of them). ``settled`` are places whose sign is written one way
    only: as a Chinese numeral (True) or not. ``capital``: it is made of ordinary words unless it
    begins with a capital.
    """

    protected: Protected
    body: str = field(repr=False)
    kinds: str = field(repr=False)
    gaps: Mapping[int, int]
    window: int
    settled: tuple[tuple[int, bool], ...]
    capital: bool

    @property
    def all_digits(self) -> bool:
        return self.kinds.count(DIGIT) == len(self.kinds)

    @property
    def all_unspaced(self) -> bool:
        return self.kinds.count(UNSPACED) == len(self.kinds)

    @property
    def starts(self) -> range:
        """Where in the body something worth finding may begin."""
        return range(len(self.body) - self.window + 1) if self.window else range(1)


def owner_of(protected: Protected, setting: ScrubSetting) -> Owner | None:
    """What to look for; None where the original is too short to be told from ordinary text."""
    original = protected.original
    placed = [(sign, char) for char in original for sign in signs_of(char)]
    body = "".join(sign for sign, _ in placed)
    settled = _settled(body, [is_numeral(char) for _, char in placed])
    kinds = _kinds(body, settled)
    if len(kinds) + kinds.count(UNSPACED) < setting.min_length:
        return None
    bare = original.strip()
    return Owner(
        protected=protected,
        body=body,
        kinds=kinds,
        gaps=_own_gaps(original),
        window=_window(original, kinds, setting.quote_share),
        settled=settled,
        capital=bare[:1].isupper() and ordinary_words().issuperset(bare.lower().split()),
    )


def _settled(body: str, numeral: Sequence[bool]) -> tuple[tuple[int, bool], ...]:
    settled: list[tuple[int, bool]] = []
    at = 0
    for is_digit, run in groupby(body, str.isdecimal):
        length = len(list(run))
        if is_digit and length < _READ_OUT:
            settled += ((place, numeral[place]) for place in range(at, at + length))
        at += length
    return tuple(settled)


def _kinds(body: str, settled: Sequence[tuple[int, bool]]) -> str:
    kinds = [kind_of(sign) for sign in body]
    for place, numeral in settled:
        if numeral:
            kinds[place] = UNSPACED
    return "".join(kinds)


def _own_gaps(original: str) -> Mapping[int, int]:
    seen, gaps = 0, dict[int, int]()
    for char in original:
        count = len(signs_of(char))
        if not count:
            gaps[seen] = gaps.get(seen, 0) + 1
        seen += count
    return gaps


def _window(original: str, kinds: str, share: float) -> int:
    """A text of several words may be quoted in part, and so may a long number. A name, or an
    address in the net, may not: a part of it is a word or a host that anybody may say."""
    length = len(kinds)
    if kinds.count(DIGIT) == length:
        return _up(length * max(share, _NUMBER_SHARE)) if length >= _SHORTEST_NUMBER else 0
    words = sum(LETTER in map(kind_of, word) for word in original.split())
    if words < _FEWEST_WORDS and kinds.count(UNSPACED) < _FEWEST_HAN:
        return 0
    return min(_up(length * share), _LONGEST_WINDOW)


def _up(amount: float) -> int:
    return int(-(-amount // 1))
