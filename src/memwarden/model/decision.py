"""What was decided of a candidate, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memwarden.model.candidate import MAIN_PATH, Origin, Part, PartRole
from memwarden.model.finding import Finding
from memwarden.model.words import OTHER, Action, Influence, Kind, Sensitivity, Tier, Treatment


@dataclass(frozen=True, slots=True)
class Slot:
    """A span to be replaced. Slots of one part never overlap and stand in ascending order."""

    part: str
    start: int
    end: int
    entity: str
    treatment: Treatment


@dataclass(frozen=True, slots=True)
class Cut:
    """A hostile segment taken out whole, and the rule that asked for it."""

    part: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """The pure answer of ``rule``: an action and the spans it concerns, no text yet.

    ``observed`` is the action that would have been taken where observe mode let it pass.
    Where something was cut, ``findings`` speak of the original and ``rest_findings`` of what the
    cut left, each in its own code points; ``slots`` belong to what is stored.
    """

    action: Action
    kind: Kind
    tier: Tier
    sensitivity: Sensitivity
    influence: Influence
    findings: tuple[Finding, ...]
    slots: tuple[Slot, ...] = ()
    cuts: tuple[Cut, ...] = ()
    observed: Action = Action.ALLOW
    critical: bool = False
    rest_findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Redaction:
    """A slot that was filled. ``start``/``end`` are code points of the *stored* part, so that
    restoring needs no pattern search; ``seal`` names the sealed original in the vault."""

    part: str
    start: int
    end: int
    entity: str
    treatment: Treatment
    placeholder: str
    seal: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: what is written, as what, and every finding that led there."""

    id: str
    tenant: str
    action: Action
    kind: Kind
    tier: Tier
    sensitivity: Sensitivity
    influence: Influence
    findings: tuple[Finding, ...]
    policy_revision: str
    decided_at: datetime
    parts: tuple[Part, ...] | None = field(default=None, repr=False)
    redactions: tuple[Redaction, ...] = ()
    cuts: tuple[Cut, ...] = ()
    observed: Action = Action.ALLOW
    valid_until: datetime | None = None
    models: tuple[str, ...] = ()
    critical: bool = False
    rest_findings: tuple[Finding, ...] = ()
    elapsed_ms: float = 0.0

    @property
    def text(self) -> str | None:
        """What is stored; None for skip, hold and reject."""
        if self.parts is None:
            return None
        return "\n".join(part.text for part in self.parts if part.role is PartRole.TEXT)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a decided write in the store. ``position`` counts inside a bulk write."""

    decision_id: str
    stored: bool
    store: str
    position: int = 0
    memory_id: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory as it comes back from a store, with what its verified stamp says of it.

    ``stamped`` is False where no valid stamp was found: it was there before memwarden, or was
    edited behind it. Such a memory counts as untrusted whatever its fields say.
    ``origin_digest``, ``writer``, ``subject`` and ``place`` are the tenant's keyed digests of
    source and principal, of the principal, of the person it is about and of the namespace.
    """

    parts: tuple[Part, ...] = field(repr=False)
    memory_id: str = ""
    tier: Tier = Tier.UNTRUSTED
    kind: Kind = OTHER
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    influence: Influence = Influence.REFERENCE
    origin: Origin = field(default_factory=Origin)
    decision_id: str = ""
    stored_at: datetime | None = None
    valid_until: datetime | None = None
    stamped: bool = False
    score: float | None = None
    origin_digest: str = ""
    writer: str = ""
    subject: str = ""
    place: str = ""

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if part.role is PartRole.TEXT)

    @classmethod
    def of(cls, text: str, *, memory_id: str = "") -> Memory:
        """A bare memory of unknown history, as a caller's own store may hand over."""
        return cls((Part(MAIN_PATH, text),), memory_id=memory_id)
