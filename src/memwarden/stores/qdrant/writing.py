"""Writing whole points: upsert, and the two uploads, in chunks of bounded size."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import UsageError
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.held import Held, How
from memwarden.stores.qdrant.judging import (
    Draft,
    Ruled,
    carried_out,
    judged,
    refuse_or_report,
    tell,
)
from memwarden.stores.qdrant.points import Point, point_id, point_of, point_struct, points_of
from memwarden.stores.qdrant.scopes import check_scope
from memwarden.stores.qdrant.vectors import check_inference
from memwarden.stores.rows.driving import Steps, ask
from memwarden.stores.rows.payloads import parts_of, plain
from memwarden.stores.rows.report import Report

if TYPE_CHECKING:
    from qdrant_client.http.models import PointStruct, UpdateResult

_CHUNK: Final = 256
"""Points of an upload under one recorded intent, unless the caller's batches are larger."""

CONDITIONAL: Final = "conditional: the host may have left an existing point as it was"


def upsert(g: Guarding, call: Call) -> Steps[object]:
    """Judge and write points. Returns the host's UpdateResult."""
    points = points_of(call.get("points"))
    if not points:
        return (yield from ask(call.method, call.given))
    report, answer = yield from _written(g, call, points, 0)
    tell(g, report)
    return answer if answer is not None else nothing_written()


def upload_points(g: Guarding, call: Call) -> Steps[None]:
    """Judge and write a stream of points chunk by chunk; what comes later is not yet read.

    Workers of their own (``parallel``) would import this process anew and know no warden, so the
    chunks are sent one after another.
    """
    given = call.get("points")
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise UsageError(f"points is an iterable of points, not a {type(given).__name__}")
    yield from _uploaded(g, call, (point_of(one) for one in given))


def upload_collection(g: Guarding, call: Call) -> Steps[None]:
    """The same for columns of vectors, payloads and ids; ids that are not given are made here."""
    points = _rows(call.get("vectors"), call.get("payload"), call.get("ids"))
    yield from _uploaded(g, Call("upload_points", call.given), points)


def _uploaded(g: Guarding, call: Call, points: Iterator[Point]) -> Steps[None]:
    size = max(call.number("batch_size", 64), _CHUNK)
    report = Report(call.method)
    start = 0
    while chunk := list(islice(points, size)):
        try:
            part, _ = yield from _written(g, call, chunk, start)
        finally:
            g.reports.put(report)
        report = report.plus(part)
        start += len(chunk)
    tell(g, report)


def _written(
    g: Guarding, call: Call, points: Sequence[Point], start: int
) -> Steps[tuple[Report, object]]:
    collection = call.collection
    drafts = [drafted(g, collection, point, start + at) for at, point in enumerate(points)]
    ids = [point.id for point in points]
    yield from check_scope(g, collection, ids, call.get("shard_key_selector"))
    sheets = yield from judged(g, drafts, call.method)
    report = yield from refuse_or_report(g, sheets, call.method)
    answer = yield from carried_out(g, sheets, lambda ruled: _sent(g, call, ruled), _doubt(call))
    return report, answer


def drafted(g: Guarding, collection: str, point: Point, position: int) -> Draft:
    """A point as a draft. Raises UnguardedOperation if it would be embedded unjudged."""
    parts = parts_of(point.payload, g.options)
    check_inference(point.vector, parts)
    held = Held(How.POINT, collection, point.id, point.payload, point.vector)
    return Draft(position, held, parts)


def _sent(g: Guarding, call: Call, ruled: Sequence[Ruled]) -> Steps[object]:
    """Hand the points over. The condition makes the host itself leave other tenants' points
    alone, should one have taken an id since it was looked up."""
    arguments = call.changed(
        points=structs(ruled),
        update_filter=g.own(call.get("update_filter")),
    )
    if call.method == "upload_points":
        arguments["parallel"] = 1
        for column in ("vectors", "payload", "ids"):
            arguments.pop(column, None)
    return (yield from ask(call.method, arguments))


def structs(ruled: Sequence[Ruled]) -> list[PointStruct]:
    """The points of a sheet that are written, as the host takes them."""
    return [
        point_struct(one.draft.id, one.vector, one.payload)
        for one in ruled
        if one.payload is not None
    ]


def _doubt(call: Call) -> str:
    conditional = call.get("update_filter") is not None or call.get("update_mode") is not None
    return CONDITIONAL if conditional else ""


def nothing_written() -> UpdateResult:
    """The host's own answer, for a batch of which nothing was left to write."""
    from qdrant_client.http import models

    return models.UpdateResult(operation_id=None, status=models.UpdateStatus.COMPLETED)


def _rows(vectors: object, payloads: object, ids: object) -> Iterator[Point]:
    """Points from columns. A column that is sized must have as many rows as the vectors."""
    rows, length = _vector_rows(vectors)
    for name, column in (("payload", payloads), ("ids", ids)):
        if length is not None and hasattr(column, "__len__") and len(column) < length:
            raise ValueError(f"{name} iterable is shorter than vectors iterable")
    payload_rows = repeat(None) if payloads is None else iter(cast("Iterable[object]", payloads))
    id_rows = iter(cast("Iterable[object]", ids)) if ids is not None else _new_ids()
    return _zipped(rows, payload_rows, id_rows, length)


def _zipped(
    rows: Iterator[object],
    payloads: Iterator[object],
    ids: Iterator[object],
    length: int | None,
) -> Iterator[Point]:
    """As the host does it: a stream of vectors ends with the shortest, a sized one does not."""
    done = 0
    for one, vector, payload in zip(ids, rows, payloads, strict=False):
        yield Point(point_id(one), vector, plain(payload))
        done += 1
        if done == length:
            return
    if length is not None and done < length:
        raise ValueError("ids or payload iterable is shorter than vectors iterable")


def _new_ids() -> Iterator[str]:
    while True:
        yield str(uuid.uuid4())


def _vector_rows(vectors: object) -> tuple[Iterator[object], int | None]:
    """Rows of vectors and their number, None for a stream. Arrays become lists row by row."""
    if isinstance(vectors, dict):
        lengths = {len(column) for column in vectors.values()}
        if len(lengths) > 1:
            raise ValueError("Each named vector should have the same number of vectors")
        number = lengths.pop() if lengths else 0
        return (
            {name: _listed(column[at]) for name, column in vectors.items()} for at in range(number)
        ), number
    if isinstance(vectors, str | bytes) or not isinstance(vectors, Iterable):
        raise UsageError(f"vectors is an array or an iterable, not a {type(vectors).__name__}")
    sized = isinstance(vectors, Sequence) or hasattr(vectors, "shape")
    length = len(cast("Sequence[object]", vectors)) if sized else None
    return (_listed(row) for row in vectors), length


def _listed(row: object) -> object:
    convert = getattr(row, "tolist", None)
    return convert() if callable(convert) else row
