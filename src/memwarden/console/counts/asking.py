"""Questions to the counters. Every one names the tenants that the asker may see."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from memwarden.console.counts.filling import top_of

_MINE = "tenant IN (SELECT value FROM json_each(:tenants))"


@dataclass(frozen=True, slots=True)
class RuleRow:
    """How often a rule was in a decision, and how many of these were held or rejected."""

    rule: str
    n: int
    blocked: int


@dataclass(frozen=True, slots=True)
class OriginRow:
    """One origin, by its digest. ``rate`` is between 0 and 1."""

    tenant: str
    origin: str
    source: str
    n: int
    blocked: int

    @property
    def rate(self) -> float:
        return self.blocked / self.n


@dataclass(frozen=True, slots=True)
class Precision:
    """What reviewers made of a rule's findings: kept out, or let through after all."""

    rule: str
    upheld: int
    released: int

    @property
    def precision(self) -> float:
        return self.upheld / (self.upheld + self.released)


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds that judging took: half, 95 and 99 of 100 took at most so long."""

    p50: float
    p95: float
    p99: float
    n: int


def over_time(
    conn: sqlite3.Connection, tenants: Sequence[str], first: int, hours: int
) -> dict[tuple[int, str], int]:
    """Decisions by slot and action; a slot is ``hours`` long and ``first`` an hour since 1970."""
    rows = conn.execute(
        "SELECT (hour - :first) / :hours AS slot, action, sum(n) FROM by_hour"  # noqa: S608
        f" WHERE {_MINE} AND hour >= :first GROUP BY slot, action",
        {"tenants": json.dumps(tenants), "first": first, "hours": hours},
    )
    return {(slot, action): n for slot, action, n in rows}


def rules(
    conn: sqlite3.Connection, tenants: Sequence[str], since_day: int, limit: int = 10
) -> tuple[RuleRow, ...]:
    """The rules that were in most held or rejected decisions."""
    rows = conn.execute(
        "SELECT rule, sum(n), sum(n * (action IN ('hold', 'reject'))) AS blocked"  # noqa: S608
        f" FROM by_rule WHERE {_MINE} AND day >= :day GROUP BY rule"
        " ORDER BY blocked DESC, 2 DESC, rule LIMIT :limit",
        {"tenants": json.dumps(tenants), "day": since_day, "limit": limit},
    )
    return tuple(RuleRow(*row) for row in rows)


def origins(
    conn: sqlite3.Connection, tenants: Sequence[str], limit: int = 10
) -> tuple[OriginRow, ...]:
    """The origins with the highest share of held or rejected writes, of five writes or more."""
    found: list[OriginRow] = []
    for tenant in tenants:
        rows = conn.execute(
            "SELECT tenant, origin, source, n, blocked FROM by_origin INDEXED BY by_origin_rate"
            " WHERE tenant = ? AND n >= 5 ORDER BY rate DESC, n DESC LIMIT ?",
            (tenant, limit),
        )
        found += [OriginRow(*row) for row in rows if row[4]]
    return tuple(sorted(found, key=lambda one: (-one.rate, -one.n))[:limit])


def held_by_day(conn: sqlite3.Connection, tenants: Sequence[str]) -> dict[int, int]:
    """Open items by the day (since 1970) on which they were decided to be held."""
    rows = conn.execute(
        f"SELECT day, sum(n) FROM held WHERE {_MINE} GROUP BY day HAVING sum(n) > 0",  # noqa: S608
        {"tenants": json.dumps(tenants)},
    )
    return dict(rows.fetchall())


def precision(
    conn: sqlite3.Connection, tenants: Sequence[str], limit: int = 12
) -> tuple[Precision, ...]:
    """Rules that reviewers judged most often."""
    rows = conn.execute(
        "SELECT rule, sum(upheld) AS u, sum(released) AS r FROM judged"  # noqa: S608
        f" WHERE {_MINE} GROUP BY rule HAVING u + r > 0 ORDER BY u + r DESC, rule LIMIT :limit",
        {"tenants": json.dumps(tenants), "limit": limit},
    )
    return tuple(Precision(*row) for row in rows)


def latency(conn: sqlite3.Connection, tenants: Sequence[str], since_day: int) -> Latency | None:
    """Percentiles of judging; None where nothing was judged."""
    rows = conn.execute(
        f"SELECT bucket, sum(n) FROM took WHERE {_MINE} AND day >= :day"  # noqa: S608
        " GROUP BY bucket ORDER BY bucket",
        {"tenants": json.dumps(tenants), "day": since_day},
    ).fetchall()
    total = sum(n for _, n in rows)
    if not total:
        return None
    half, most, nearly_all = (_percentile(rows, total, share) for share in (0.5, 0.95, 0.99))
    return Latency(half, most, nearly_all, n=total)


def _percentile(rows: Sequence[tuple[int, int]], total: int, share: float) -> float:
    seen = 0
    for bucket, n in rows:
        seen += n
        if seen >= share * total:
            return top_of(bucket) / 1000
    return top_of(rows[-1][0]) / 1000
