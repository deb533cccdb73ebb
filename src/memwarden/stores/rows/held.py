"""What a candidate carries so that a reviewer's yes can still be carried out later."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from memwarden.errors import UsageError
from memwarden.stores.rows.payloads import Payload


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A write that can be performed later. ``before`` is what it replaces, stamp and all."""

    id: str
    fields: Payload = field(repr=False)
    namespace: tuple[str, ...] = ()
    before: Payload | None = field(default=None, repr=False)
    extra: Payload = field(default_factory=dict, repr=False)


def pack(held: HeldRow) -> str:
    """JSON in ASCII; lone surrogates and NaN survive, because a reviewer must see what came."""
    return json.dumps(
        {
            "row": held.id,
            "fields": held.fields,
            "namespace": list(held.namespace),
            "before": held.before,
            "extra": held.extra,
        },
        separators=(",", ":"),
    )


def unpack(host: str) -> HeldRow:
    """The write that was held. Raises UsageError if ``host`` was not packed here."""
    try:
        record = json.loads(host)
        return HeldRow(
            record["row"],
            record["fields"],
            tuple(record["namespace"]),
            record["before"],
            record["extra"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError("the held item was not written through an adapter of rows") from error
