"""Settling overlaps, so that one place has one type and no half of a value is left behind."""

from __future__ import annotations

from collections.abc import Iterable

from memwarden.pii.found import SHIELD, Found

_MARGIN = 0.25
"""How much surer a shorter find must be to displace a longer one around it."""


def settle(found: Iterable[Found], threshold: float) -> list[Found]:
    """The finds that stand, in order of place, none overlapping another.

    The surest wins; of equals the longest. What a winner only partly covers is joined to it where
    both are hard values (``4151 3217 6243 3448.com``: nothing of either may stay), and cut down to
    its free rest where it was a guess of a model.
    """
    ranked = sorted(found, key=_rank, reverse=True)
    kept: list[Found] = []
    for one in ranked:
        if one.score < threshold:
            continue
        rivals = [other for other in kept if other.overlaps(one)]
        if not rivals:
            kept.append(one)
        elif one.soft:
            kept.extend(_rest(one, rivals))
        elif all(other.entity != SHIELD for other in rivals) and not _within(one, rivals):
            kept = [other for other in kept if other not in rivals] + [_joined(one, rivals)]
    reported = [one for one in kept if one.entity != SHIELD]
    return sorted(reported, key=lambda one: one.start)


def _rank(one: Found) -> tuple[bool, float, int, int, str]:
    length = one.end - one.start
    return (not one.soft, one.score + min(length, 60) * _MARGIN / 60, length, -one.start, one.rule)


def _within(one: Found, rivals: list[Found]) -> bool:
    return any(other.covers(one) for other in rivals)


def _joined(one: Found, rivals: list[Found]) -> Found:
    best = max(rivals, key=_rank)
    start = min(one.start, *(other.start for other in rivals))
    end = max(one.end, *(other.end for other in rivals))
    return best.at(start, end)


def _rest(one: Found, rivals: list[Found]) -> list[Found]:
    """The longest part of a soft find that no rival covers, when it is more than a scrap."""
    edges = [one.start]
    for other in sorted(rivals, key=lambda rival: rival.start):
        edges += [other.start, other.end]
    edges.append(one.end)
    gaps = [(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    return [] if end - start < 2 else [one.at(start, end)]
