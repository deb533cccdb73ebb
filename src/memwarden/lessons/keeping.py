"""The lessons of a tenant in the database. Functions take a transaction's connection.

What was learned lies sealed in the vault, under the key of the person that the text was about if
there is one: forgetting the person forgets the lesson. The table only says which seals to open.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from memwarden.errors import LimitExceeded
from memwarden.keys import Keyring
from memwarden.lessons.taught import Remembered, Taught
from memwarden.vault import open_seal, seal

MOST: Final = 10_000
"""Lessons of one tenant that hold at the same time."""

_PURPOSE: Final = "lesson"
_COLUMNS: Final = "id, decision, item, seal, learned_at, revoked_at"


def keep(
    conn: sqlite3.Connection,
    ring: Keyring,
    tenant: str,
    lesson: str,
    remembered: Remembered,
    *,
    decision: str,
    item: str = "",
    owner: str = "",
) -> Taught:
    """Keep a lesson. An earlier one of the same decision is revoked: this one stands for it.

    ``owner`` is the digest of the person that the text is about, "" for nobody. Raises
    LimitExceeded when the tenant has as many lessons as can be kept.
    """
    now = _now()
    conn.execute(
        "UPDATE lesson SET revoked_at = ? WHERE tenant = ? AND decision = ? AND revoked_at = 0",
        (now, tenant, decision),
    )
    (count,) = conn.execute(
        "SELECT count(*) FROM lesson WHERE tenant = ? AND revoked_at = 0", (tenant,)
    ).fetchone()
    if count >= MOST:
        raise LimitExceeded(
            f"tenant {tenant!r} has {MOST} lessons; revoke some before it learns another"
        )
    sealed = seal(
        conn,
        ring,
        tenant,
        remembered.packed(),
        seal_id=f"{lesson}.{_PURPOSE}",
        record=lesson,
        owner=owner,
    )
    conn.execute(
        f"INSERT INTO lesson (tenant, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 0)",  # noqa: S608
        (tenant, lesson, decision, item, sealed.id, now),
    )
    return _taught(tenant, lesson, decision, item, remembered, now, 0)


def revoke(conn: sqlite3.Connection, tenant: str, lesson: str) -> bool:
    """End a lesson; False if there is none of that id that still holds."""
    done = conn.execute(
        "UPDATE lesson SET revoked_at = ? WHERE tenant = ? AND id = ? AND revoked_at = 0",
        (_now(), tenant, lesson),
    )
    return done.rowcount > 0


def holding(conn: sqlite3.Connection, tenant: str, decision: str) -> str:
    """The lesson that was learned from a decision and still holds; "" if there is none."""
    row = conn.execute(
        "SELECT id FROM lesson WHERE tenant = ? AND decision = ? AND revoked_at = 0",
        (tenant, decision),
    ).fetchone()
    return "" if row is None else str(row[0])


def revision(conn: sqlite3.Connection, tenant: str) -> int:
    """Counts every change of a tenant's lessons, erasures included. 0: it never had any."""
    row = conn.execute("SELECT n FROM lesson_revision WHERE tenant = ?", (tenant,)).fetchone()
    return 0 if row is None else int(row[0])


def load(
    conn: sqlite3.Connection, ring: Keyring, tenant: str, known: Mapping[str, Remembered]
) -> dict[str, Remembered]:
    """Every lesson that holds, by id. ``known`` are those that were opened before.

    Raises VaultError for one that does not open: it was altered, and what it taught must not be
    taken for unlearned.
    """
    rows = conn.execute(
        "SELECT id, seal FROM lesson WHERE tenant = ? AND revoked_at = 0 ORDER BY id", (tenant,)
    ).fetchall()
    return {
        lesson: known.get(lesson) or Remembered.unpacked(open_seal(conn, ring, tenant, sealed))
        for lesson, sealed in rows
    }


def listed(
    conn: sqlite3.Connection, ring: Keyring, tenant: str, *, revoked: bool = False
) -> tuple[Taught, ...]:
    """The lessons of a tenant, oldest first; with ``revoked`` also those that hold no longer."""
    rows = conn.execute(
        f"SELECT {_COLUMNS} FROM lesson WHERE tenant = ? AND (revoked_at = 0 OR ?)"  # noqa: S608
        " ORDER BY learned_at, id",
        (tenant, revoked),
    ).fetchall()
    return tuple(
        _taught(
            tenant,
            lesson,
            decision,
            item,
            Remembered.unpacked(open_seal(conn, ring, tenant, sealed)),
            learned_at,
            revoked_at,
        )
        for lesson, decision, item, sealed, learned_at, revoked_at in rows
    )


def _taught(
    tenant: str,
    lesson: str,
    decision: str,
    item: str,
    remembered: Remembered,
    learned_at: int,
    revoked_at: int,
) -> Taught:
    taught = Taught(
        lesson,
        tenant,
        decision,
        item,
        remembered.hostile,
        remembered.kind,
        remembered.bound,
        remembered.confirmed,
        _moment(learned_at),
    )
    return replace(taught, revoked_at=_moment(revoked_at)) if revoked_at else taught


def _now() -> int:
    return time.time_ns() // 1_000_000


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
