"""Which stored points may be given out: nobody else's, and only what today's policy admits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from memwarden.model import Memory
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.paths import excluded, included, parsed
from memwarden.stores.qdrant.points import loose_id
from memwarden.stores.rows.driving import Steps, work
from memwarden.stores.rows.payloads import Payload, bare, parts_of, stamp_of, with_texts
from memwarden.warden.ports import Stored

if TYPE_CHECKING:
    from qdrant_client.http.models import Record, ScoredPoint

    Found = Record | ScoredPoint

P = TypeVar("P", bound="Found")

Trim = Callable[[Payload], Payload | None]
"""A payload to the part of it that the caller asked for."""

Admit = Callable[[Sequence[P]], Steps[list[P]]]
"""Points as the host found them to those that may be given out, trimmed."""


def admitted(g: Guarding, collection: str, points: Sequence[P], trim: Trim) -> Steps[list[P]]:
    """The points that may be given out, in their order, each with the payload asked for.

    The points must have been read with their whole payload; otherwise no stamp would hold. Where
    today's policy lets a memory out only with something masked, the payload is masked.
    """
    weighing = yield from work(partial(weighed, g, collection, points))
    return [
        cast("P", point.model_copy(update={"payload": trim(one.shown)}))
        for point, one in zip(points, weighing, strict=True)
        if one is not None
    ]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A point that may be given out: as a memory, and its payload as it may be shown."""

    memory: Memory
    shown: Payload = field(repr=False)


def weighed(g: Guarding, collection: str, points: Sequence[Found]) -> list[Weighed | None]:
    """Each point by its verified stamp; None where it is not to be given out.

    What a recall finds wrong goes before the desk in the name of the collection.
    """
    found = [None if g.is_foreign(point.payload) else _weighed(g, point) for point in points]
    told = [(at, one) for at, one in enumerate(found) if one is not None and one.memory.parts]
    if not told:
        return found
    answers = g.session.admit([one.memory for _, one in told], store=g.store(collection))
    for (at, one), answer in zip(told, answers, strict=True):
        found[at] = None if answer is None else _as_answered(one, answer)
    return found


def _weighed(g: Guarding, point: Found) -> Weighed:
    one = str(loose_id(point.id))
    payload = bare(point.payload)
    memory = g.session.memory(
        one, Stored(one, parts_of(payload, g.options), stamp_of(point.payload))
    )
    score = getattr(point, "score", None)
    return Weighed(memory if score is None else replace(memory, score=float(score)), payload)


def _as_answered(one: Weighed, answer: Memory) -> Weighed:
    """Where today's policy masks something, the payload is masked with it."""
    if answer.parts == one.memory.parts:
        return Weighed(answer, one.shown)
    return Weighed(answer, with_texts(one.shown, answer.parts))


def trimming(selector: object) -> Trim:
    """What ``with_payload`` asks for. Raises ValueError, as the host does, for what is none."""
    from qdrant_client import grpc
    from qdrant_client.conversions.conversion import GrpcToRest
    from qdrant_client.http import models

    if isinstance(selector, grpc.WithPayloadSelector):
        selector = GrpcToRest.convert_with_payload_selector(selector)
    if selector is None or selector is False:
        return lambda _: None
    if selector is True:
        return lambda payload: payload
    if isinstance(selector, models.PayloadSelectorExclude):
        return partial(_excluding, _checked(selector.exclude))
    fields = selector.include if isinstance(selector, models.PayloadSelectorInclude) else selector
    if isinstance(fields, str) or not isinstance(fields, Sequence):
        raise ValueError(  # noqa: TRY004 the host's own error for this
            "with_payload must be a bool, a list of payload keys or a PayloadSelector"
        )
    return partial(_including, _checked(fields))


def _checked(paths: Sequence[str]) -> tuple[str, ...]:
    for path in paths:
        parsed(path)
    return tuple(paths)


def _including(paths: Sequence[str], payload: Payload) -> Payload:
    return included(payload, paths)


def _excluding(paths: Sequence[str], payload: Payload) -> Payload:
    return excluded(payload, paths)
