"""Canonical JSON back to records. What does not fit is LedgerCorrupt, never a guess."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.ledger.records import (
    Body,
    ConfigChange,
    CutNote,
    Fate,
    FindingNote,
    Intent,
    Leaf,
    Outcome,
    Outcomes,
    PolicyChange,
    RecordType,
    RedactionNote,
    Reveal,
    ReviewStep,
    SealRef,
    Tombstone,
)
from memwarden.model import (
    Action,
    Influence,
    Kind,
    Message,
    Sensitivity,
    Severity,
    Tier,
    Treatment,
)

T = TypeVar("T")

UNKNOWN_REASON: Final = Message(en="(the reason is not kept)", zh="（理由未保存）")


class Fields:
    """An object out of JSON, read by name and type."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, Mapping):
            raise LedgerCorrupt("a record holds something else where an object belongs")
        self._values = value

    def text(self, name: str, default: str | None = None) -> str:
        value = self._values.get(name, default)
        if not isinstance(value, str):
            raise LedgerCorrupt(f"a record's field {name!r} is missing or not a text")
        return value

    def number(self, name: str, default: int | None = None) -> int:
        value = self._values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise LedgerCorrupt(f"a record's field {name!r} is missing or not a number")
        return value

    def flag(self, name: str) -> bool:
        return self._values.get(name, False) is True

    def listed(self, name: str, read: Callable[[object], T]) -> tuple[T, ...]:
        value = self._values.get(name, [])
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise LedgerCorrupt(f"a record's field {name!r} is not a list")
        return tuple(read(item) for item in value)


def parse(text: str) -> object:
    """JSON text to values; LedgerCorrupt if it is no JSON."""
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise LedgerCorrupt("a record is not JSON; it was altered or torn") from error
    return value


def moment(value: int) -> datetime:
    """Milliseconds since 1970 as a time."""
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise LedgerCorrupt("a record's time lies outside the calendar") from error


def read_leaf(text: str, reasons: Mapping[str, Message]) -> Leaf:
    """One decision. ``reasons`` maps wording digests to sentences, as far as they are known."""
    try:
        return _leaf(Fields(parse(text)), reasons)
    except (UsageError, ValueError) as error:
        raise LedgerCorrupt(f"a decision holds a word nobody knows: {error}") from error


def reasons_of(text: str) -> tuple[str, ...]:
    """The wording digests that a decision names."""
    fields = Fields(parse(text))
    return fields.listed("findings", lambda item: Fields(item).text("reason"))


def _leaf(fields: Fields, reasons: Mapping[str, Message]) -> Leaf:
    until = fields.number("valid_until", 0)
    observed = fields.text("observed", "allow")
    return Leaf(
        id=fields.text("id"),
        at=moment(fields.number("at")),
        action=Action.parse(fields.text("action")),
        kind=Kind(fields.text("kind")),
        tier=Tier.parse(fields.text("tier")),
        sensitivity=Sensitivity.parse(fields.text("sensitivity")),
        influence=Influence.parse(fields.text("influence")),
        source=fields.text("source"),
        origin=fields.text("origin"),
        text=fields.text("text"),
        stored=fields.text("stored", ""),
        session=fields.text("session", ""),
        subject=fields.text("subject", ""),
        memory=fields.text("memory", ""),
        observed=Action.parse(observed),
        critical=fields.flag("critical"),
        valid_until=moment(until) if until else None,
        elapsed_us=fields.number("elapsed_us", 0),
        findings=fields.listed("findings", lambda item: _finding(Fields(item), reasons)),
        redactions=fields.listed("redactions", lambda item: _redaction(Fields(item))),
        cuts=fields.listed("cuts", lambda item: _cut(Fields(item))),
        derived_from=fields.listed("derived_from", str),
        seals=fields.listed("seals", lambda item: _seal(Fields(item))),
    )


def read_body(kind: str, text: str, leaves: tuple[Leaf, ...] = ()) -> Body:
    """A record's body. An intent's leaves are read apart and handed in."""
    fields = Fields(parse(text))
    try:
        return _READERS[RecordType(kind)](fields, leaves)
    except ValueError as error:
        raise LedgerCorrupt(f"a record holds a word nobody knows: {error}") from error


