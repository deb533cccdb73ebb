"""Listing decisions, newest first, each filter read straight off its index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice

from memwarden.errors import UsageError
from memwarden.ledger.chain import tenants
from memwarden.ledger.reading import read_leaf, reasons_of
from memwarden.ledger.records import Leaf
from memwarden.ledger.writing import milliseconds
from memwarden.model import Action, Message


@dataclass(frozen=True, slots=True)
class Place:
    """Where a decision stands: record number and position within the envelope."""

    seq: int
    position: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A decision with its place in its tenant's chain."""

    tenant: str
    place: Place
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Filter:
    """Which decisions to list; what is empty does not restrict. ``origin`` is a digest."""

    action: Action | None = None
    origin: str = ""
    rule: str = ""
    since: datetime | None = None
    until: datetime | None = None


def tail(
    conn: sqlite3.Connection,
    tenant: str | None = None,
    where: Filter | None = None,
    *,
    limit: int = 50,
    before: Entered | None = None,
) -> Iterator[Entered]:
    """The latest decisions by the time they were made, of every tenant if none is named.

    ``before`` is the last one of an earlier answer, which this one continues (for one tenant).
    Decisions of one millisecond are in the order of the chain. A clock that was set back shows
    in this order; the chain's own is that of ``export``.
    """
    chosen = where or Filter()
    if tenant is not None:
        return islice(_tail_of(conn, tenant, chosen, before, limit), limit)
    if before is not None:
        raise UsageError("name a tenant to continue a list")
    lists = [_tail_of(conn, each, chosen, None, limit) for each in tenants(conn)]
    return islice(merge(*lists, key=lambda entered: -milliseconds(entered.leaf.at)), limit)


def _tail_of(
    conn: sqlite3.Connection, tenant: str, where: Filter, before: Entered | None, limit: int
) -> Iterator[Entered]:
    source, first = _source(where)
    conditions, values = _conditions(where, before)
    sql = (
        f"SELECT d.seq, d.position, d.leaf FROM {source}"  # noqa: S608 - fixed pieces
        f" WHERE {' AND '.join(conditions)}"
        f" ORDER BY {first}.at DESC, {first}.seq DESC, {first}.position DESC LIMIT :limit"
    ).replace("@", first)
    for seq, position, leaf in conn.execute(sql, {**values, "tenant": tenant, "limit": limit}):
        yield Entered(tenant, Place(seq, position), leaf_from(conn, leaf))


def _source(where: Filter) -> tuple[str, str]:
    """The tables to read and the one that leads. The index is named, because SQLite has no
    statistics here and would rather read the whole table in order."""
    if where.rule:
        return "rule_hit AS h CROSS JOIN decision AS d USING (tenant, seq, position)", "h"
    index = "time"
    if where.action is not None:
        index = "action"
    if where.origin:
        index = "origin"
    return f"decision AS d INDEXED BY decision_by_{index}", "d"


def _conditions(where: Filter, before: Entered | None) -> tuple[list[str], dict[str, str | int]]:
    """``@`` stands for the leading table."""
    conditions = ["@.tenant = :tenant"]
    values: dict[str, str | int] = {}
    if where.rule:
        conditions.append("h.rule = :rule")
        values["rule"] = where.rule
    if where.action is not None:
        conditions.append("d.action = :action")
        values["action"] = where.action.label
    if where.origin:
        conditions.append("d.origin = :origin")
        values["origin"] = where.origin
    if where.since is not None:
        conditions.append("@.at >= :since")
        values["since"] = milliseconds(where.since)
    if where.until is not None:
        conditions.append("@.at < :until")
        values["until"] = milliseconds(where.until)
    if before is not None:
        conditions.append("(@.at, @.seq, @.position) < (:at, :seq, :position)")
        place = before.place
        values.update(at=milliseconds(before.leaf.at), seq=place.seq, position=place.position)
    return conditions, values


def leaf_from(conn: sqlite3.Connection, text: str) -> Leaf:
    """A decision with the sentences that its findings name."""
    reasons: dict[str, Message] = {}
    for digest in reasons_of(text):
        row = conn.execute("SELECT en, zh FROM wording WHERE digest = ?", (digest,)).fetchone()
        if row is not None:
            reasons[digest] = Message(en=row[0], zh=row[1])
    return read_leaf(text, reasons)
