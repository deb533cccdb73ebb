"""Changing what is stored: payloads, vectors and deletions, one by one or as a batch.

The whole plan is judged, and only then does the host get one call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as altered
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import UsageError
from memwarden.stores.qdrant.changes import Kind, delete, merge, replace
from memwarden.stores.qdrant.filters import chosen
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.judging import (
    Ruled,
    Sheet,
    judged,
    not_stored,
    refuse_or_report,
    stored,
    tell,
)
from memwarden.stores.qdrant.planning import (
    Plan,
    Turn,
    check_vectors,
    overwriting,
    plan_change,
    plan_clear,
    plan_operation,
)
from memwarden.stores.qdrant.scopes import check_scope
from memwarden.stores.qdrant.writing import nothing_written, structs
from memwarden.stores.rows.driving import Steps, ask
from memwarden.stores.rows.payloads import marked

if TYPE_CHECKING:
    from qdrant_client.http import models

    Operation = models.UpdateOperation

_SHARED: Final = ("collection_name", "wait", "ordering", "timeout")


def batch_update_points(g: Guarding, call: Call) -> Steps[object]:
    """Judge the results of all operations, then let the host perform them in one call.

    Returns one UpdateResult per operation, in order.
    """
    given = call.get("update_operations")
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise UsageError("update_operations is a list of operations")
    if not given:
        return (yield from ask(call.method, call.given))
    plan = Plan(call.collection)
    for operation in given:
        yield from plan_operation(g, plan, cast("Operation", operation))
    return (yield from _performed(g, plan, call))


def change_payload(g: Guarding, call: Call) -> Steps[object]:
    """``set_payload``, ``overwrite_payload`` and ``delete_payload``: a batch of one."""
    if call.method == Kind.MERGE:
        change = merge(call.get("payload"), call.get("key"))
    elif call.method == Kind.REPLACE:
        change = replace(call.get("payload"))
    else:
        change = delete(call.get("keys"))
    plan = Plan(call.collection)
    where = chosen(call.get("points"), call.get("shard_key_selector"))
    yield from plan_change(g, plan, change, where)
    return (yield from _performed(g, plan, call))[0]


def clear_payload(g: Guarding, call: Call) -> Steps[object]:
    """Take every field away but the tenant's label."""
    plan = Plan(call.collection)
    where = chosen(call.get("points_selector"), call.get("shard_key_selector"))
    yield from plan_clear(g, plan, where)
    return (yield from _performed(g, plan, call))[0]


def update_vectors(g: Guarding, call: Call) -> Steps[object]:
    """New vectors for points of ours."""
    points = call.get("points")
    if isinstance(points, str | bytes) or not isinstance(points, Sequence):
        raise UsageError("points is a list of PointVectors")
    yield from check_vectors(g, call.collection, points, call.get("shard_key_selector"))
    own = g.own(call.get("update_filter"))
    return (yield from ask(call.method, call.changed(update_filter=own)))


def delete_points(g: Guarding, call: Call) -> Steps[object]:
    """``delete``: points of ours and nobody else's."""
    return (yield from _selected(g, call, "points_selector"))


def delete_vectors(g: Guarding, call: Call) -> Steps[object]:
    """``delete_vectors``: those of our own points."""
    return (yield from _selected(g, call, "points"))


def _selected(g: Guarding, call: Call, argument: str) -> Steps[object]:
    where = chosen(call.get(argument), call.get("shard_key_selector"))
    if where.ids is None:
        own = g.own(where.filter)
        return (yield from ask(call.method, call.changed(**{argument: own})))
    yield from check_scope(g, call.collection, where.ids, where.shard_key)
    return (yield from ask(call.method, call.given))


def _performed(g: Guarding, plan: Plan, call: Call) -> Steps[list[object]]:
    """Judge the plan, give it to the host in one call, and record what came of it."""
    sheets = yield from judged(g, plan.drafts, call.method)
    if call.method == Kind.DELETE:
        sheets = [_less_is_kept(g, sheet) for sheet in sheets]
    report = yield from refuse_or_report(g, sheets, call.method)
    ruled = {id(one.draft): one for sheet in sheets for one in sheet.ruled}
    turns = [_operations(g, turn, [ruled[id(d)] for d in turn.drafts]) for turn in plan.turns]
    try:
        answers = yield from _sent(turns, call.only(*_SHARED))
    except Exception as error:
        yield from not_stored(g, sheets, f"the host raised {type(error).__name__}")
        raise
    for sheet in sheets:
        yield from stored(g, sheet)
    tell(g, report)
    yield from _miss(plan)
    return answers


def _less_is_kept(g: Guarding, sheet: Sheet) -> Sheet:
    """A deletion is never refused: what policy would not store again today stays without its
    stamp, and so counts as untrusted."""
    return altered(
        sheet,
        ruled=tuple(
            altered(one, payload=marked(one.draft.held.payload, g.tenant, None))
            if one.payload is None
            else one
            for one in sheet.ruled
        ),
    )


def _sent(turns: Sequence[list[Operation]], shared: Mapping[str, object]) -> Steps[list[object]]:
    """The host's answer for each turn: that of its last operation."""
    operations = [operation for turn in turns for operation in turn]
    if not operations:
        return [nothing_written() for _ in turns]
    arguments = {**shared, "update_operations": operations}
    answers = cast("list[object]", (yield from ask("batch_update_points", arguments)))
    told: list[object] = []
    at = 0
    for turn in turns:
        at += len(turn)
        told.append(answers[at - 1] if turn else nothing_written())
    return told


def _operations(g: Guarding, turn: Turn, ruled: Sequence[Ruled]) -> list[Operation]:
    from qdrant_client.http import models

    if not turn.drafts:
        return [] if turn.operation is None else [turn.operation]
    if isinstance(turn.operation, models.UpsertOperation):
        points = structs(ruled)
        return [_upserting(g, turn.operation, points)] if points else []
    return [overwriting([one.draft.id], one.payload) for one in ruled if one.payload is not None]


def _upserting(
    g: Guarding, given: models.UpsertOperation, points: list[models.PointStruct]
) -> models.UpsertOperation:
    from qdrant_client.http import models

    inserted = given.upsert
    ours = models.PointsList(points=points, shard_key=inserted.shard_key)
    own = g.own(inserted.update_filter)
    conditions: dict[str, object] = {"update_filter": own}
    if getattr(inserted, "update_mode", None) is not None:
        conditions["update_mode"] = inserted.update_mode
    return models.UpsertOperation(upsert=ours.model_copy(update=conditions))


def _miss(plan: Plan) -> Steps[None]:
    """Where an id did not exist, let the host say so in its own way: merging nothing into it."""
    if plan.missing:
        arguments = {
            "collection_name": plan.collection,
            "payload": {},
            "points": [plan.missing[0]],
        }
        yield from ask("set_payload", arguments)
