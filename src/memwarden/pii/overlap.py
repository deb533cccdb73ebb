"""Settling overlaps, so that one place has one type and no half of a value is left behind."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from memwarden.pii.found import SHIELD, Found

_MARGIN = 0.25
"""How much surer a shorter find must be to displace a longer one around it."""


def settle(found: Iterable[Found], threshold: float) -> list[Found]:
    """The finds that stand, in order of place, none overlapping another.

    The surest wins; of equals the longest. What a winner only partly covers is joined to it where
    both are hard values (``4151 3217 6243 3448.com``: nothing of either may stay), and cut down to
    its free rest where it was a guess of a model.
    """
    kept = _Kept()
    for one in sorted(set(found), key=_rank, reverse=True):
        if one.score < threshold:
            continue
        rivals = kept.touching(one)
        if not rivals:
            kept.add(one)
        elif one.soft:
            for rest in _rest(one, rivals):
                kept.add(rest)
        elif all(other.entity != SHIELD for other in rivals) and not _within(one, rivals):
            kept.replace(rivals, _joined(one, rivals))
    return [one for one in kept.all if one.entity != SHIELD]


class _Kept:
    """Finds that do not overlap, in order of place."""

    __slots__ = ("_ends", "_starts", "all")

    def __init__(self) -> None:
        self.all: list[Found] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def touching(self, one: Found) -> list[Found]:
        first = bisect_left(self._ends, one.start + 1)
        last = bisect_left(self._starts, one.end)
        return self.all[first:last]

    def add(self, one: Found) -> None:
        at = bisect_left(self._starts, one.start)
        self.all.insert(at, one)
        self._starts.insert(at, one.start)
        self._ends.insert(at, one.end)

    def replace(self, rivals: Sequence[Found], one: Found) -> None:
        first = bisect_left(self._starts, rivals[0].start)
        last = first + len(rivals)
        self.all[first:last] = [one]
        self._starts[first:last] = [one.start]
        self._ends[first:last] = [one.end]


def _rank(one: Found) -> tuple[bool, float, int, int, str, str]:
    length = one.end - one.start
    sure = one.score + min(length, 60) * _MARGIN / 60
    return (not one.soft, sure, length, -one.start, one.rule, one.layer)


def _within(one: Found, rivals: Sequence[Found]) -> bool:
    return any(other.covers(one) for other in rivals)


def _joined(one: Found, rivals: Sequence[Found]) -> Found:
    best = max(rivals, key=_rank)
    return best.at(min(one.start, rivals[0].start), max(one.end, rivals[-1].end))


def _rest(one: Found, rivals: Sequence[Found]) -> list[Found]:
    """The longest part of a soft find that no rival covers, when it is more than a scrap."""
    edges = [one.start]
    for other in rivals:
        edges += [other.start, other.end]
    edges.append(one.end)
    gaps = [(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    if one.entity == "ADDRESS" and any(other.entity == "ADDRESS" for other in rivals):
        return []  # what a surer grammar left of a guessed address is its neighbour
    return [] if end - start < 2 else [one.at(start, end)]
