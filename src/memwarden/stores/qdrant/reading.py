"""Reading points: the tenant's filter goes into the question, and every answer is verified.

What is withheld is replaced by what comes after it, so that limits and pages mean what they
always did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import UsageError
from memwarden.model import Memory
from memwarden.stores.qdrant.admitting import Admit, admitted, trimming, weighed
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.mentions import (
    check_mentions,
    own_prefetch,
    question_of,
    questions_of,
)
from memwarden.stores.qdrant.points import PointId, loose_id
from memwarden.stores.rows.driving import Steps, ask, work

if TYPE_CHECKING:
    from qdrant_client.http.models import QueryRequest, QueryResponse, Record, ScoredPoint

FURTHEST: Final = 5_000
"""Points that one question looks at beyond what it asked for, to fill its limit."""

_LIMIT: Final = 10
"""The host's own default."""

Fetch = Callable[[int, int], Steps[list["ScoredPoint"]]]
"""(offset, limit) to a page of points."""


def query_points(g: Guarding, call: Call) -> Steps[object]:
    """Scored points, best first. Offset and limit count what may be given out."""
    from qdrant_client.http import models

    yield from check_mentions(g, call.collection, [question_of(call.given)])
    trim = trimming(call.get("with_payload", True))
    fetch = partial(_query, narrowed(g, call.given))
    admit: Admit[ScoredPoint] = partial(admitted, g, call.collection, trim=trim)
    points = yield from filled(fetch, admit, call.get("offset") or 0, call.get("limit", _LIMIT))
    return models.QueryResponse(points=points)


def query_batch_points(g: Guarding, call: Call) -> Steps[object]:
    """The same for many questions in one call; those that need a second page ask on their own."""
    from qdrant_client.http import models

    given = call.get("requests")
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise UsageError("requests is a list of QueryRequests")
    requests = cast("Sequence[QueryRequest]", given)
    yield from check_mentions(g, call.collection, questions_of(requests))
    trims = [trimming(one.with_payload) for one in requests]
    asked = [_own_request(g, one) for one in requests]
    answers = cast(
        "list[QueryResponse]", (yield from ask(call.method, call.changed(requests=asked)))
    )
    told: list[object] = []
    for request, trim, answer in zip(requests, trims, answers, strict=True):
        arguments = narrowed(g, _as_call(call, request))
        admit: Admit[ScoredPoint] = partial(admitted, g, call.collection, trim=trim)
        points = yield from filled(
            partial(_query, arguments),
            admit,
            request.offset or 0,
            _LIMIT if request.limit is None else request.limit,
            answer.points,
        )
        told.append(models.QueryResponse(points=points))
    return told


def _own_request(g: Guarding, request: QueryRequest) -> QueryRequest:
    """A request for the first page, from the start: the offset counts what is given out."""
    limit = _LIMIT if request.limit is None else request.limit
    return request.model_copy(
        update={
            "filter": g.own(request.filter),
            "prefetch": own_prefetch(g, request.prefetch),
            "with_payload": True,
            "limit": limit + (request.offset or 0) if limit > 0 else limit,
            "offset": None,
        }
    )


def _as_call(call: Call, request: QueryRequest) -> dict[str, object]:
    """A request of a batch as the arguments of one question."""
    return {
        **call.only("collection_name", "consistency", "timeout"),
        "query": request.query,
        "using": request.using,
        "prefetch": request.prefetch,
        "query_filter": request.filter,
        "search_params": request.params,
        "with_vectors": request.with_vector or False,
        "score_threshold": request.score_threshold,
        "lookup_from": request.lookup_from,
        "shard_key_selector": request.shard_key,
    }


def narrowed(g: Guarding, given: Mapping[str, object]) -> dict[str, object]:
    """A question that looks at this tenant's points only, and at their whole payloads."""
    arguments = {name: value for name, value in given.items() if name not in ("offset", "limit")}
    arguments["query_filter"] = g.own(given.get("query_filter"))
    if given.get("prefetch") is not None:
        arguments["prefetch"] = own_prefetch(g, given["prefetch"])
    arguments["with_payload"] = True
    return arguments


def _query(arguments: Mapping[str, object], offset: int, limit: int) -> Steps[list[ScoredPoint]]:
    page: dict[str, object] = {**arguments, "limit": limit}
    if offset:
        page["offset"] = offset
    return cast("QueryResponse", (yield from ask("query_points", page))).points


