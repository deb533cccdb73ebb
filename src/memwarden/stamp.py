"""The stamp that a stored memory carries, and the MAC that makes it worth believing.

The MAC covers the tenant, the memory's id, the text and every field of the stamp, so a stamp
cannot be moved to another memory, tenant or text, nor one field changed. Pure, given the key.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memwarden.errors import UsageError
from memwarden.keys import keyed_digest, pack
from memwarden.model import Influence, Kind, Part, Sensitivity, Tier

_VERSION: Final = 1
_MAC_HEX: Final = 64

SOURCE: Final = "src"
WRITER: Final = "by"
SUBJECT: Final = "who"
PLACE: Final = "ns"
"""Fields that a store can ask for in its own query, so that a reader finds only their own."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What memwarden says of a stored memory. Times have a zone and whole milliseconds.

    ``origin`` is the digest of source and principal; ``source`` the policy's word for the source,
    so that a recall can say who said it without asking the ledger. ``writer``, ``subject`` and
    ``place`` are the digests of the principal, of the person it is about and of the namespace,
    empty where there is none: a recall asks for them before anything else.
    """

    tier: Tier
    kind: Kind
    sensitivity: Sensitivity
    influence: Influence
    origin: str
    decision_id: str
    stored_at: datetime
    valid_until: datetime | None = None
    source: str = ""
    writer: str = ""
    subject: str = ""
    place: str = ""

    def valid_at(self, now: datetime) -> bool:
        """Whether the memory has not yet passed the end of its life."""
        return self.valid_until is None or now < self.valid_until


StampFields = dict[str, str | int | None]
"""A stamp as a store keeps it: a flat object of short keys, strings and integers."""


def text_digest(key: bytes, parts: Iterable[Part]) -> str:
    """The keyed digest of a memory's parts, whatever order the host hands them over in."""
    fields = [
        field for path, text in sorted((p.path, p.text) for p in parts) for field in (path, text)
    ]
    return keyed_digest(key, "stamped text", *fields)


def make(
    key: bytes, stamp: Stamp, *, tenant: str, memory_id: str, parts: Iterable[Part]
) -> StampFields:
    """The stamp with its MAC, ready to be stored beside the memory.

    ``memory_id`` is empty where the host names a memory only after storing it; such a stamp binds
    the text alone, and must be verified with an empty id as well.
    """
    fields: StampFields = {
        "v": _VERSION,
        "tier": stamp.tier.label,
        "kind": stamp.kind,
        "sens": stamp.sensitivity.label,
        "infl": stamp.influence.label,
        "orig": stamp.origin,
        SOURCE: stamp.source,
        WRITER: stamp.writer,
        SUBJECT: stamp.subject,
        PLACE: stamp.place,
        "dec": stamp.decision_id,
        "at": _milliseconds(stamp.stored_at),
        "until": None if stamp.valid_until is None else _milliseconds(stamp.valid_until),
    }
    return {**fields, "mac": _mac(key, fields, tenant, memory_id, text_digest(key, parts))}


def verify(
    key: bytes,
    fields: Mapping[str, object],
    *,
    tenant: str,
    memory_id: str,
    parts: Iterable[Part],
) -> Stamp | None:
    """The stamp if it is whole, ours and about this very memory; otherwise None.

    None is the answer to every doubt: such a memory counts as untrusted.
    """
    try:
        known = _typed(fields)
        given = known.pop("mac")
        if not isinstance(given, str) or len(given) != _MAC_HEX:
            return None
        wanted = _mac(key, known, tenant, memory_id, text_digest(key, parts))
        if not hmac.compare_digest(wanted.encode(), given.encode("utf-8", "replace")):
            return None
        return _stamp(known)
    except (KeyError, ValueError, OverflowError, UsageError):
        return None


_NAMES: Final = frozenset(
    (
        "v",
        "tier",
        "kind",
        "sens",
        "infl",
        "orig",
        SOURCE,
        WRITER,
        SUBJECT,
        PLACE,
        "dec",
        "at",
        "until",
        "mac",
    )
)


def _typed(fields: Mapping[str, object]) -> StampFields:
    """The fields if exactly the known ones are there with known types; ValueError otherwise."""
    if fields.keys() != _NAMES:
        raise ValueError("a stamp has other fields")
    known: StampFields = {}
    for name, value in fields.items():
        # bool is an int to Python but not to a store; a float is what some stores make of an int.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not (value is None or (isinstance(value, str | int) and not isinstance(value, bool))):
            raise ValueError("a stamp's field has another type")
        known[name] = value
    return known


def _stamp(fields: StampFields) -> Stamp:
    until = fields["until"]
    if fields["v"] != _VERSION:
        raise ValueError("a stamp of another version")
    return Stamp(
        tier=Tier.parse(str(fields["tier"])),
        kind=Kind(str(fields["kind"])),
        sensitivity=Sensitivity.parse(str(fields["sens"])),
        influence=Influence.parse(str(fields["infl"])),
        origin=str(fields["orig"]),
        decision_id=str(fields["dec"]),
        stored_at=_moment(fields["at"]),
        valid_until=None if until is None else _moment(until),
        source=str(fields[SOURCE]),
        writer=str(fields[WRITER]),
        subject=str(fields[SUBJECT]),
        place=str(fields[PLACE]),
    )


def _mac(key: bytes, fields: StampFields, tenant: str, memory_id: str, text: str) -> str:
    # A type letter before each value keeps 1 and "1" apart.
    written = [
        item
        for name in sorted(fields)
        for item in (name, f"{type(fields[name]).__name__[0]}:{fields[name]}")
    ]
    message = pack(("memwarden stamp", tenant, memory_id, text, *written))
    return hmac.digest(key, message, "sha256").hex()


def _milliseconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise UsageError("a stamp's time needs a time zone")
    return round(moment.timestamp() * 1000)


def _moment(value: str | int | None) -> datetime:
    if not isinstance(value, int):
        raise ValueError("a stamp's time is not a number")  # noqa: TRY004 - one doubt, one answer
    return datetime.fromtimestamp(value / 1000, UTC)
