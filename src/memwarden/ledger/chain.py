"""Appending: one record onto a tenant's chain, inside the caller's transaction.

The head is read in the same transaction that moves it, so several processes may append.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from memwarden.errors import UnknownTenant, UsageError
from memwarden.ledger.canonical import GENESIS, record_bytes
from memwarden.ledger.merkle import leaf_hash, push, root_of_peaks, split_packed
from memwarden.ledger.records import Body, Entry, Intent, Leaf, Outcomes
from memwarden.ledger.writing import body_text, leaf_text, milliseconds, wording_digest


@dataclass(frozen=True, slots=True)
class Head:
    """Where a tenant's chain stands: its length, its last hash and the peaks of its tree."""

    size: int
    last: bytes
    peaks: tuple[bytes, ...]

    @property
    def root(self) -> bytes:
        return root_of_peaks(self.peaks)


def head_of(conn: sqlite3.Connection, tenant: str) -> Head:
    """The head as the file has it; that of an empty chain if the tenant has none."""
    row = conn.execute("SELECT size, head, peaks FROM chain WHERE tenant = ?", (tenant,)).fetchone()
    return (
        Head(0, GENESIS, ()) if row is None else Head(row[0], row[1], tuple(split_packed(row[2])))
    )


def tenants(conn: sqlite3.Connection) -> tuple[str, ...]:
    """Every tenant that has a chain."""
    return tuple(row[0] for row in conn.execute("SELECT tenant FROM chain ORDER BY tenant"))


def claimed(conn: sqlite3.Connection) -> tuple[str, ...]:
    """Every tenant that has a chain, records or decisions: to verify is to ask for those, too,
    whose head was taken away. Reads whole indexes."""
    rows = conn.execute(
        "SELECT tenant FROM chain UNION SELECT tenant FROM record UNION SELECT tenant FROM decision"
        " ORDER BY tenant"
    )
    return tuple(row[0] for row in rows)


def append(conn: sqlite3.Connection, tenant: str, body: Body, now: datetime) -> Entry:
    """Append a record; it is durable when the transaction is.

    Raises UsageError for an envelope without decisions, and for a receipt whose envelope is
    unknown, already has one, or whose outcomes do not answer exactly the decisions that stored.
    """
    if not tenant:
        raise UnknownTenant("the tenant's name is missing")
    if isinstance(body, Outcomes):
        _settle(conn, tenant, body)
    texts = _leaf_texts(body)
    text = body_text(body, texts)
    head = head_of(conn, tenant)
    at = milliseconds(now)
    record = record_bytes(tenant, head.size, body.type, at, head.last, text)
    entry = Entry(tenant, head.size, leaf_hash(record))
    conn.execute(
        "INSERT INTO record (tenant, seq, type, at, prev, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (tenant, entry.seq, body.type.value, at, head.last, entry.hash, text),
    )
    _move_head(conn, head, entry)
    if isinstance(body, Intent):
        _add_leaves(conn, entry, body, texts, at)
    return entry


def _leaf_texts(body: Body) -> tuple[str, ...]:
    if not isinstance(body, Intent):
        return ()
    if not body.leaves:
        raise UsageError("an intent without decisions says nothing; do not record it")
    return tuple(leaf_text(leaf) for leaf in body.leaves)


def _move_head(conn: sqlite3.Connection, head: Head, entry: Entry) -> None:
    peaks = list(head.peaks)
    for level, place, root in push(peaks, head.size, entry.hash):
        conn.execute(
            "INSERT INTO tile (tenant, level, place, hash) VALUES (?, ?, ?, ?)",
            (entry.tenant, level, place, root),
        )
    conn.execute(
        "INSERT INTO chain (tenant, size, head, peaks) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (tenant) DO UPDATE SET"
        " size = excluded.size, head = excluded.head, peaks = excluded.peaks",
        (entry.tenant, head.size + 1, entry.hash, b"".join(peaks)),
    )


def _add_leaves(
    conn: sqlite3.Connection, entry: Entry, intent: Intent, texts: tuple[str, ...], at: int
) -> None:
    conn.executemany(
        "INSERT INTO decision (tenant, seq, position, leaf) VALUES (?, ?, ?, ?)",
        ((entry.tenant, entry.seq, position, text) for position, text in enumerate(texts)),
    )
    for position, leaf in enumerate(intent.leaves):
        _index_leaf(conn, entry, position, leaf)
    stored = [position for position, leaf in enumerate(intent.leaves) if leaf.action.stores]
    if stored:
        conn.execute(
            "INSERT INTO unfinished (tenant, seq, at, positions) VALUES (?, ?, ?, ?)",
            (entry.tenant, entry.seq, at, " ".join(map(str, stored))),
        )


def _index_leaf(conn: sqlite3.Connection, entry: Entry, position: int, leaf: Leaf) -> None:
    where = (entry.seq, position)
    for parent in set(leaf.derived_from):
        conn.execute(
            "INSERT INTO derived (tenant, parent, seq, position) VALUES (?, ?, ?, ?)",
            (entry.tenant, parent, *where),
        )
    for rule in {note.rule for note in leaf.findings}:
        conn.execute(
            "INSERT INTO rule_hit (tenant, rule, at, seq, position) VALUES (?, ?, ?, ?, ?)",
            (entry.tenant, rule, milliseconds(leaf.at), *where),
        )
    for reason in {note.reason for note in leaf.findings}:
        conn.execute(
            "INSERT OR IGNORE INTO wording (digest, en, zh) VALUES (?, ?, ?)",
            (wording_digest(reason), reason.en, reason.zh),
        )


def _settle(conn: sqlite3.Connection, tenant: str, receipt: Outcomes) -> None:
    """Close the envelope that a receipt answers, if it answers it completely and for once."""
    row = conn.execute(
        "DELETE FROM unfinished WHERE tenant = ? AND seq = ? RETURNING positions",
        (tenant, receipt.intent),
    ).fetchone()
    if row is None:
        raise UsageError(f"envelope {receipt.intent} of {tenant!r} awaits no receipt")
    expected = [int(position) for position in row[0].split()]
    answered = sorted(outcome.position for outcome in receipt.outcomes)
    if expected != answered:
        raise UsageError(
            f"the receipt of envelope {receipt.intent} must answer each decision that stores "
            f"exactly once: {len(expected)} of them, {len(answered)} answered"
        )
