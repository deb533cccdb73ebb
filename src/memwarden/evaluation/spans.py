"""Scoring the redactor: gold spans by source, language and type against what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.evaluation.rows import GoldSpan, Row

_SAME: Final[tuple[frozenset[str], ...]] = (
    frozenset({"PERSON", "PER", "NAME"}),
    frozenset({"ADDRESS", "STREET_ADDRESS", "BUSINESS_ADDRESS", "LOCATION", "LOC", "GPE"})
    | frozenset({"ZIP_CODE", "POSTCODE"}),
    frozenset({"ORGANIZATION", "ORG", "COMPANY"}),
    frozenset({"PHONE", "PHONE_NUMBER", "BUSINESS_PHONE", "MOBILE", "LANDLINE"}),
    frozenset({"EMAIL", "EMAIL_ADDRESS", "BUSINESS_EMAIL"}),
    frozenset({"CREDIT_CARD", "BANK_CARD"}),
    frozenset({"IBAN", "IBAN_CODE"}),
    frozenset({"IP", "IP_ADDRESS"}),
    frozenset({"SSN", "US_SSN"}),
    frozenset({"ID_CARD", "CN_ID", "CN_ID_CARD", "RESIDENT_ID"}),
    frozenset({"BIRTHDATE", "DATE_OF_BIRTH", "DOB"}),
    frozenset({"PLATE", "CN_PLATE", "LICENSE_PLATE"}),
    frozenset({"URL", "DOMAIN_NAME"}),
    frozenset({"US_DRIVER_LICENSE", "DRIVER_LICENSE", "DRIVING_LICENCE"}),
)


_ADDRESS: Final = frozenset({"ADDRESS", "STREET_ADDRESS"})
_PLACES: Final = _ADDRESS | frozenset({"GPE", "LOCATION", "LOC", "ZIP_CODE", "POSTCODE"})
_JOINT: Final = 12
"""Code points without a letter that may divide the pieces of one address."""


def whole_addresses(spans: Sequence[GoldSpan], text: str) -> tuple[GoldSpan, ...]:
    """The spans with the labelled pieces of one address (number, street, unit, town, code) joined.

    Some label sets cut an address at every line. A redactor has to take all of it, so that one
    address counts once.
    """
    joined: list[GoldSpan] = []
    for span in sorted(spans, key=lambda one: one.start):
        last = joined[-1] if joined else None
        if last is not None and last.type in _ADDRESS and _goes_on(last, span, text):
            joined[-1] = GoldSpan(last.start, max(last.end, span.end), last.type)
        else:
            joined.append(span)
    return tuple(joined)


def _goes_on(last: GoldSpan, span: GoldSpan, text: str) -> bool:
    between = text[last.end : span.start]
    return (
        span.type in _PLACES
        and len(between) <= _JOINT
        and not any(map(str.isalnum, between))
        and between.count("\n\n") == 0
    )


@dataclass(frozen=True, slots=True)
class Predicted:
    """A span that the redactor found."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class SpanTally:
    """Counts of one type: ``gold`` labelled, ``found`` predicted, ``exact`` and ``overlap``
    gold spans met by a prediction of the same type (intersection over union 1, or >= 0.5)."""

    source: str
    lang: str
    type: str
    gold: int
    found: int
    exact: int
    overlap: int


def same_type(one: str, other: str) -> bool:
    """Whether two type names of different label sets mean the same thing."""
    if one == other:
        return True
    first, second = _family(one), _family(other)
    return first is not None and first is second


def _family(name: str) -> frozenset[str] | None:
    bare = name.upper()
    for prefix in ("CN_", "US_", "HK_", "TW_", "MO_", "INTL_"):
        if bare.removeprefix(prefix) != bare:
            bare_name = bare.removeprefix(prefix)
            found = next((f for f in _SAME if bare_name in f), None)
            if found is not None:
                return found
    return next((family for family in _SAME if bare in family), None)


def tally_spans(rows: Iterable[tuple[Row, Sequence[Predicted]]]) -> tuple[SpanTally, ...]:
    """Count over rows. A prediction is counted under the gold type it means, or its own."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for row, predictions in rows:
        labelled = whole_addresses(row.spans, row.text)
        for gold in labelled:
            exact, overlap = _met(gold, predictions)
            _add(counts, row, gold.type, (1, 0, exact, overlap))
        gold_types = sorted({gold.type for gold in labelled})
        for predicted in predictions:
            named = next((t for t in gold_types if same_type(t, predicted.type)), predicted.type)
            _add(counts, row, named, (0, 1, 0, 0))
    return tuple(SpanTally(*key, *numbers) for key, numbers in sorted(counts.items()))


def _add(
    counts: dict[tuple[str, str, str], list[int]],
    row: Row,
    type_: str,
    more: tuple[int, int, int, int],
) -> None:
    numbers = counts.setdefault((row.source, row.lang, type_), [0, 0, 0, 0])
    for at, number in enumerate(more):
        numbers[at] += number


def _met(gold: GoldSpan, predictions: Sequence[Predicted]) -> tuple[int, int]:
    same = [p for p in predictions if same_type(gold.type, p.type)]
    exact = any((p.start, p.end) == (gold.start, gold.end) for p in same)
    overlap = any(_iou(gold, p) >= 0.5 for p in same)
    return int(exact), int(overlap)


def _iou(gold: GoldSpan, predicted: Predicted) -> float:
    shared = min(gold.end, predicted.end) - max(gold.start, predicted.start)
    joined = max(gold.end, predicted.end) - min(gold.start, predicted.start)
    return shared / joined if joined > 0 and shared > 0 else 0.0
