"""Which stored points may be given out: nobody else's, and only what today's policy admits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from memwarden.model import Memory
from memwarden.stores.qdrant.driving import Steps, work
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.paths import excluded, included, parsed
from memwarden.stores.qdrant.payloads import Payload, bare, parts_of, stamp_of, with_texts
from memwarden.stores.qdrant.points import loose_id
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
    memories = yield from work(partial(weighed, g, collection, points))
    return [
        cast("P", point.model_copy(update={"payload": trim(_shown(point, memory))}))
        for point, memory in zip(points, memories, strict=True)
        if memory is not None
    ]


def _shown(point: Found, memory: Memory) -> Payload:
    return with_texts(bare(point.payload), memory.parts)


def weighed(g: Guarding, collection: str, points: Sequence[Found]) -> list[Memory | None]:
    """Each point as a memory by its verified stamp; None where it is not to be given out.

    What a recall finds wrong goes before the desk in the name of the collection.
    """
    memories = [None if g.is_foreign(point.payload) else _memory(g, point) for point in points]
    told = [at for at, one in enumerate(memories) if one is not None and one.parts]
    if not told:
        return memories
    asked = [cast("Memory", memories[at]) for at in told]
    answers = g.session.admit(asked, store=g.store(collection))
    for at, answer in zip(told, answers, strict=True):
        memories[at] = answer
    return memories


def _memory(g: Guarding, point: Found) -> Memory:
    one = str(loose_id(point.id))
    parts = parts_of(bare(point.payload), g.options)
    memory = g.session.memory(one, Stored(one, parts, stamp_of(point.payload)))
    score = getattr(point, "score", None)
    return memory if score is None else replace(memory, score=float(score))


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
