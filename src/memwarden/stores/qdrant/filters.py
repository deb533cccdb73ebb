"""Filters and selectors: every question and every deletion stays inside its tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memwarden.errors import UsageError
from memwarden.stores.qdrant.points import PointId, loose_id
from memwarden.stores.rows.options import Legacy
from memwarden.stores.rows.payloads import RESERVED, STAMP, TENANT
from memwarden.warden.scope import Clause, Condition

if TYPE_CHECKING:
    from qdrant_client.http.models import Filter

LABEL: Final = f"{RESERVED}.{TENANT}"


def mine(tenant: str, legacy: Legacy, clauses: Sequence[Clause] | None = None) -> Filter:
    """Points of this tenant, and those of nobody unless they are excluded.

    ``clauses`` are what the present reader may be given: one of them must hold; None is all.
    """
    own = _labelled(tenant, legacy)
    if clauses is None:
        return own
    from qdrant_client.http import models

    readable = models.Filter(should=[_all_hold(clause) for clause in clauses])
    nothing = models.HasIdCondition(has_id=[])
    return models.Filter(must=[own, readable if clauses else nothing])


def _all_hold(clause: Clause) -> Filter:
    from qdrant_client.http import models

    return models.Filter(must=[_holds(condition) for condition in clause])


def _holds(condition: Condition) -> Filter:
    """One of the values stands in the stamp; a missing field counts as the empty one."""
    from qdrant_client.http import models

    key = f"{RESERVED}.{STAMP}.{condition.field}"
    ways: list[models.Condition] = [
        models.FieldCondition(key=key, match=models.MatchAny(any=sorted(condition.values)))
    ]
    if "" in condition.values:
        ways.append(models.IsEmptyCondition(is_empty=models.PayloadField(key=key)))
    return models.Filter(should=ways)


def _labelled(tenant: str, legacy: Legacy) -> Filter:
    from qdrant_client.http import models

    own = models.FieldCondition(key=LABEL, match=models.MatchValue(value=tenant))
    if legacy is Legacy.EXCLUDE:
        return models.Filter(must=[own])
    nobodys = models.IsEmptyCondition(is_empty=models.PayloadField(key=LABEL))
    return models.Filter(should=[own, nobodys])


def scoped(
    given: object, tenant: str, legacy: Legacy, clauses: Sequence[Clause] | None = None
) -> Filter:
    """The caller's filter, and the tenant's besides; neither can widen the other."""
    from qdrant_client.http import models

    own = mine(tenant, legacy, clauses)
    asked = as_filter(given)
    return own if asked is None else models.Filter(must=[asked, own])


def as_filter(given: object) -> Filter | None:
    """A filter in the client's own form, from rest or gRPC."""
    from qdrant_client import grpc
    from qdrant_client.conversions.conversion import GrpcToRest
    from qdrant_client.http import models

    if given is None:
        return None
    if isinstance(given, grpc.Filter):
        return GrpcToRest.convert_filter(given)
    if not isinstance(given, models.Filter):
        raise UsageError(f"a filter is a models.Filter, not a {type(given).__name__}")
    return given


@dataclass(frozen=True, slots=True)
class Chosen:
    """The points that an operation is about: by id, or by what a filter finds."""

    ids: tuple[PointId, ...] | None
    filter: Filter | None = None
    shard_key: object = None


def chosen(given: object, shard_key: object = None) -> Chosen:
    """A selector in any form that the client takes."""
    from qdrant_client import grpc
    from qdrant_client.conversions.conversion import GrpcToRest
    from qdrant_client.http import models

    if isinstance(given, grpc.PointsSelector):
        given = GrpcToRest.convert_points_selector(given)
    if isinstance(given, models.FilterSelector):
        return Chosen(None, given.filter, given.shard_key or shard_key)
    if isinstance(given, models.PointIdsList):
        return Chosen(_ids(given.points), None, given.shard_key or shard_key)
    if isinstance(given, models.Filter | grpc.Filter):
        return Chosen(None, as_filter(given), shard_key)
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise UsageError(
            f"points are chosen by a list of ids or a filter, not by a {type(given).__name__}"
        )
    return Chosen(_ids(given), None, shard_key)


def _ids(given: Sequence[object]) -> tuple[PointId, ...]:
    return tuple(loose_id(one) for one in given)
