"""A batch of updates as a plan: what every operation would store where, known before any runs.

An operation is planned on what the ones before it would have left, so that a memory cannot be
put together by several of them; what cannot be known beforehand is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, cast

from memwarden.errors import UnguardedOperation, UsageError
from memwarden.model import Part, PartRole
from memwarden.stores.qdrant.changes import Change, delete, merge, replace
from memwarden.stores.qdrant.filters import Chosen, chosen
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.held import Held, How
from memwarden.stores.qdrant.judging import Draft
from memwarden.stores.qdrant.points import PointId, point_id, points_of
from memwarden.stores.qdrant.scopes import check_scope, own_payloads
from memwarden.stores.qdrant.vectors import check_inference
from memwarden.stores.qdrant.writing import drafted
from memwarden.stores.rows.changing import UNSTAMPED
from memwarden.stores.rows.driving import Steps, work
from memwarden.stores.rows.payloads import (
    RESERVED,
    Payload,
    bare,
    marked,
    parts_of,
    plain,
    stamp_of,
)
from memwarden.warden.ports import Stored

if TYPE_CHECKING:
    from qdrant_client.http import models

    Operation = models.UpdateOperation


StoredPayload = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Turn:
    """One operation of the caller's: passed on as it is, or replaced by what its drafts become."""

    operation: Operation | None
    drafts: tuple[Draft, ...] = ()


@dataclass(slots=True)
class Plan:
    """What a batch will do.

    ``seen`` is what stored payloads will be after the operations planned so far (None: deleted),
    ``fresh`` are points whose text all comes from this batch, ``missing`` the ids that were asked
    for and do not exist.
    """

    collection: str
    turns: list[Turn] = field(default_factory=list)
    seen: dict[PointId, StoredPayload | None] = field(default_factory=dict)
    fresh: set[PointId] = field(default_factory=set)
    missing: list[PointId] = field(default_factory=list)

    @property
    def drafts(self) -> list[Draft]:
        return [draft for turn in self.turns for draft in turn.drafts]


def plan_operation(g: Guarding, plan: Plan, operation: Operation) -> Steps[None]:
    """Plan one operation of ``batch_update_points``. Raises UnguardedOperation for a kind of
    operation that this table does not know."""
    from qdrant_client.http import models

    match operation:
        case models.UpsertOperation():
            yield from _plan_upsert(g, plan, operation)
        case models.SetPayloadOperation(set_payload=one):
            yield from plan_change(g, plan, merge(one.payload, one.key), _where(one))
        case models.OverwritePayloadOperation(overwrite_payload=one):
            if one.key is not None:
                raise UnguardedOperation(
                    "overwriting a payload under a key is not known to be guarded; nothing was"
                    " written, overwrite the whole payload or set it under the key"
                )
            yield from plan_change(g, plan, replace(one.payload), _where(one))
        case models.DeletePayloadOperation(delete_payload=gone):
            yield from plan_change(g, plan, delete(gone.keys), _where(gone))
        case models.ClearPayloadOperation(clear_payload=selector):
            yield from plan_clear(g, plan, chosen(selector))
        case models.DeleteOperation():
            yield from _plan_delete(g, plan, operation)
        case models.DeleteVectorsOperation():
            yield from _plan_delete_vectors(g, plan, operation)
        case models.UpdateVectorsOperation():
            yield from _plan_vectors(g, plan, operation)
        case _:
            raise UnguardedOperation(
                f"a batch holds a {type(operation).__name__}, which memwarden does not know how"
                " to guard; nothing was written"
            )


def plan_change(g: Guarding, plan: Plan, change: Change, where: Chosen) -> Steps[None]:
    """A change of payload, for every point it reaches."""
    found = yield from _present(g, plan, where)
    drafts = yield from work(partial(_drafts, g, plan, change, found))
    for draft in drafts:
        own = {RESERVED: found[draft.id][RESERVED]} if RESERVED in found[draft.id] else {}
        plan.seen[draft.id] = {**draft.held.payload, **own}
    plan.turns.append(Turn(None, drafts))


def plan_clear(g: Guarding, plan: Plan, where: Chosen) -> Steps[None]:
    """Every field goes but the tenant's label: the point still belongs to somebody."""
    found = yield from _present(g, plan, where)
    for one in found:
        plan.seen[one] = {}
        plan.fresh.add(one)
    label = marked({}, g.tenant, None)
    plan.turns.append(Turn(overwriting(list(found), label) if found else None))


def overwriting(ids: Sequence[PointId], payload: Payload) -> models.OverwritePayloadOperation:
    """The host's operation that leaves exactly this payload."""
    from qdrant_client.http import models

    return models.OverwritePayloadOperation(
        overwrite_payload=models.SetPayload(
            payload=cast("dict[str, object]", payload),
            points=cast("list[models.ExtendedPointId]", list(ids)),
        )
    )


def _where(one: models.SetPayload | models.DeletePayload | models.DeleteVectors) -> Chosen:
    if one.points is None and one.filter is None:
        raise ValueError("No filter or points provided")
    return chosen(one.points if one.points is not None else one.filter, one.shard_key)


