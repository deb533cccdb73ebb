"""Searching: what is withheld is replaced by what comes after it, so that limits keep their
meaning."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeVar, cast

from langgraph.store.base import Item, SearchItem, SearchOp

from memwarden.stores.langgraph.bare import found
from memwarden.stores.rows.admitting import shown
from memwarden.stores.rows.driving import Steps, ask, work
from memwarden.stores.rows.guarding import RowGuard

I = TypeVar("I", bound=Item)  # noqa: E741 an item of either kind

FURTHEST: Final = 5_000
"""Items that one question looks at beyond what it asked for, to fill its limit."""


def shown_items(guard: RowGuard, items: Sequence[I]) -> list[I | None]:
    """Each item as it may be shown; None where it is not given out. The host's own item, which
    it may still hold in memory, is not touched."""
    answers = shown(guard, [found(item) for item in items])
    given: list[I | None] = []
    for item, answer in zip(items, answers, strict=True):
        if answer is None:
            given.append(None)
            continue
        mine = copy.copy(item)
        mine.value = dict(answer.fields)
        given.append(mine)
    return given


def searched(
    guard: RowGuard, method: str, op: SearchOp, first: Sequence[SearchItem]
) -> Steps[list[SearchItem]]:
    """Items until there are as many to give out as were asked for, or no more.

    ``first`` is the host's answer to the operation as it was asked. Offset and limit count what
    may be given out, so a question with an offset starts again from the first item.
    """
    wanted = op.offset + op.limit
    page = list(first) if op.offset == 0 else (yield from _page(method, op, 0, wanted))
    size = op.limit if op.offset == 0 else wanted
    kept: list[SearchItem] = []
    seen = 0
    while True:
        answers = yield from work(partial(shown_items, guard, page))
        kept += [one for one in answers if one is not None]
        seen += len(page)
        if len(kept) >= wanted or len(page) < size or seen >= wanted + FURTHEST:
            return kept[op.offset : wanted]
        size = max(wanted - len(kept), op.limit)
        page = yield from _page(method, op, seen, size)


def _page(method: str, op: SearchOp, offset: int, limit: int) -> Steps[list[SearchItem]]:
    asked = SearchOp(op.namespace_prefix, op.filter, limit, offset, op.query, op.refresh_ttl)
    (items,) = cast("list[list[SearchItem]]", (yield from ask(method, {"ops": [asked]})))
    return items
