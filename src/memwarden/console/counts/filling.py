"""Counting: records of the ledger, in the order of the chain, into the counters."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from memwarden.console.counts.store import TABLES, Counts
from memwarden.database import Database
from memwarden.errors import UsageError
from memwarden.ledger import export, find, head_of, tenants
from memwarden.model import Action
from memwarden.review import State

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
_BATCH: Final = 2_000
_UPHELD: Final = frozenset({State.REJECTED.value})
_RELEASED: Final = frozenset(
    {State.APPROVED.value, State.APPROVED_REDACTED.value, State.EDITED.value}
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the ledger is in the counters."""

    counted: int
    records: int

    @property
    def behind(self) -> bool:
        return self.counted < self.records


@dataclass(slots=True)
class _Tally:
    """What one batch adds."""

    hours: Counter[tuple[int, str]] = field(default_factory=Counter)
    rules: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    origins: Counter[tuple[str, str]] = field(default_factory=Counter)
    blocked: Counter[tuple[str, str]] = field(default_factory=Counter)
    took: Counter[tuple[int, int]] = field(default_factory=Counter)
    held: Counter[int] = field(default_factory=Counter)


def catch_up(
    counts: Counts, database: Database, budget: timedelta = timedelta(seconds=0.1)
) -> Progress:
    """Count what is new, batch by batch, until all is counted or the time is used up."""
    ends = time.monotonic() + budget.total_seconds()
    counted = records = 0
    with database.read() as ledger:
        for tenant in tenants(ledger):
            size = head_of(ledger, tenant).size
            done = _one_tenant(counts, ledger, tenant, size, ends)
            counted, records = counted + done, records + size
    return Progress(counted, records)


def _one_tenant(
    counts: Counts, ledger: sqlite3.Connection, tenant: str, size: int, ends: float
) -> int:
    done = -1
    while done < size and (done < 0 or time.monotonic() < ends):
        done = _batch(counts, ledger, tenant, size)
    return done


def _batch(counts: Counts, ledger: sqlite3.Connection, tenant: str, size: int) -> int:
    """Count one batch; says up to where. Another process may have counted it meanwhile."""
    with counts.changing() as conn:
        first = _counted(conn, ledger, tenant)
        if first >= size:
            return first
        last = min(first + _BATCH, size) - 1
        tally, hashed = _Tally(), ""
        for line in export(ledger, tenant, first, last):
            entry = json.loads(line)
            hashed = entry["hash"]
            _count(conn, ledger, tenant, entry, tally)
        _write(conn, tenant, tally)
        conn.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?, ?)", (tenant, last + 1, hashed))
        return last + 1


def _counted(conn: sqlite3.Connection, ledger: sqlite3.Connection, tenant: str) -> int:
    """How many records are counted; none if the ledger is not the one that was counted."""
    row = conn.execute("SELECT next, hash FROM cursor WHERE tenant = ?", (tenant,)).fetchone()
    if row is None:
        return 0
    last = next(export(ledger, tenant, row[0] - 1, row[0] - 1), None)
    if last is not None and json.loads(last)["hash"] == row[1]:
        return int(row[0])
    for table in TABLES:
        conn.execute(f"DELETE FROM {table} WHERE tenant = ?", (tenant,))  # noqa: S608 fixed names
    return 0


def _count(
    conn: sqlite3.Connection,
    ledger: sqlite3.Connection,
    tenant: str,
    entry: dict[str, Any],
    tally: _Tally,
) -> None:
    record = entry["record"]
    for leaf in entry["leaves"]:
        _decision(leaf, tally)
    if record["type"] == "review":
        _review(conn, ledger, tenant, record["body"], tally)


