"""Points in every form that the client takes, as one: an id, a vector, a plain payload."""

from __future__ import annotations

import operator
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import UsageError
from memwarden.stores.rows.payloads import Payload, plain

if TYPE_CHECKING:
    from qdrant_client.http.models import PointStruct

PointId = int | str

_UUID: Final = re.compile(
    r"(?:urn:uuid:)?\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?"
)


@dataclass(frozen=True, slots=True)
class Point:
    """A point to be written. ``vector`` is whatever the caller gave; it is not memory text."""

    id: PointId
    vector: object = field(repr=False)
    payload: Payload = field(repr=False)


def point_id(given: object) -> PointId:
    """An id in its canonical form: an unsigned number, or a UUID in lower case with hyphens.

    The grammar leaves no room for text, which is why ids are not judged. Raises ValueError, as
    the client does, for anything else.
    """
    if isinstance(given, uuid.UUID):
        return str(given)
    if isinstance(given, str):
        if not _UUID.fullmatch(given):
            raise ValueError("a point id is an unsigned integer or a UUID, not another text")
        return str(uuid.UUID(given))
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        return _from_grpc(given)
    number = operator.index(given)
    if number < 0:
        raise ValueError("a point id is an unsigned integer or a UUID, not a negative number")
    return number


def _from_grpc(given: object) -> PointId:
    from qdrant_client import grpc
    from qdrant_client.conversions.conversion import GrpcToRest

    if isinstance(given, grpc.PointId):
        return point_id(GrpcToRest.convert_point_id(given))
    raise ValueError(f"a point id is an unsigned integer or a UUID, not a {type(given).__name__}")


def loose_id(given: object) -> PointId:
    """The id of a look-up: canonical where it is one, otherwise as it came, naming nothing."""
    try:
        return point_id(given)
    except ValueError:
        return given if isinstance(given, int | str) else str(given)


def points_of(given: object) -> list[Point]:
    """The points of an upsert, from a list of points or a Batch, rest or gRPC."""
    from qdrant_client.http import models

    if isinstance(given, models.Batch):
        return list(_from_batch(given.ids, given.vectors, given.payloads))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise UsageError(f"points is a list of points or a Batch, not a {type(given).__name__}")
    return [point_of(one) for one in given]


def point_of(given: object) -> Point:
    """One point from a PointStruct, a Record (as copied from another client) or a gRPC point."""
    from qdrant_client import grpc
    from qdrant_client.conversions.conversion import GrpcToRest
    from qdrant_client.http import models

    if isinstance(given, grpc.PointStruct):
        given = GrpcToRest.convert_point_struct(given)
    if not isinstance(given, models.PointStruct | models.Record):
        raise UsageError(f"a point is a PointStruct, not a {type(given).__name__}")
    vector = {} if given.vector is None else given.vector
    return Point(point_id(given.id), vector, plain(given.payload))


def _from_batch(
    ids: Sequence[object], vectors: object, payloads: Sequence[object] | None
) -> Iterator[Point]:
    rows = {"": vectors} if not isinstance(vectors, dict) else vectors
    for name, column in rows.items():
        if len(cast("Sequence[object]", column)) != len(ids):
            raise ValueError(f"a Batch has another number of vectors {name!r} than of ids")
    if payloads is not None and len(payloads) != len(ids):
        raise ValueError("a Batch has another number of payloads than of ids")
    for at, one in enumerate(ids):
        row = {name: cast("Sequence[object]", column)[at] for name, column in rows.items()}
        vector = row[""] if row.keys() == {""} else row
        yield Point(point_id(one), vector, plain(payloads[at] if payloads is not None else None))


def point_struct(one: PointId, vector: object, payload: Payload) -> PointStruct:
    """A point in the client's own form."""
    from qdrant_client.http import models

    return models.PointStruct(
        id=one,
        vector=cast("models.VectorStruct", vector),
        payload=cast("dict[str, object]", payload),
    )
