"""Listing namespaces: only those in which this tenant has something of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, cast

from langgraph.store.base import ListNamespacesOp, SearchItem, SearchOp

from memwarden.stores.langgraph.searching import shown_items
from memwarden.stores.rows.driving import Steps, ask, work
from memwarden.stores.rows.guarding import RowGuard

_MOST: Final = 10_000
_PAGE: Final = 64


def listed(
    guard: RowGuard, method: str, op: ListNamespacesOp, first: Sequence[tuple[str, ...]]
) -> Steps[list[tuple[str, ...]]]:
    """The namespaces that the caller may know of; offset and limit count those.

    A name can tell as much as a memory ("project-lay-offs"), so one that holds nothing for this
    tenant is not named.
    """
    whole = op.offset == 0 and len(first) < op.limit
    names = list(first) if whole else (yield from _all(method, op))
    own: list[tuple[str, ...]] = []
    for name in names:
        if (yield from _holds_own(guard, method, name)):
            own.append(name)
        if len(own) >= op.offset + op.limit:
            break
    return own[op.offset : op.offset + op.limit]


def _all(method: str, op: ListNamespacesOp) -> Steps[list[tuple[str, ...]]]:
    asked = op._replace(offset=0, limit=_MOST)
    (names,) = cast("list[list[tuple[str, ...]]]", (yield from ask(method, {"ops": [asked]})))
    return names


def _holds_own(guard: RowGuard, method: str, name: tuple[str, ...]) -> Steps[bool]:
    offset = 0
    while True:
        op = SearchOp(name, limit=_PAGE, offset=offset, refresh_ttl=False)
        (page,) = cast("list[list[SearchItem]]", (yield from ask(method, {"ops": [op]})))
        answers = yield from work(partial(shown_items, guard, page))
        if any(one is not None for one in answers):
            return True
        offset += len(page)
        if len(page) < _PAGE:
            return False
