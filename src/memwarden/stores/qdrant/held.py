"""What a candidate carries so that a reviewer's yes can still be carried out later."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum

from memwarden.errors import UsageError
from memwarden.stores.qdrant.points import PointId
from memwarden.stores.qdrant.vectors import packed, unpacked
from memwarden.stores.rows.payloads import Payload


class How(StrEnum):
    """How a point reaches the store: as a whole, or as a new payload of one that is there."""

    POINT = "point"
    PAYLOAD = "payload"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class Held:
    """A write that can be performed later. ``before`` is the payload it replaces, stamp and all."""

    how: How
    collection: str
    id: PointId
    payload: Payload = field(repr=False)
    vector: object = field(default=None, repr=False)
    before: Payload | None = field(default=None, repr=False)


def pack(held: Held) -> str:
    """JSON in ASCII; lone surrogates and NaN survive, because a reviewer must see what came."""
    return json.dumps(
        {
            "how": held.how.value,
            "collection": held.collection,
            "id": held.id,
            "payload": held.payload,
            "vector": packed(held.vector) if held.how is How.POINT else None,
            "before": held.before,
        },
        separators=(",", ":"),
    )


def unpack(host: str) -> Held:
    """The write that was held. Raises UsageError if ``host`` is not of this adapter's making."""
    try:
        record = json.loads(host)
        how = How(record["how"])
        return Held(
            how,
            record["collection"],
            record["id"],
            record["payload"],
            unpacked(record["vector"]) if how is How.POINT else None,
            record["before"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError("the held item was not written through a Qdrant client") from error
