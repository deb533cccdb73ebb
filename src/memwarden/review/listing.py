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
    """Items by age. Ids sort by time, and ``after`` is the id of the last item before this page."""
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
    values.update(state=state.value, after=after, limit=limit)
    order = "DESC" if newest_first else "ASC"
    if after:
        conditions.append("@ < :after" if newest_first else "@ > :after")
    if wanted.rule:
        source, key = "review_rule AS r CROSS JOIN review_item AS i ON i.id = r.item", "r.item"
        conditions += ["r.tenant = :tenant", "r.rule = :rule", "r.state = :state"]
    else:
        source, key = f"review_item AS i INDEXED BY review_{_index(wanted)}", "i.id"
        conditions.append("i.state = :state")
    found = " AND ".join(conditions).replace("@", key)
    # The inner question is answered by the index alone; only the page itself is then fetched.
    sql = (
        f"SELECT {COLUMNS} FROM review_item WHERE id IN (SELECT {key} FROM {source}"  # noqa: S608
        f" WHERE {found} ORDER BY {key} {order} LIMIT :limit) ORDER BY id {order}"
    )
    return conn.execute(sql, values).fetchall()


def _index(wanted: Wanted) -> str:
    """The index to read. Named, because SQLite has no statistics here to choose by."""
    if not wanted.tenant:
        return "everywhere"
    if wanted.origin:
        return "by_origin"
    others = (wanted.store, wanted.claimed_by, wanted.critical is not None, wanted.since)
    single = [
        name for name in ("kind", "tier", "source") if getattr(wanted, name) not in ("", None)
    ]
    if len(single) == 1 and not any(others):
        return f"by_{single[0]}"
    return "by_state"


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
