"""Items to rows and back."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import Final

from memwarden.errors import UsageError
from memwarden.model import Action, Kind, Severity, Tier
from memwarden.review.transitions import Item, Move, State

Row = tuple[str, ...]

COLUMNS: Final = (
    "id, tenant, decision, seal, store, state, version, action, kind, tier, severity, source,"
    " origin, critical, created_at, changed_at, expires_at, claimed_by, claimed_until, verdict,"
    " decided_by, edit_seal"
)


def row_of(item: Item) -> tuple[str | int | None, ...]:
    return (
        item.id,
        item.tenant,
        item.decision,
        item.seal,
        item.store,
        item.state.value,
        item.version,
        item.action.label,
        item.kind,
        item.tier.label,
        int(item.severity),
        item.source,
        item.origin,
        int(item.critical),
        milliseconds(item.created_at),
        milliseconds(item.changed_at),
        maybe(item.expires_at),
        item.claimed_by,
        maybe(item.claimed_until) or 0,
        item.verdict or "",
        item.decided_by,
        item.edit_seal,
    )


def item_of(conn: sqlite3.Connection, row: Row) -> Item:
    rules = conn.execute("SELECT rule FROM review_rule WHERE item = ? ORDER BY rule", (row[0],))
    return Item(
        id=row[0],
        tenant=row[1],
        decision=row[2],
        seal=row[3],
        store=row[4],
        state=State(row[5]),
        version=int(row[6]),
        action=Action.parse(row[7]),
        kind=Kind(row[8]),
        tier=Tier.parse(row[9]),
        severity=Severity(int(row[10])),
        source=row[11],
        origin=row[12],
        critical=bool(row[13]),
        created_at=_moment(row[14]),
        changed_at=_moment(row[15]),
        expires_at=None if row[16] is None else _moment(row[16]),
        rules=tuple(rule for (rule,) in rules),
        claimed_by=row[17],
        claimed_until=_moment(row[18]) if row[18] else None,
        verdict=Move(row[19]) if row[19] else None,
        decided_by=row[20],
        edit_seal=row[21],
    )


def milliseconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise UsageError("a time in the queue needs a time zone")
    return round(moment.timestamp() * 1000)


def maybe(moment: datetime | None) -> int | None:
    return None if moment is None else milliseconds(moment)


def _moment(value: str | int) -> datetime:
    return datetime.fromtimestamp(int(value) / 1000, UTC)