def _plan_upsert(g: Guarding, plan: Plan, operation: models.UpsertOperation) -> Steps[None]:
    from qdrant_client.http import models

    inserted = operation.upsert
    given = inserted.batch if isinstance(inserted, models.PointsBatch) else inserted.points
    points = points_of(given)
    yield from check_scope(g, plan.collection, [p.id for p in points], inserted.shard_key)
    start = len(plan.drafts)
    drafts = [drafted(g, plan.collection, p, start + at) for at, p in enumerate(points)]
    for point in points:
        plan.seen[point.id] = dict(point.payload)
        plan.fresh.add(point.id)
    plan.turns.append(Turn(operation, tuple(drafts)))


def _drafts(
    g: Guarding, plan: Plan, change: Change, found: Mapping[PointId, StoredPayload]
) -> tuple[Draft, ...]:
    start = len(plan.drafts)
    return tuple(
        _changed(g, plan, change, one, payload, start + at)
        for at, (one, payload) in enumerate(found.items())
    )


def _changed(
    g: Guarding, plan: Plan, change: Change, one: PointId, stored: StoredPayload, position: int
) -> Draft:
    before = bare(stored)
    after = plain(change.applied(before))
    held = Held(How.PAYLOAD, plan.collection, one, after, before=cast("Payload", dict(stored)))
    parts = parts_of(after, g.options)
    parents = () if one in plan.fresh else _parents(g, one, stored, before, parts)
    return Draft(position, held, parts, parents)


def _parents(
    g: Guarding, one: PointId, stored: StoredPayload, before: Payload, parts: Sequence[Part]
) -> tuple[str, ...]:
    """Whose text the result keeps. A writer does not vouch for what was there before."""
    old = parts_of(before, g.options)
    known = {(part.path, part.text) for part in old if part.role is not PartRole.KEY}
    if not any((part.path, part.text) in known for part in parts):
        return ()
    memory = g.session.memory(str(one), Stored(str(one), old, stamp_of(stored)))
    return (memory.decision_id if memory.stamped else UNSTAMPED,)


def _plan_delete(g: Guarding, plan: Plan, operation: models.DeleteOperation) -> Steps[None]:
    from qdrant_client.http import models

    where = chosen(operation.delete)
    if where.ids is not None:
        yield from check_scope(g, plan.collection, where.ids, where.shard_key)
        plan.seen.update(dict.fromkeys(where.ids))
        plan.turns.append(Turn(operation))
        return
    own = g.own(where.filter)
    selector = models.FilterSelector(filter=own, shard_key=operation.delete.shard_key)
    plan.turns.append(Turn(models.DeleteOperation(delete=selector)))


def _plan_delete_vectors(
    g: Guarding, plan: Plan, operation: models.DeleteVectorsOperation
) -> Steps[None]:
    from qdrant_client.http import models

    gone = operation.delete_vectors
    where = _where(gone)
    if where.ids is not None:
        yield from check_scope(g, plan.collection, where.ids, where.shard_key)
        plan.turns.append(Turn(operation))
        return
    own = gone.model_copy(update={"filter": g.own(where.filter)})
    plan.turns.append(Turn(models.DeleteVectorsOperation(delete_vectors=own)))


def _plan_vectors(g: Guarding, plan: Plan, operation: models.UpdateVectorsOperation) -> Steps[None]:
    from qdrant_client.http import models

    updated = operation.update_vectors
    yield from check_vectors(g, plan.collection, updated.points, updated.shard_key)
    own = g.own(updated.update_filter)
    ours = updated.model_copy(update={"update_filter": own})
    plan.turns.append(Turn(models.UpdateVectorsOperation(update_vectors=ours)))


def check_vectors(
    g: Guarding, collection: str, points: Sequence[object], shard_key: object
) -> Steps[None]:
    """Refuse text to be embedded: it could not be judged with the payload it belongs to."""
    from qdrant_client.http import models

    ids: list[PointId] = []
    for point in points:
        if not isinstance(point, models.PointVectors):
            raise UsageError(f"points holds a {type(point).__name__}, not a PointVectors")
        check_inference(point.vector, ())
        ids.append(point_id(point.id))
    yield from check_scope(g, collection, ids, shard_key)


def _present(g: Guarding, plan: Plan, where: Chosen) -> Steps[dict[PointId, StoredPayload]]:
    """The chosen points as they will be when their turn comes."""
    if where.ids is None:
        if plan.turns:
            raise UnguardedOperation(
                "a batch changes payloads by a filter after other changes, and what the filter"
                " would find then is not known now; nothing was written, send it on its own"
            )
        return dict((yield from own_payloads(g, plan.collection, where)))
    if not where.ids:
        raise ValueError("Empty update request")
    unseen = tuple(one for one in where.ids if one not in plan.seen)
    read = yield from own_payloads(g, plan.collection, Chosen(unseen, None, where.shard_key))
    present: dict[PointId, StoredPayload] = {}
    for one in where.ids:
        payload = plan.seen[one] if one in plan.seen else read.get(one)
        if payload is None:
            plan.missing.append(one)
        else:
            present[one] = payload
    return present
