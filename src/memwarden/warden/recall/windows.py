"""What a stored memory is worth today, and the plain limits on giving it out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden import stamp
from memwarden.model import Influence, Memory, Origin, Policy, Sensitivity, Tier
from memwarden.stamp import Stamp
from memwarden.warden.ports import Stored


class Withheld(StrEnum):
    """Why a stored memory is not given out."""

    OUT_OF_SCOPE = "out of the reader's scope"
    HONEYTOKEN = "a honeytoken"
    EXPIRED = "expired"
    TOO_SENSITIVE = "too sensitive"
    BELOW_FLOOR = "below the tier floor"
    REVOKED = "its origin was revoked"
    REFUSED = "refused by a reviewer"
    NO_LONGER_ALLOWED = "no longer allowed by policy"
    DIVERGING = "would have the agent do otherwise than the others"
    CROWDING = "more than one origin's share"


@dataclass(frozen=True, slots=True)
class Admission:
    """A memory, and the reason it is withheld; None where it may be given out."""

    memory: Memory
    withheld: Withheld | None


def memory_of(stored: Stored, said: Stamp | None) -> Memory:
    """What a stored memory is worth by its stamp; without a valid one it is untrusted.

    What a broken stamp says of writer, subject and place is kept: it can only narrow who reads.
    """
    if said is None:
        return Memory(
            stored.parts,
            stored.memory_id,
            score=stored.score,
            writer=_text(stored.stamp, stamp.WRITER),
            subject=_text(stored.stamp, stamp.SUBJECT),
            place=_text(stored.stamp, stamp.PLACE),
        )
    return Memory(
        stored.parts,
        stored.memory_id,
        tier=said.tier,
        kind=said.kind,
        sensitivity=said.sensitivity,
        influence=said.influence,
        origin=Origin(source=said.source),
        decision_id=said.decision_id,
        stored_at=said.stored_at,
        valid_until=said.valid_until,
        stamped=True,
        score=stored.score,
        origin_digest=said.origin,
        writer=said.writer,
        subject=said.subject,
        place=said.place,
    )


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def window(memory: Memory, policy: Policy, ceiling: Sensitivity, now: datetime) -> Withheld | None:
    """Whether tier, sensitivity and validity let a memory out."""
    if memory.valid_until is not None and now >= memory.valid_until:
        return Withheld.EXPIRED
    if memory.sensitivity > ceiling:
        return Withheld.TOO_SENSITIVE
    if memory.tier < policy.read.tier_floor:
        return Withheld.BELOW_FLOOR
    return None


def influence_of(memory: Memory, policy: Policy) -> Influence:
    """What a memory may do: no more than its stamp says, nor than policy grants its tier today.

    Whatever policy grants, nothing untrusted, derived or unstamped decides.
    """
    granted = min(memory.influence, policy.influence.get(memory.tier, Influence.REFERENCE))
    if memory.stamped and memory.tier > Tier.DERIVED:
        return granted
    return min(granted, Influence.INFORM)