def _intent(fields: Fields, leaves: tuple[Leaf, ...]) -> Intent:
    return Intent(
        store=fields.text("store"),
        operation=fields.text("operation"),
        policy=fields.text("policy"),
        leaves=leaves,
        models=fields.listed("models", str),
    )


def _outcomes(fields: Fields, _: tuple[Leaf, ...]) -> Outcomes:
    return Outcomes(
        intent=fields.number("intent"),
        outcomes=fields.listed("outcomes", _outcome),
        by=fields.text("by"),
    )


def _outcome(item: object) -> Outcome:
    if not isinstance(item, list) or not 2 <= len(item) <= 3 or not isinstance(item[0], int):
        raise LedgerCorrupt("a receipt holds an outcome of another shape")
    return Outcome(item[0], Fate(item[1]), str(item[2]) if len(item) == 3 else "")


def _step(fields: Fields, _: tuple[Leaf, ...]) -> ReviewStep:
    return ReviewStep(
        about=fields.text("about"),
        item=fields.text("item"),
        move=fields.text("move"),
        before=fields.text("before", ""),
        after=fields.text("after"),
        actor=fields.text("actor", ""),
        seals=fields.listed("seals", lambda item: _seal(Fields(item))),
    )


def _reveal(fields: Fields, _: tuple[Leaf, ...]) -> Reveal:
    return Reveal(
        about=fields.text("about"),
        seal=fields.text("seal"),
        actor=fields.text("actor", ""),
        seals=fields.listed("seals", lambda item: _seal(Fields(item))),
    )


def _tombstone(fields: Fields, _: tuple[Leaf, ...]) -> Tombstone:
    return Tombstone(
        about=fields.text("about"),
        keys=fields.number("keys", 0),
        seals=fields.number("seals", 0),
        actor=fields.text("actor", ""),
    )


def _policy(fields: Fields, _: tuple[Leaf, ...]) -> PolicyChange:
    return PolicyChange(
        about=fields.text("about"),
        before=fields.text("before", ""),
        mode=fields.text("mode"),
        actor=fields.text("actor", ""),
    )


def _config(fields: Fields, _: tuple[Leaf, ...]) -> ConfigChange:
    return ConfigChange(
        about=fields.text("about"),
        change=fields.text("change"),
        detail=fields.text("detail", ""),
        actor=fields.text("actor", ""),
    )


_READERS: Final[Mapping[RecordType, Callable[[Fields, tuple[Leaf, ...]], Body]]] = {
    RecordType.INTENT: _intent,
    RecordType.RECEIPT: _outcomes,
    RecordType.REVIEW: _step,
    RecordType.REVEAL: _reveal,
    RecordType.ERASURE: _tombstone,
    RecordType.POLICY: _policy,
    RecordType.CONFIG: _config,
}


def _finding(fields: Fields, reasons: Mapping[str, Message]) -> FindingNote:
    segment = fields.listed("segment", lambda item: item if isinstance(item, int) else 0)
    return FindingNote(
        guard=fields.text("guard"),
        rule=fields.text("rule"),
        part=fields.number("part"),
        start=fields.number("start"),
        end=fields.number("end"),
        score=fields.number("score"),
        severity=Severity.parse(fields.text("severity")),
        reason=reasons.get(fields.text("reason"), UNKNOWN_REASON),
        kind=Kind(fields.text("kind", "")),
        entity=fields.text("entity", ""),
        layer=fields.text("layer", "original"),
        segment=(segment[0], segment[1]) if len(segment) == 2 else None,
    )


def _redaction(fields: Fields) -> RedactionNote:
    return RedactionNote(
        part=fields.number("part"),
        start=fields.number("start"),
        end=fields.number("end"),
        entity=fields.text("entity"),
        treatment=Treatment(fields.text("treatment")),
        seal=fields.text("seal", ""),
    )


def _cut(fields: Fields) -> CutNote:
    return CutNote(
        part=fields.number("part"),
        start=fields.number("start"),
        end=fields.number("end"),
        rule=fields.text("rule"),
    )


def _seal(fields: Fields) -> SealRef:
    return SealRef(fields.text("purpose"), fields.text("id"), fields.text("digest"))
