"""Which points are ours: checked before a write, because ids are shared by all tenants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import LimitExceeded, ScopeError
from memwarden.stores.qdrant.filters import Chosen
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.points import PointId, loose_id
from memwarden.stores.rows.driving import Steps, ask
from memwarden.stores.rows.payloads import RESERVED

if TYPE_CHECKING:
    from qdrant_client.http.models import CountResult, Filter, Record

_PAGE: Final = 1_000


def check_scope(
    g: Guarding, collection: str, ids: Sequence[PointId], shard_key: object = None
) -> Steps[None]:
    """Raise ScopeError if one of the ids is another tenant's point."""
    found = yield from _looked_up(collection, ids, [RESERVED], shard_key)
    check_own(g, collection, found)


def check_own(g: Guarding, collection: str, found: Sequence[Record]) -> None:
    """Raise ScopeError if one of the points is another tenant's."""
    foreign = sum(g.is_foreign(record.payload) for record in found)
    if foreign:
        raise ScopeError(
            f"{foreign} of the points asked for in {collection!r} belong to another tenant;"
            " nothing was done, use ids of your own"
        )


def own_payloads(
    g: Guarding, collection: str, chosen: Chosen
) -> Steps[dict[PointId, dict[str, object]]]:
    """The stored payloads of the chosen points, all of them ours; ids that do not exist are
    not among them. Raises ScopeError, and LimitExceeded for a filter that finds too many."""
    if chosen.ids is not None:
        found = yield from _looked_up(collection, chosen.ids, True, chosen.shard_key)
        check_own(g, collection, found)
    else:
        found = yield from _found(g, collection, chosen)
    return {loose_id(record.id): dict(record.payload or {}) for record in found}


def _looked_up(
    collection: str, ids: Sequence[PointId], payload: object, shard_key: object
) -> Steps[list[Record]]:
    found: list[Record] = []
    for start in range(0, len(ids), _PAGE):
        found += cast(
            "list[Record]",
            (
                yield from ask(
                    "retrieve",
                    {
                        "collection_name": collection,
                        "ids": list(ids[start : start + _PAGE]),
                        "with_payload": payload,
                        **_sharded(shard_key),
                    },
                )
            ),
        )
    return found


def _found(g: Guarding, collection: str, chosen: Chosen) -> Steps[list[Record]]:
    """All points that a filter finds, if they are not too many to judge before writing."""
    where = g.own(chosen.filter)
    yield from _check_number(g, collection, where, chosen.shard_key)
    found: list[Record] = []
    offset: object = None
    while True:
        records, offset = cast(
            "tuple[list[Record], object]",
            (
                yield from ask(
                    "scroll",
                    {
                        "collection_name": collection,
                        "scroll_filter": where,
                        "limit": _PAGE,
                        "offset": offset,
                        "with_payload": True,
                        **_sharded(chosen.shard_key),
                    },
                )
            ),
        )
        found += records
        if len(found) > g.options.max_filter_points:
            raise _too_many(g)
        if offset is None:
            return found


def _check_number(g: Guarding, collection: str, where: Filter, shard_key: object) -> Steps[None]:
    counted = cast(
        "CountResult",
        (
            yield from ask(
                "count",
                {
                    "collection_name": collection,
                    "count_filter": where,
                    "exact": True,
                    **_sharded(shard_key),
                },
            )
        ),
    )
    if counted.count > g.options.max_filter_points:
        raise _too_many(g)


def _too_many(g: Guarding) -> LimitExceeded:
    return LimitExceeded(
        f"the filter finds more than max_filter_points={g.options.max_filter_points} points,"
        " each of which would have to be judged; nothing was written, narrow the filter"
    )


def _sharded(shard_key: object) -> dict[str, object]:
    return {} if shard_key is None else {"shard_key_selector": shard_key}
