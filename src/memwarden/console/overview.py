"""The overview: how much is written, what guards say of it, and reviewers of the guards."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from starlette.responses import Response

from memwarden.console import counts
from memwarden.console.charts import Chart, Column, stacked
from memwarden.console.counts.filling import DAY
from memwarden.console.moments import now
from memwarden.console.visit import Visit
from memwarden.console.words import name_of
from memwarden.model import Action


@dataclass(frozen=True, slots=True)
class Span:
    """How far back a page looks: so many slots of so many hours."""

    slots: int
    hours: int
    label: str


SPANS: Final[Mapping[str, Span]] = {
    "1d": Span(24, 1, "%H:00"),
    "7d": Span(28, 6, "%m-%d"),
    "30d": Span(30, 24, "%m-%d"),
    "90d": Span(30, 72, "%m-%d"),
}
_AGES: Final = (("day", 1), ("week", 7), ("month", 30), ("older", 10_000))


def overview_page(visit: Visit) -> Response:
    """Charts over the counters; what is new is counted first, as far as a moment allows."""
    house = visit.house
    tenants = (visit.tenant(visit.query("tenant")),) if visit.query("tenant") else visit.tenants
    chosen = visit.query("span") if visit.query("span") in SPANS else "7d"
    span = SPANS[chosen]
    progress = counts.catch_up(house.counts, house.warden.books.database)
    moment = now()
    since = int((moment - timedelta(hours=span.slots * span.hours)).timestamp() * 1000) // DAY
    with house.counts.reading() as conn:
        slots, first = _slots(conn, tenants, span, moment)
        return visit.page(
            "overview.html",
            tenants=visit.tenants,
            chosen=visit.query("tenant"),
            spans=tuple(SPANS),
            span=chosen,
            progress=progress,
            writes=_writes(visit.lang, slots, span, first),
            totals=_totals(slots),
            rules=counts.rules(conn, tenants, since),
            origins=counts.origins(conn, tenants),
            held=_held(visit, counts.held_by_day(conn, tenants), moment),
            precision=counts.precision(conn, tenants),
            latency=counts.latency(conn, tenants, since),
        )


def _slots(
    conn: sqlite3.Connection, tenants: Sequence[str], span: Span, moment: datetime
) -> tuple[dict[tuple[int, str], int], int]:
    last = int(moment.timestamp()) // 3600
    first = (last // span.hours + 1) * span.hours - span.slots * span.hours
    return counts.over_time(conn, tenants, first, span.hours), first


def _totals(slots: Mapping[tuple[int, str], int]) -> dict[str, int]:
    totals = {action.label: 0 for action in Action}
    for (_, action), n in slots.items():
        totals[action] += n
    return totals


def _writes(lang: str, slots: Mapping[tuple[int, str], int], span: Span, first: int) -> Chart:
    columns = []
    for at in range(span.slots):
        begins = datetime.fromtimestamp((first + at * span.hours) * 3600, UTC)
        parts = [
            (
                action.label,
                slots.get((at, action.label), 0),
                (
                    f"{begins:%Y-%m-%d %H:00} · {name_of(lang, 'action', action.label)}"
                    f" · {slots.get((at, action.label), 0):,}"
                ),
            )
            for action in Action
        ]
        columns.append(Column(f"{begins:{span.label}}", parts))
    return stacked(columns)


def _held(visit: Visit, days: Mapping[int, int], moment: datetime) -> Chart:
    today = int(moment.timestamp() * 1000) // DAY
    found = dict.fromkeys((name for name, _ in _AGES), 0)
    for day, n in days.items():
        found[next(name for name, most in _AGES if today - day < most)] += n
    return stacked(
        [
            Column(
                visit.say(f"overview.age.{name}"),
                [("hold", n, f"{visit.say(f'overview.age.{name}')} · {n:,}")],
            )
            for name, n in found.items()
        ],
        width=420,
        height=200,
    )
