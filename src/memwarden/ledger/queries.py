"""Questions to the ledger: one decision's whole story, what is unfinished, the raw records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memwarden.errors import UsageError
from memwarden.ledger.canonical import record_bytes
from memwarden.ledger.doctor import Unfinished
from memwarden.ledger.listing import Entered, Place, leaf_from
from memwarden.ledger.reading import (
    Fields,
    moment,
    parse,
    read_body,
)
from memwarden.ledger.records import Body, Leaf, Outcome, Outcomes, RecordType
from memwarden.ledger.writing import milliseconds


@dataclass(frozen=True, slots=True)
class Event:
    """A record that says what happened to a decision afterwards."""

    seq: int
    at: datetime
    body: Body


@dataclass(frozen=True, slots=True)
class Story:
    """One decision from intent to the last thing that happened to it."""

    entered: Entered
    recorded_at: datetime
    store: str
    operation: str
    policy: str
    models: tuple[str, ...]
    hash: bytes
    outcome: Outcome | None
    events: tuple[Event, ...] = field(default=())


def find(conn: sqlite3.Connection, tenant: str, decision_id: str) -> Entered:
    """One decision by id. Raises UsageError if the tenant has none of that name."""
    row = conn.execute(
        "SELECT seq, position, leaf FROM decision WHERE tenant = ? AND id = ?",
        (tenant, decision_id),
    ).fetchone()
    if row is None:
        raise UsageError(f"tenant {tenant!r} has no decision {decision_id!r}")
    return Entered(tenant, Place(row[0], row[1]), leaf_from(conn, row[2]))


def show(conn: sqlite3.Connection, tenant: str, decision_id: str) -> Story:
    """The whole story of a decision."""
    entered = find(conn, tenant, decision_id)
    at, body, digest = conn.execute(
        "SELECT at, body, hash FROM record WHERE tenant = ? AND seq = ?",
        (tenant, entered.place.seq),
    ).fetchone()
    fields = Fields(parse(body))
    return Story(
        entered=entered,
        recorded_at=moment(at),
        store=fields.text("store"),
        operation=fields.text("operation"),
        policy=fields.text("policy"),
        models=fields.listed("models", str),
        hash=digest,
        outcome=_outcome(conn, tenant, entered.place),
        events=_events(conn, tenant, entered.leaf),
    )


def _outcome(conn: sqlite3.Connection, tenant: str, place: Place) -> Outcome | None:
    row = conn.execute(
        "SELECT body FROM record INDEXED BY record_about"
        " WHERE tenant = ? AND about = ? AND type = 'receipt'",
        (tenant, str(place.seq)),
    ).fetchone()
    if row is None:
        return None
    receipt = read_body(RecordType.RECEIPT, row[0])
    assert isinstance(receipt, Outcomes)
    return next((o for o in receipt.outcomes if o.position == place.position), None)


def _events(conn: sqlite3.Connection, tenant: str, leaf: Leaf) -> tuple[Event, ...]:
    rows = conn.execute(
        "SELECT seq, type, at, body FROM record INDEXED BY record_about"
        " WHERE tenant = ? AND about IN (?, ?) AND type <> 'receipt' ORDER BY seq",
        (tenant, leaf.id, leaf.subject or leaf.id),
    )
    return tuple(Event(seq, moment(at), read_body(kind, body)) for seq, kind, at, body in rows)


def derived_from(conn: sqlite3.Connection, tenant: str, decision_id: str) -> tuple[Entered, ...]:
    """The decisions that were made directly of this one's memory, oldest first."""
    rows = conn.execute(
        "SELECT seq, position, leaf FROM derived JOIN decision USING (tenant, seq, position)"
        " WHERE tenant = ? AND parent = ? ORDER BY seq, position",
        (tenant, decision_id),
    )
    return tuple(
        Entered(tenant, Place(seq, position), leaf_from(conn, leaf)) for seq, position, leaf in rows
    )


def unfinished(
    conn: sqlite3.Connection, now: datetime, tenant: str | None = None, *, limit: int = 1000
) -> tuple[Unfinished, ...]:
    """Envelopes that were announced and never answered, oldest first."""
    rows = conn.execute(
        "SELECT u.tenant, u.seq, u.at, r.body FROM unfinished AS u"
        " JOIN record AS r USING (tenant, seq)"
        " WHERE :tenant IS NULL OR u.tenant = :tenant ORDER BY u.at, u.seq LIMIT :limit",
        {"tenant": tenant, "limit": limit},
    ).fetchall()
    return tuple(_unfinished(conn, row, now) for row in rows)


def _unfinished(
    conn: sqlite3.Connection, row: tuple[str, int, int, str], now: datetime
) -> Unfinished:
    tenant, seq, at, body = row
    fields = Fields(parse(body))
    leaves = conn.execute(
        "SELECT leaf FROM decision WHERE tenant = ? AND seq = ? ORDER BY position", (tenant, seq)
    ).fetchall()
    return Unfinished(
        tenant=tenant,
        seq=seq,
        store=fields.text("store"),
        operation=fields.text("operation"),
        age_seconds=max(0, milliseconds(now) - at) / 1000,
        leaves=tuple(leaf_from(conn, text) for (text,) in leaves),
    )


def tombstones(conn: sqlite3.Connection, tenant: str) -> tuple[str, ...]:
    """The digests of every subject erased so far: replay them over a restored backup."""
    rows = conn.execute(
        "SELECT about FROM record WHERE tenant = ? AND type = 'erasure' ORDER BY seq", (tenant,)
    )
    return tuple(row[0] for row in rows)


def export(
    conn: sqlite3.Connection, tenant: str, first: int = 0, last: int | None = None
) -> Iterator[str]:
    """Records as JSON lines: ``{"hash", "leaves", "record"}``, in canonical JSON.

    Enough to verify elsewhere: ``hash`` is SHA-256 over a zero byte and ``record`` as it stands;
    an intent's ``root`` is the RFC 6962 tree over its ``leaves`` as they stand.
    """
    rows = conn.execute(
        "SELECT seq, type, at, prev, hash, body FROM record"
        " WHERE tenant = ? AND seq >= ? AND (? IS NULL OR seq <= ?) ORDER BY seq",
        (tenant, first, last, last),
    )
    for seq, kind, at, prev, digest, body in rows:
        leaves = conn.execute(
            "SELECT leaf FROM decision WHERE tenant = ? AND seq = ? ORDER BY position",
            (tenant, seq),
        )
        record = record_bytes(tenant, seq, kind, at, prev, body).decode()
        joined = ",".join(text for (text,) in leaves)
        yield f'{{"hash":"{digest.hex()}","leaves":[{joined}],"record":{record}}}'