def filled(
    fetch: Fetch,
    admit: Admit[ScoredPoint],
    offset: object,
    limit: object,
    first: Sequence[ScoredPoint] | None = None,
) -> Steps[list[ScoredPoint]]:
    """Pages of points until there are as many to give out as were asked for, or no more."""
    if not isinstance(limit, int) or not isinstance(offset, int) or limit < 1 or offset < 0:
        page = yield from fetch(cast("int", offset), cast("int", limit))
        return (yield from admit(page))
    wanted = offset + limit
    kept: list[ScoredPoint] = []
    seen = 0
    while True:
        size = wanted if seen == 0 else max(wanted - len(kept), limit)
        page = list(first) if first is not None and seen == 0 else (yield from fetch(seen, size))
        kept += yield from admit(page)
        seen += len(page)
        if len(kept) >= wanted or len(page) < size or seen >= wanted + FURTHEST:
            return kept[offset:wanted]


def retrieve(g: Guarding, call: Call) -> Steps[object]:
    """Points by id. Another tenant's is not found."""
    trim = trimming(call.get("with_payload", True))
    found = yield from ask(call.method, call.changed(with_payload=True))
    return (yield from admitted(g, call.collection, cast("list[Record]", found), trim))


def count(g: Guarding, call: Call) -> Steps[object]:
    """How many points there are of this tenant, those withheld from reading among them."""
    own = g.own(call.get("count_filter"))
    return (yield from ask(call.method, call.changed(count_filter=own)))


def scroll(g: Guarding, call: Call) -> Steps[object]:
    """A page of points and where the next one begins."""
    trim = trimming(call.get("with_payload", True))
    arguments = call.changed(
        scroll_filter=g.own(call.get("scroll_filter")),
        with_payload=True,
    )
    limit = call.get("limit", _LIMIT)
    if not isinstance(limit, int) or limit < 1:
        return (yield from ask(call.method, arguments))
    admit: Admit[Record] = partial(admitted, g, call.collection, trim=trim)
    if call.get("order_by") is not None:
        return (yield from _in_order(arguments, admit, limit))
    return (yield from _by_id(arguments, admit, limit))


def _by_id(
    arguments: Mapping[str, object], admit: Admit[Record], limit: int
) -> Steps[tuple[list[Record], object]]:
    """Ask for what is missing until the page is full: the next page begins where this one ends."""
    kept: list[Record] = []
    offset = arguments.get("offset")
    seen = 0
    while True:
        page, offset = yield from _scrolled(
            {**arguments, "limit": limit - len(kept), "offset": offset}
        )
        kept += yield from admit(page)
        seen += len(page)
        if len(kept) >= limit or offset is None or seen >= limit + FURTHEST:
            return kept, offset


def _in_order(
    arguments: Mapping[str, object], admit: Admit[Record], limit: int
) -> Steps[tuple[list[Record], object]]:
    """An ordered scroll has no offset, so a page that is not full is asked for again, larger."""
    size = limit
    while True:
        page, offset = yield from _scrolled({**arguments, "limit": size})
        kept = yield from admit(page)
        if len(kept) >= limit or len(page) < size or size >= limit + FURTHEST:
            return kept[:limit], offset
        size = min(2 * size + limit - len(kept), limit + FURTHEST)


def _scrolled(arguments: Mapping[str, object]) -> Steps[tuple[list[Record], object]]:
    return cast("tuple[list[Record], object]", (yield from ask("scroll", arguments)))


def memories(g: Guarding, collection: str, points: Sequence[object]) -> Steps[tuple[Memory, ...]]:
    """Points that were read, as memories for the fence: by their stamps, and only what may be
    given out. Order and scores are those of ``points``; ids may stand for points."""
    scores: dict[PointId, float | None] = {
        loose_id(getattr(one, "id", one)): getattr(one, "score", None) for one in points
    }
    found = cast(
        "list[Record]",
        (
            yield from ask(
                "retrieve",
                {"collection_name": collection, "ids": list(scores), "with_payload": True},
            )
        ),
    )
    weighing = yield from work(partial(weighed, g, collection, found))
    known = {
        loose_id(record.id): one.memory
        for record, one in zip(found, weighing, strict=True)
        if one is not None
    }
    return tuple(_scored(known[one], score) for one, score in scores.items() if one in known)


def _scored(memory: Memory, score: float | None) -> Memory:
    return memory if score is None else replace(memory, score=float(score))
