"""Answers that are no points and still tell of them: groups, facets, matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import UsageError
from memwarden.stores.qdrant.admitting import Trim, admitted, trimming
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.mentions import check_mentions, question_of
from memwarden.stores.qdrant.paths import first_field
from memwarden.stores.qdrant.points import PointId, loose_id
from memwarden.stores.qdrant.reading import narrowed
from memwarden.stores.rows.driving import Steps, ask
from memwarden.stores.rows.payloads import RESERVED

if TYPE_CHECKING:
    from qdrant_client.http.models import (
        FacetResponse,
        FacetValueHit,
        GroupsResult,
        PointGroup,
        Record,
        SearchMatrixOffsetsResponse,
        SearchMatrixPairsResponse,
        WithLookup,
    )

_ROUNDS: Final = 6
"""How often a question is asked again, twice as large, to make up for what was withheld."""

_WITNESSES: Final = 32
"""Points looked at to find one that may be given out and holds the value of a facet."""


def query_points_groups(g: Guarding, call: Call) -> Steps[object]:
    """Groups of points. A group exists by what may be given out of it."""
    from qdrant_client.http import models

    _check_key(call.get("group_by"))
    yield from check_mentions(g, call.collection, [question_of(call.given)])
    limit, size = call.number("limit", 10), call.number("group_size", 3)
    trim = trimming(call.get("with_payload", True))
    lookup, trim_lookup = _lookup(call.get("with_lookup"))
    arguments = {**narrowed(g, call.given), "with_lookup": lookup}
    asked, deep = limit, size
    for turn in range(_ROUNDS):
        given = {**arguments, "limit": asked, "group_size": deep}
        found = cast("GroupsResult", (yield from ask(call.method, given))).groups
        groups = yield from _groups(g, call.collection, found, trim)
        enough = len(groups) >= limit or len(found) < asked
        full = all(
            len(kept.hits) >= size or len(whole.hits) < deep for kept, whole in groups[:limit]
        )
        if (enough and full) or limit < 1 or size < 1 or turn == _ROUNDS - 1:
            break
        asked, deep = 2 * asked, 2 * deep
    told = [kept.model_copy(update={"hits": kept.hits[:size]}) for kept, _ in groups[:limit]]
    return models.GroupsResult(groups=(yield from _looked_up(g, lookup, told, trim_lookup)))


def _groups(
    g: Guarding, collection: str, found: Sequence[PointGroup], trim: Trim
) -> Steps[list[tuple[PointGroup, PointGroup]]]:
    """Each group that has something to give out, beside itself as the host found it."""
    kept: list[tuple[PointGroup, PointGroup]] = []
    for group in found:
        hits = yield from admitted(g, collection, group.hits, trim)
        if hits:
            kept.append((group.model_copy(update={"hits": hits}), group))
    return kept


def _lookup(given: object) -> tuple[WithLookup | None, Trim]:
    """A look-up that brings the whole payload, and what the caller wanted of it."""
    from qdrant_client.http import models

    if given is None:
        return None, trimming(None)
    asked = models.WithLookup(collection=given) if isinstance(given, str) else given
    if not isinstance(asked, models.WithLookup):
        raise UsageError(f"with_lookup is a collection or a WithLookup, not {type(given).__name__}")
    trim = trimming(True if asked.with_payload is None else asked.with_payload)
    return asked.model_copy(update={"with_payload": True}), trim


def _looked_up(
    g: Guarding, lookup: WithLookup | None, groups: Sequence[PointGroup], trim: Trim
) -> Steps[list[PointGroup]]:
    if lookup is None:
        return list(groups)
    told: list[PointGroup] = []
    for group in groups:
        found = [] if group.lookup is None else [group.lookup]
        allowed = yield from admitted(g, lookup.collection, found, trim)
        told.append(group.model_copy(update={"lookup": allowed[0] if allowed else None}))
    return told


def facet(g: Guarding, call: Call) -> Steps[object]:
    """Values of a field, each only if some memory that may be given out holds it."""
    from qdrant_client.http import models

    _check_key(call.get("key"))
    own = g.own(call.get("facet_filter"))
    limit = asked = call.number("limit", 10)
    for turn in range(_ROUNDS):
        given = call.changed(facet_filter=own, limit=asked)
        found = cast("FacetResponse", (yield from ask(call.method, given))).hits
        hits: list[FacetValueHit] = []
        for hit in found:
            witnessed = yield from _has_witness(g, call, hit)
            hits += [hit] if witnessed else []
        if len(hits) >= limit or len(found) < asked or turn == _ROUNDS - 1:
            break
        asked = 2 * asked
    return models.FacetResponse(hits=hits[:limit])


def _has_witness(g: Guarding, call: Call, hit: FacetValueHit) -> Steps[bool]:
    from qdrant_client.http import models

    own = g.own(call.get("facet_filter"))
    key = cast("str", call.get("key"))
    holds = models.FieldCondition(key=key, match=models.MatchValue(value=hit.value))
    arguments = {
        **call.only("collection_name", "shard_key_selector", "timeout"),
        "scroll_filter": models.Filter(must=[own, holds]),
        "limit": _WITNESSES,
        "with_payload": True,
    }
    points, _ = cast("tuple[list[Record], object]", (yield from ask("scroll", arguments)))
    return bool((yield from admitted(g, call.collection, points, trimming(None))))


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise UsageError("a payload field is named by a text")
    if first_field(key) == RESERVED:
        raise UsageError(f"the payload field {RESERVED!r} belongs to memwarden")


def search_matrix_pairs(g: Guarding, call: Call) -> Steps[object]:
    """Pairs of points, both of which may be given out."""
    found = cast("SearchMatrixPairsResponse", (yield from _matrix(g, call)))
    ids = {loose_id(one) for pair in found.pairs for one in (pair.a, pair.b)}
    allowed = yield from _allowed(g, call, ids)
    pairs = [p for p in found.pairs if {loose_id(p.a), loose_id(p.b)} <= allowed]
    return found.model_copy(update={"pairs": pairs})


def search_matrix_offsets(g: Guarding, call: Call) -> Steps[object]:
    """The same as a sparse matrix over the points that may be given out."""
    found = cast("SearchMatrixOffsetsResponse", (yield from _matrix(g, call)))
    allowed = yield from _allowed(g, call, {loose_id(one) for one in found.ids})
    kept = [at for at, one in enumerate(found.ids) if loose_id(one) in allowed]
    new = {old: at for at, old in enumerate(kept)}
    cells = [
        (new[row], new[column], score)
        for row, column, score in zip(
            found.offsets_row, found.offsets_col, found.scores, strict=True
        )
        if row in new and column in new
    ]
    return found.model_copy(
        update={
            "ids": [found.ids[at] for at in kept],
            "offsets_row": [row for row, _, _ in cells],
            "offsets_col": [column for _, column, _ in cells],
            "scores": [score for _, _, score in cells],
        }
    )


def _matrix(g: Guarding, call: Call) -> Steps[object]:
    own = g.own(call.get("query_filter"))
    return (yield from ask(call.method, call.changed(query_filter=own)))


def _allowed(g: Guarding, call: Call, ids: set[PointId]) -> Steps[set[PointId]]:
    arguments: Mapping[str, object] = {
        **call.only("collection_name", "shard_key_selector", "timeout"),
        "ids": sorted(ids, key=str),
        "with_payload": True,
    }
    found = cast("list[Record]", (yield from ask("retrieve", arguments))) if ids else []
    kept = yield from admitted(g, call.collection, found, trimming(None))
    return {loose_id(record.id) for record in kept}
