"""Listing the queue: one filter, pages by id, every page read straight off an index."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from memwarden.errors import UsageError
from memwarden.model import Tier
from memwarden.review.rows import COLUMNS, Row, item_of, milliseconds
from memwarden.review.transitions import OPEN_STATES, Item, State


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items to list; what is empty does not restrict. ``origin`` is a digest.

    ``states`` empty means the open ones.
    """

    tenant: str = ""
    states: tuple[State, ...] = ()
    kind: str = ""
    tier: Tier | None = None
    source: str = ""
    origin: str = ""
    rule: str = ""
    store: str = ""
    critical: bool | None = None
    claimed_by: str = ""
    since: datetime | None = None


def listed(
    conn: sqlite3.Connection,
    wanted: Wanted,
    *,
    limit: int = 50,
    after: str = "",
    newest_first: bool = False,
) -> tuple[Item, ...]:
    """Items by age. Ids sort by time, so ``after`` the id of the last item before this page."""
    pages = [
        _page(conn, wanted, state, limit=limit, after=after, newest_first=newest_first)
        for state in (wanted.states or OPEN_STATES)
    ]
    # One ordered page per state, merged: each is read straight off its index.
    rows = sorted((row for page in pages for row in page), key=lambda r: r[0], reverse=newest_first)
    return tuple(item_of(conn, row) for row in rows[:limit])


def _page(
    conn: sqlite3.Connection,
    wanted: Wanted,
    state: State,
    *,
    limit: int,
    after: str,
    newest_first: bool,
) -> list[Row]:
    conditions, values = _conditions(wanted)
    conditions.insert(0, "i.state = :state")
    values.update(state=state.value, after=after, limit=limit)
    if after:
        conditions.append("i.id < :after" if newest_first else "i.id > :after")
    source = "review_item AS i"
    if wanted.rule:
        source = "review_rule AS r CROSS JOIN review_item AS i ON i.id = r.item"
        conditions += ["r.rule = :rule", "r.tenant = :tenant", "r.state = :state"]
        conditions += [f"r.item {'<' if newest_first else '>'} :after"] if after else []
    order = ("r.item" if wanted.rule else "i.id") + (" DESC" if newest_first else "")
    columns = ", ".join(f"i.{name.strip()}" for name in COLUMNS.split(","))
    sql = (
        f"SELECT {columns} FROM {source} WHERE {' AND '.join(conditions)}"  # noqa: S608
        f" ORDER BY {order} LIMIT :limit"
    )
    return conn.execute(sql, values).fetchall()


def _conditions(wanted: Wanted) -> tuple[list[str], dict[str, str | int]]:
    if wanted.rule and not wanted.tenant:
        raise UsageError("name a tenant to list by rule")
    chosen: dict[str, str | int | None] = {
        "tenant": wanted.tenant or None,
        "kind": wanted.kind or None,
        "tier": None if wanted.tier is None else wanted.tier.label,
        "source": wanted.source or None,
        "origin": wanted.origin or None,
        "store": wanted.store or None,
        "critical": None if wanted.critical is None else int(wanted.critical),
        "claimed_by": wanted.claimed_by or None,
    }
    values = {name: value for name, value in chosen.items() if value is not None}
    conditions = [f"i.{name} = :{name}" for name in values]
    if wanted.since is not None:
        conditions.append("i.created_at >= :since")
        values["since"] = milliseconds(wanted.since)
    if wanted.rule:
        values["rule"] = wanted.rule
    return conditions, values
