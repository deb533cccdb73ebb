"""The queue in SQL: putting in, claiming, moving. Functions take a transaction's connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memwarden.errors import LimitExceeded, ReviewConflict, UsageError
from memwarden.review.rows import COLUMNS, item_of, maybe, milliseconds, row_of
from memwarden.review.transitions import (
    OPEN_STATES,
    Item,
    Move,
    State,
    Transition,
    claim,
    make_move,
    release,
)


@dataclass(frozen=True, slots=True)
class Quota:
    """How many items of one origin and of one tenant may be open at once."""

    per_origin: int
    per_tenant: int


def enqueue(conn: sqlite3.Connection, item: Item, quota: Quota | None = None) -> Item:
    """Put an item into the queue. Raises LimitExceeded if a quota is full: refuse the write then.

    Items that are already settled (a rejection that can be restored) count against no quota.
    """
    if quota is not None and item.state.open:
        _check_quota(conn, item, quota)
    conn.execute(
        f"INSERT INTO review_item ({COLUMNS}) VALUES ({', '.join('?' * 22)})",  # noqa: S608
        row_of(item),
    )
    conn.executemany(
        "INSERT OR IGNORE INTO review_rule (tenant, rule, state, item) VALUES (?, ?, ?, ?)",
        ((item.tenant, rule, item.state.value, item.id) for rule in item.rules),
    )
    return item


def _check_quota(conn: sqlite3.Connection, item: Item, quota: Quota) -> None:
    for origin, limit, whose in (
        (item.origin, quota.per_origin, "this origin"),
        ("", quota.per_tenant, f"tenant {item.tenant!r}"),
    ):
        if _open_count(conn, item.tenant, origin) >= limit:
            raise LimitExceeded(
                f"{limit} items of {whose} wait for review already; the write is refused until "
                "some are decided",
                (item.decision,),
            )


def _open_count(conn: sqlite3.Connection, tenant: str, origin: str) -> int:
    marks = ", ".join("?" * len(OPEN_STATES))
    row = conn.execute(
        f"SELECT coalesce(sum(n), 0) FROM review_count WHERE tenant = ? AND state IN ({marks})"  # noqa: S608
        " AND origin = ?",
        (tenant, *OPEN_STATES, origin),
    ).fetchone()
    return int(row[0])


def counts(conn: sqlite3.Connection, tenant: str, origin: str = "") -> dict[State, int]:
    """How many items of a tenant, or of one origin of it, are in each state."""
    rows = conn.execute(
        "SELECT state, n FROM review_count WHERE tenant = ? AND origin = ? AND n > 0",
        (tenant, origin),
    )
    return {State(state): n for state, n in rows}


def get(conn: sqlite3.Connection, item_id: str) -> Item:
    """One item. Raises UsageError if there is none of that id."""
    row = conn.execute(
        f"SELECT {COLUMNS} FROM review_item WHERE id = ?",  # noqa: S608 - fixed columns
        (item_id,),
    ).fetchone()
    if row is None:
        raise UsageError(f"there is no review item {item_id!r}")
    return item_of(conn, row)


def of_decision(conn: sqlite3.Connection, tenant: str, decision: str) -> Item | None:
    """The item of a decision, if it was ever put into the queue."""
    row = conn.execute(
        f"SELECT {COLUMNS} FROM review_item WHERE tenant = ? AND decision = ?",  # noqa: S608
        (tenant, decision),
    ).fetchone()
    return None if row is None else item_of(conn, row)


def move(
    conn: sqlite3.Connection,
    item_id: str,
    version: int,
    what: Move,
    actor: str,
    now: datetime,
    *,
    edit_seal: str = "",
) -> Transition:
    """Make a move on the item as the actor saw it. Record the transition in the ledger as well.

    Raises ReviewConflict if somebody changed the item since ``version``, or if the transition
    table does not allow the move.
    """
    item = _seen(conn, item_id, version)
    made = make_move(item, what, actor, now, edit_seal=edit_seal)
    return replace(made, after=_store(conn, made.after))


def take(
    conn: sqlite3.Connection,
    item_id: str,
    version: int,
    actor: str,
    now: datetime,
    lease: timedelta = timedelta(minutes=10),
) -> Item:
    """Claim an item."""
    return _store(conn, claim(_seen(conn, item_id, version), actor, now, lease))


def give_back(
    conn: sqlite3.Connection, item_id: str, version: int, actor: str, now: datetime
) -> Item:
    """Give up a claim."""
    return _store(conn, release(_seen(conn, item_id, version), actor, now))


def expire_due(
    conn: sqlite3.Connection, now: datetime, *, limit: int = 500
) -> tuple[Transition, ...]:
    """Expire what nobody decided in time; call again while it returns ``limit`` of them."""
    rows = conn.execute(
        f"SELECT {COLUMNS} FROM review_item WHERE expires_at <= ?"  # noqa: S608 - fixed columns
        " AND state IN ('pending', 'awaiting_second') ORDER BY expires_at LIMIT ?",
        (milliseconds(now), limit),
    ).fetchall()
    return tuple(_moved(conn, item_of(conn, row), Move.EXPIRE, now) for row in rows)


def _moved(conn: sqlite3.Connection, item: Item, what: Move, now: datetime) -> Transition:
    made = make_move(item, what, "", now)
    return replace(made, after=_store(conn, made.after))


def bulk(
    conn: sqlite3.Connection,
    seen: Iterable[tuple[str, int]],
    what: Move,
    actor: str,
    now: datetime,
    *,
    on_conflict: Callable[[str, ReviewConflict], None],
) -> tuple[Transition, ...]:
    """One verdict for many items, each as it was seen; what has changed meanwhile is reported."""
    made: list[Transition] = []
    for item_id, version in seen:
        try:
            made.append(move(conn, item_id, version, what, actor, now))
        except ReviewConflict as conflict:
            on_conflict(item_id, conflict)
    return tuple(made)


def _seen(conn: sqlite3.Connection, item_id: str, version: int) -> Item:
    item = get(conn, item_id)
    if item.version != version:
        raise ReviewConflict(
            f"item {item_id} was changed by somebody else meanwhile (version {item.version}, you "
            f"saw {version}); look again"
        )
    return item


def _store(conn: sqlite3.Connection, item: Item) -> Item:
    changed = replace(item, version=item.version + 1)
    conn.execute(
        "UPDATE review_item SET state = ?, version = ?, changed_at = ?, expires_at = ?,"
        " claimed_by = ?, claimed_until = ?, verdict = ?, decided_by = ?, edit_seal = ?"
        " WHERE id = ? AND version = ?",
        (
            changed.state.value,
            changed.version,
            milliseconds(changed.changed_at),
            maybe(changed.expires_at),
            changed.claimed_by,
            maybe(changed.claimed_until) or 0,
            changed.verdict or "",
            changed.decided_by,
            changed.edit_seal,
            changed.id,
            item.version,
        ),
    )
    return changed
