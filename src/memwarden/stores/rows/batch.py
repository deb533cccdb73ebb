"""A batch of rows: judged and recorded before the host sees any of it, settled afterwards.

    batch = judged(guard, rows, operation="put")      # durable on return; the host saw nothing
    refuse_or_report(guard, batch)                    # raises where policy says so
    try:
        host.put([...row.fields for row in batch.written])
    except Exception: ...; not_stored(guard, batch, "the host raised ..."); raise
    stored(guard, batch)

An async host runs the judging off its loop (``stores.rows.driving``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memwarden.errors import CannotDecide
from memwarden.model import Action, Candidate, Decision, Origin, Receipt
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.held import HeldRow, pack
from memwarden.stores.rows.payloads import Payload, marked, parts_of_row, with_texts
from memwarden.stores.rows.report import Refusal, Report, refused
from memwarden.warden.books import Envelope

_PER_TEXT: Final = 64
"""Bytes counted for a text beside its characters, when a batch is cut into chunks."""


@dataclass(frozen=True, slots=True)
class Row:
    """A memory as its caller wants it stored. ``position`` counts from 0 in the caller's order.

    ``fields`` is plain JSON (``payloads.plain``). ``parents`` are the decisions behind what the
    row keeps of an older one; ``before`` is what it replaces, stamp and all; ``extra`` is what
    the host's write needs beside the fields (JSON), so that an approval can be carried out later.
    """

    position: int
    id: str
    fields: Payload = field(repr=False)
    namespace: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    before: Payload | None = field(default=None, repr=False)
    extra: Payload = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class RuledRow:
    """A row with its decision. ``fields`` is what the host stores; None where nothing is.

    ``changed`` says that a text is stored otherwise than it was given, so that a vector made
    from it no longer fits.
    """

    row: Row
    decision: Decision
    fields: Payload | None = field(repr=False)
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows under one recorded intent."""

    envelope: Envelope
    ruled: tuple[RuledRow, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """All rows of one call. ``written`` are those that the host is to store, in order."""

    operation: str
    chunks: tuple[Chunk, ...]

    @property
    def ruled(self) -> tuple[RuledRow, ...]:
        return tuple(one for chunk in self.chunks for one in chunk.ruled)

    @property
    def written(self) -> tuple[RuledRow, ...]:
        return tuple(one for one in self.ruled if one.fields is not None)


def judged(guard: RowGuard, rows: Sequence[Row], operation: str) -> Batch:
    """Judge and record; nothing has reached the host when this returns.

    If a later chunk cannot be recorded, the earlier ones are settled as not stored.
    """
    chunks: list[Chunk] = []
    try:
        chunks.extend(_judged(guard, some, operation) for some in _by_size(guard, rows))
    except Exception:
        not_stored(guard, Batch(operation, tuple(chunks)), "the batch could not be judged")
        raise
    return Batch(operation, tuple(chunks))


def _judged(guard: RowGuard, rows: Sequence[Row], operation: str) -> Chunk:
    envelope = guard.session.intend(
        [_candidate(guard, row) for row in rows], store=guard.store(), operation=operation
    )
    try:
        return Chunk(
            envelope,
            tuple(_ruled(guard, row, envelope, at) for at, row in enumerate(rows)),
        )
    except Exception as error:
        guard.session.settle(envelope, _receipts(envelope, f"{type(error).__name__} before"))
        raise


def _candidate(guard: RowGuard, row: Row) -> Candidate:
    return Candidate(
        parts_of_row(row.fields, guard.options, row.id, row.namespace),
        origin=Origin(derived_from=row.parents),
        subject=guard.subject_of(row.fields),
        namespace=row.namespace,
        memory_id=row.id,
        host=pack(HeldRow(row.id, row.fields, row.namespace, row.before, row.extra)),
    )


def _ruled(guard: RowGuard, row: Row, envelope: Envelope, at: int) -> RuledRow:
    decision, stamp = envelope.decisions[at], envelope.stamps[at]
    if decision.parts is None:
        return RuledRow(row, decision, None)
    if stamp is None:
        raise CannotDecide(f"decision {decision.id} came without a stamp; nothing was written")
    texts = with_texts(row.fields, decision.parts)
    return RuledRow(
        row, decision, marked(texts, guard.session.tenant, stamp), changed=texts != row.fields
    )


def refuse_or_report(guard: RowGuard, batch: Batch) -> Report:
    """Raise for what policy keeps out, or leave it out and say so, as policy asks.

    Raising means that nothing of the batch is written: WriteHeld if anything of it can be
    approved, WriteRefused otherwise. What is no memory at all is left out without an alarm.
    """
    ruled = batch.ruled
    refusals = [
        Refusal(one.row.position, one.decision.id, one.decision.action)
        for one in ruled
        if one.fields is None and one.decision.action is not Action.SKIP
    ]
    report = Report(
        batch.operation,
        written=sum(one.fields is not None for one in ruled),
        skipped=sum(one.decision.action is Action.SKIP for one in ruled),
        refused=len(refusals),
        refusals=tuple(refusals),
    )
    if refusals and guard.session.policy.on_refused != "report":
        not_stored(guard, batch, "the batch was refused")
        raise refused(refusals, len(ruled), "nothing of this batch was written")
    return report


def reported(guard: RowGuard, report: Report) -> None:
    """Keep a report for the caller, and hand it to whoever listens."""
    guard.reports.put(report)
    if guard.options.on_report is not None and report.refused:
        guard.options.on_report(report)


def stored(guard: RowGuard, batch: Batch, detail: str = "") -> None:
    """Record that the host took what was to be written."""
    _settle(guard, batch, True, detail)


def not_stored(guard: RowGuard, batch: Batch, why: str) -> None:
    """Record that nothing of the batch reached the host. ``why`` holds no text of a memory."""
    _settle(guard, batch, False, why)


def _settle(guard: RowGuard, batch: Batch, done: bool, detail: str) -> None:
    for chunk in batch.chunks:
        guard.session.settle(
            chunk.envelope,
            [
                Receipt(
                    one.decision.id,
                    done and one.fields is not None,
                    chunk.envelope.store,
                    at,
                    one.row.id,
                    detail,
                )
                for at, one in enumerate(chunk.ruled)
                if one.decision.action.stores
            ],
        )


def _receipts(envelope: Envelope, why: str) -> list[Receipt]:
    return [
        Receipt(decision.id, False, envelope.store, at, detail=why)
        for at, decision in enumerate(envelope.decisions)
        if decision.action.stores
    ]


def _by_size(guard: RowGuard, rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows in chunks of at most the policy's bytes, so that a stream needs bounded memory."""
    most = guard.session.policy.limits.max_batch_bytes
    some: list[Row] = []
    size = 0
    for row in rows:
        parts = parts_of_row(row.fields, guard.options, row.id, row.namespace)
        bytes_of = sum(
            len(part.text.encode("utf-8", "surrogatepass")) + _PER_TEXT for part in parts
        )
        if some and size + bytes_of > most:
            yield some
            some, size = [], 0
        some.append(row)
        size += bytes_of
    if some:
        yield some