def _decision(leaf: dict[str, Any], tally: _Tally) -> None:
    at, action = leaf["at"], leaf["action"]
    day = at // DAY
    tally.hours[at // HOUR, action] += 1
    for rule in {note["rule"] for note in leaf.get("findings", ())}:
        tally.rules[day, rule, action] += 1
    whose = (leaf.get("origin", ""), leaf["source"])
    tally.origins[whose] += 1
    tally.blocked[whose] += Action.parse(action).blocks
    tally.took[day, bucket_of(leaf.get("elapsed_us", 0))] += 1
    tally.held[day] += action == Action.HOLD.label


def _review(
    conn: sqlite3.Connection,
    ledger: sqlite3.Connection,
    tenant: str,
    body: dict[str, Any],
    tally: _Tally,
) -> None:
    """A step of the review: opens or closes an item, upholds or releases what guards said."""
    before, after = State(body["before"]), State(body["after"])
    try:
        leaf = find(ledger, tenant, body["about"]).leaf
    except UsageError:
        return
    day = int(leaf.at.timestamp() * 1000) // DAY
    tally.held[day] += int(after.open) - int(before.open)
    rules = {note.rule for note in leaf.findings}
    if after.value in _UPHELD | _RELEASED:
        _judge(conn, tenant, leaf.id, rules, after.value in _UPHELD)
    elif after is State.PENDING:
        _judge(conn, tenant, leaf.id, rules, None)


def _judge(
    conn: sqlite3.Connection, tenant: str, decision: str, rules: Iterable[str], upheld: bool | None
) -> None:
    """The last verdict on a decision counts; one that was taken back does not."""
    row = conn.execute(
        "SELECT upheld FROM verdict WHERE tenant = ? AND decision = ?", (tenant, decision)
    ).fetchone()
    was = None if row is None else bool(row[0])
    if was == upheld:
        return
    conn.execute("DELETE FROM verdict WHERE tenant = ? AND decision = ?", (tenant, decision))
    if upheld is not None:
        conn.execute("INSERT INTO verdict VALUES (?, ?, ?)", (tenant, decision, int(upheld)))
    change = (
        int(upheld is True) - int(was is True),
        int(upheld is False) - int(was is False),
    )
    conn.executemany(
        "INSERT INTO judged VALUES (?, ?, ?, ?) ON CONFLICT (tenant, rule) DO UPDATE SET"
        " upheld = upheld + excluded.upheld, released = released + excluded.released",
        [(tenant, rule, *change) for rule in rules],
    )


def _write(conn: sqlite3.Connection, tenant: str, tally: _Tally) -> None:
    _add(conn, "by_hour", tenant, [(*key, n) for key, n in tally.hours.items()])
    _add(conn, "by_rule", tenant, [(*key, n) for key, n in tally.rules.items()])
    _add(conn, "took", tenant, [(*key, n) for key, n in tally.took.items()])
    _add(conn, "held", tenant, [(day, n) for day, n in tally.held.items() if n])
    conn.executemany(
        "INSERT INTO by_origin (tenant, origin, source, n, blocked) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (tenant, origin) DO UPDATE SET n = n + excluded.n,"
        " blocked = blocked + excluded.blocked",
        [
            (tenant, origin, source, n, tally.blocked[origin, source])
            for (origin, source), n in tally.origins.items()
        ],
    )


_KEYS: Final = {
    "by_hour": "tenant, hour, action",
    "by_rule": "tenant, day, rule, action",
    "took": "tenant, day, bucket",
    "held": "tenant, day",
}


def _add(
    conn: sqlite3.Connection, table: str, tenant: str, rows: Sequence[tuple[int | str, ...]]
) -> None:
    if not rows:
        return
    marks = ", ".join("?" * (len(rows[0]) + 1))
    conn.executemany(
        f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT ({_KEYS[table]})"  # noqa: S608
        " DO UPDATE SET n = n + excluded.n",
        [(tenant, *row) for row in rows],
    )


def bucket_of(microseconds: int) -> int:
    """Buckets of a quarter of a doubling: a percentile out of them is right to 19 %."""
    if microseconds < 1:
        return 0
    whole = microseconds.bit_length() - 1
    quarter = (microseconds * 4 >> whole) - 4
    return 1 + whole * 4 + quarter


def top_of(bucket: int) -> int:
    """The microseconds that a bucket ends below."""
    if bucket < 1:
        return 1
    whole, quarter = divmod(bucket - 1, 4)
    return max(1, (5 + quarter << whole) // 4)
