"""Points that a question names: "more like this one" reads that one's vector as well.

A question about another tenant's point would tell how near it is to one's own, so it is refused.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memwarden.errors import UsageError
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.points import PointId, loose_id
from memwarden.stores.qdrant.scopes import check_scope
from memwarden.stores.rows.driving import Steps

if TYPE_CHECKING:
    from qdrant_client.http.models import Prefetch

_ONE: Final = ("nearest", "target", "example", "positive", "negative")
_INNER: Final = ("recommend", "discover", "context", "feedback", "relevance_feedback")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and where the points it names are looked up."""

    query: object
    prefetch: object
    lookup_from: object


def check_mentions(g: Guarding, collection: str, questions: Sequence[Question]) -> Steps[None]:
    """Raise ScopeError if a question names a point of another tenant."""
    named: dict[str, dict[PointId, None]] = {}
    for question in questions:
        for where, one in _mentioned(question, collection):
            named.setdefault(where, {})[one] = None
    for where, ids in named.items():
        yield from check_scope(g, where, list(ids))


def own_prefetch(g: Guarding, given: object) -> object:
    """Prefetches that look at our points only: others must not use up their limits."""
    from qdrant_client.http import models

    if given is None:
        return None
    if isinstance(given, models.Prefetch):
        return _own(g, given)
    if isinstance(given, Sequence):
        return [own_prefetch(g, one) for one in given]
    raise UsageError(f"a prefetch is a models.Prefetch, not a {type(given).__name__}")


def _own(g: Guarding, one: Prefetch) -> Prefetch:
    return one.model_copy(
        update={
            "filter": g.own(one.filter),
            "prefetch": own_prefetch(g, one.prefetch),
        }
    )


def _mentioned(question: Question, collection: str) -> Iterator[tuple[str, PointId]]:
    from qdrant_client.http import models

    where = _place(question.lookup_from) or collection
    for one in _ids(question.query):
        yield where, one
    inner = question.prefetch
    below = [inner] if isinstance(inner, models.Prefetch) else inner or ()
    if not isinstance(below, Sequence):
        raise UsageError(f"a prefetch is a models.Prefetch, not a {type(inner).__name__}")
    for one in below:
        if isinstance(one, models.Prefetch):
            deeper = Question(one.query, one.prefetch, one.lookup_from)
            yield from _mentioned(deeper, collection)


def _place(lookup: object) -> str | None:
    """The collection of a LookupLocation, rest or gRPC."""
    name = getattr(lookup, "collection", None) or getattr(lookup, "collection_name", None)
    return name if isinstance(name, str) else None


def _ids(query: object) -> Iterator[PointId]:
    """Ids wherever a query takes a vector or the id of one; lists of numbers are vectors."""
    from qdrant_client import grpc
    from qdrant_client.http import models

    if isinstance(query, bool) or query is None:
        return
    if isinstance(query, int | str | uuid.UUID | grpc.PointId):
        yield loose_id(query)
    elif isinstance(query, models.RecommendInput):
        for examples in (query.positive, query.negative):
            for one in examples or ():
                yield from _ids(one)
    elif hasattr(query, "model_fields_set"):
        for name in (*_ONE, *_INNER):
            inner = getattr(query, name, None)
            several = name in _INNER and isinstance(inner, Sequence)
            for value in inner if several and inner is not None else (inner,):
                yield from _ids(value)


def questions_of(requests: Sequence[object]) -> list[Question]:
    """The questions of a batch of QueryRequests."""
    return [
        Question(
            getattr(one, "query", None),
            getattr(one, "prefetch", None),
            getattr(one, "lookup_from", None),
        )
        for one in requests
    ]


def question_of(given: Mapping[str, object]) -> Question:
    """The question of a call."""
    return Question(given.get("query"), given.get("prefetch"), given.get("lookup_from"))
