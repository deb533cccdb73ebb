"""Fields of a record speak for each other: a date beside a name and a phone number is a birthday.

A value that means nothing in running text (ten digits, a date) is lifted when it is a field of its
own on a line that holds another, certain piece of personal data.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memwarden.pii.found import SHIELD, Found

CERTAIN = 0.75
"""The score from which a find vouches for its neighbours."""

_NEAR = 3
"""Certain finds looked at on each side."""

_OWNED = frozenset({"EMAIL_ADDRESS", "US_SSN", "CN_ID_CARD", "CREDIT_CARD", "IBAN_CODE"})
"""Values of one person: a telephone number on the same line needs no divider but blanks."""

_DELIMITERS = frozenset(",;|\t\"'{}[]、,;\n")


def lift(found: Sequence[Found], text: str, records: Mapping[str, float]) -> list[Found]:
    """The same finds, weak ones raised to their record score where they stand in a record."""
    if all(one.score >= records.get(one.rule, 0.0) for one in found):
        return list(found)
    sure = sorted(
        (one for one in found if one.score >= CERTAIN and one.entity != SHIELD),
        key=lambda one: one.start,
    )
    starts = [one.start for one in sure]
    return [
        replace(one, score=records[one.rule])
        if one.score < records.get(one.rule, 0.0)
        and any(_vouches(text, other, one) for other in _near(sure, starts, one))
        else one
        for one in found
    ]


def _near(sure: Sequence[Found], starts: Sequence[int], one: Found) -> Sequence[Found]:
    """The certain finds next to ``one`` on both sides."""
    at = bisect_left(starts, one.start)
    return sure[max(0, at - _NEAR) : at + _NEAR]


def _vouches(text: str, sure: Found, weak: Found) -> bool:
    if sure.overlaps(weak):
        return False
    first, second = sorted((sure, weak), key=lambda one: one.start)
    between = text[first.end : second.start]
    if "\n" in between:
        return False
    if between.strip() == "":
        return True
    if sure.entity in _OWNED and weak.entity == "PHONE_NUMBER":
        return _is_apart(text, weak.start, weak.end)
    return _is_field(text, weak.start, weak.end)


def _is_field(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 4) : start].rstrip(" ")[-1:]
    after = text[end : end + 4].lstrip(" ")[:1]
    return (not before or before in _DELIMITERS) and (not after or after in _DELIMITERS)


def _is_apart(text: str, start: int, end: int) -> bool:
    edges = text[start - 1 : start] + text[end : end + 1]
    return all(edge.isspace() or edge in _DELIMITERS for edge in edges)
