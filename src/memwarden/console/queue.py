"""The queue: a page of items by filter, counts, and what came since the page was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice

from starlette.responses import Response

from memwarden import review
from memwarden.console.accounts import Role
from memwarden.console.cases import Opened, opened
from memwarden.console.filters import AGES, STATES, Asked
from memwarden.console.visit import Refused, Visit
from memwarden.errors import UsageError
from memwarden.model import KINDS, Tier
from memwarden.review import OPEN_STATES, Item, State, Wanted

_LOOKED_AT = 400
"""Items that one page opens at most, where a filter needs their text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the queue. ``after`` continues it; ``looked_at`` says how far it looked."""

    items: tuple[Opened, ...]
    after: str = ""
    looked_at: int = 0
    given_up: bool = False


def queue_page(visit: Visit) -> Response:
    """What waits, oldest first, with the filters beside it."""
    asked = _asked(visit)
    found = find(visit, asked, after=visit.query("after"))
    counts = waiting(visit, asked)
    return visit.page(
        "queue_list.html" if visit.partial else "queue.html",
        asked=asked,
        found=found,
        counts=counts,
        total=sum(counts.get(state, 0) for state in OPEN_STATES),
        newest=_newest(visit, asked),
        choices=choices(visit),
        first=not visit.query("after"),
    )


def news(visit: Visit) -> Response:
    """How many items came since the page was made: asked for by the page every few seconds."""
    asked = _asked(visit)
    known = visit.query("newest")
    fresh = [item for item in _latest(visit, asked, 50) if item.id > known]
    return visit.page("queue_news.html", asked=asked, fresh=len(fresh), newest=known)


def _asked(visit: Visit) -> Asked:
    asked = Asked.of(visit.request.query_params)
    if asked.tenant:
        visit.tenant(asked.tenant)
    if asked.rule and not asked.tenant:
        # The queue lists by rule within a tenant; one that is the only one need not be named.
        if len(visit.tenants) != 1:
            raise Refused(400, "refused.rule_needs_tenant")
        return Asked.of({**visit.request.query_params, "tenant": visit.tenants[0]})
    return asked


def find(visit: Visit, asked: Asked, *, after: str = "", limit: int | None = None) -> Found:
    """A page of items. Where text or guard are asked for, items are opened until the page is
    full or enough were looked at; the next page goes on from there."""
    most = limit or visit.house.settings.page
    last = asked.not_after()
    kept: list[Opened] = []
    looked_at = 0
    reached = after
    for item in stream(visit, asked, after=after):
        if last is not None and item.created_at > last:
            break
        if len(kept) == most or looked_at == _LOOKED_AT:
            return Found(tuple(kept), reached, looked_at, given_up=len(kept) < most)
        reached = item.id
        looked_at += 1
        one = opened(visit.house.warden, item)
        if matches(one, asked):
            kept.append(one)
    return Found(tuple(kept), "", looked_at)


def matches(one: Opened, asked: Asked) -> bool:
    """Whether an opened item is what was asked for; text is looked for as the page shows it."""
    if asked.guard and asked.guard not in one.guards:
        return False
    shown = "".join(piece.text for piece in one.main).casefold()
    return not asked.text or asked.text.casefold() in shown


def stream(visit: Visit, asked: Asked, *, after: str = "") -> Iterator[Item]:
    """The items that the index finds, oldest first, page after page."""
    many = visit.house.settings.page + 1
    while True:
        page = _page(visit, asked, after, many)
        yield from page
        if len(page) < many:
            return
        after = page[-1].id


def _page(visit: Visit, asked: Asked, after: str, limit: int) -> list[Item]:
    desk = visit.house.warden.review
    if asked.tenant or visit.account.everywhere():
        return list(desk.items(asked.wanted(asked.tenant), limit=limit, after=after))
    pages = [desk.items(asked.wanted(tenant), limit=limit, after=after) for tenant in visit.tenants]
    return list(islice(merge(*pages, key=lambda item: item.id), limit))


def _newest(visit: Visit, asked: Asked) -> str:
    latest = _latest(visit, asked, 1)
    return latest[0].id if latest else ""


def _latest(visit: Visit, asked: Asked, limit: int) -> list[Item]:
    if asked.tenant or not visit.account.everywhere():
        tenants = (asked.tenant,) if asked.tenant else visit.tenants
    else:
        tenants = ("",)
    with visit.house.warden.books.database.read() as conn:
        pages = [
            review.listed(conn, asked.wanted(tenant), limit=limit, newest_first=True)
            for tenant in tenants
        ]
    return sorted((item for page in pages for item in page), key=lambda i: i.id, reverse=True)[
        :limit
    ]


def waiting(visit: Visit, asked: Asked) -> dict[State, int]:
    """How many items are in each state, in the tenants that are looked at."""
    total: dict[State, int] = {}
    with visit.house.warden.books.database.read() as conn:
        for tenant in (asked.tenant,) if asked.tenant else visit.tenants:
            for state, count in review.counts(conn, tenant).items():
                total[state] = total.get(state, 0) + count
    return total


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer."""

    tenants: tuple[str, ...]
    states: tuple[str, ...]
    guards: tuple[str, ...]
    kinds: tuple[str, ...]
    tiers: tuple[str, ...]
    sources: tuple[str, ...]
    ages: tuple[str, ...]


def choices(visit: Visit) -> Choices:
    chain = visit.house.warden.chain
    policies = [chain.policy(name) for name in visit.tenants if name in chain.tenants]
    guards = {used.guard.name for policy in policies for used in policy.guards}
    kinds = dict.fromkeys((*KINDS, *(kind for policy in policies for kind in policy.matrix)))
    sources = sorted({source for policy in policies for source in policy.sources})
    return Choices(
        visit.tenants,
        STATES,
        tuple(sorted(guards)),
        tuple(kinds),
        tuple(tier.label for tier in sorted(Tier, reverse=True)),
        tuple(sources),
        tuple(AGES),
    )


def neighbour(visit: Visit, item: Item, asked: Asked, *, back: bool) -> str:
    """The id of the item before or after one in the queue as it is filtered; empty at its end."""
    wanted = asked.wanted(asked.tenant or item.tenant)
    with visit.house.warden.books.database.read() as conn:
        found = review.listed(conn, wanted, limit=1, after=item.id, newest_first=back)
    return found[0].id if found else ""


def one_item(visit: Visit, role: Role = Role.VIEWER) -> Item:
    """The item that an address names, if this account may see it."""
    with visit.house.warden.books.database.read() as conn:
        try:
            item = review.get(conn, visit.path("item"))
        except UsageError:
            raise Refused(404, "refused.no_item") from None
    return visit.item_for(item, role)


def of_origin(visit: Visit, item: Item, limit: int = 8) -> tuple[Item, ...]:
    """The latest other items of the same origin, whatever became of them."""
    wanted = Wanted(tenant=item.tenant, states=tuple(State), origin=item.origin)
    with visit.house.warden.books.database.read() as conn:
        found = review.listed(conn, wanted, limit=limit + 1, newest_first=True)
    return tuple(one for one in found if one.id != item.id)[:limit]
