"""What the chain holds: frozen records without personal data.

Texts, principals, memory ids and reviewers appear only as keyed digests, or as the digest of a
ciphertext in the vault. What a person wrote can be erased; what was decided of it stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from memwarden.model import (
    UNSAID,
    Action,
    Influence,
    Kind,
    Message,
    Sensitivity,
    Severity,
    Span,
    Tier,
    Treatment,
)


class RecordType(StrEnum):
    """The kinds of record."""

    INTENT = "intent"
    RECEIPT = "receipt"
    REVIEW = "review"
    REVEAL = "reveal"
    ERASURE = "erasure"
    POLICY = "policy"
    CONFIG = "config"


@dataclass(frozen=True, slots=True)
class SealRef:
    """A sealed text in the vault. ``digest`` is the SHA-256 of its ciphertext.

    ``purpose`` is a word of the writer's own: "candidate", "original", "before", "place", ...
    """

    purpose: str
    id: str
    digest: str


@dataclass(frozen=True, slots=True)
class FindingNote:
    """A finding as it is recorded. ``part`` counts the candidate's parts from 0: paths may name
    people, so they lie sealed with the candidate. ``score`` is in thousandths."""

    guard: str
    rule: str
    part: int
    start: int
    end: int
    score: int
    severity: Severity
    reason: Message
    kind: Kind = UNSAID
    entity: str = ""
    layer: str = "original"
    segment: Span | None = None


@dataclass(frozen=True, slots=True)
class RedactionNote:
    """A filled slot: code points of the stored part, and the seal of what stood there."""

    part: int
    start: int
    end: int
    entity: str
    treatment: Treatment
    seal: str = ""


@dataclass(frozen=True, slots=True)
class CutNote:
    """A hostile segment that was taken out: code points of the original part."""

    part: int
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """One decision of an envelope.

    Digests (``origin``, ``session``, ``subject``, ``text``, ``memory``) are keyed per tenant and
    empty where there is nothing to digest. ``text`` is of the candidate as it came, ``stored`` of
    what may be stored. ``derived_from`` holds decision ids.
    """

    id: str
    at: datetime
    action: Action
    kind: Kind
    tier: Tier
    sensitivity: Sensitivity
    influence: Influence
    source: str
    origin: str
    text: str
    stored: str = ""
    session: str = ""
    subject: str = ""
    memory: str = ""
    observed: Action = Action.ALLOW
    critical: bool = False
    valid_until: datetime | None = None
    elapsed_us: int = 0
    findings: tuple[FindingNote, ...] = ()
    redactions: tuple[RedactionNote, ...] = ()
    cuts: tuple[CutNote, ...] = ()
    derived_from: tuple[str, ...] = ()
    seals: tuple[SealRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Intent:
    """An envelope: what is about to be done to a store, with one leaf per decision.

    ``policy`` is the revision that decided, ``models`` the digests of the models asked.
    """

    type: ClassVar[RecordType] = RecordType.INTENT

    store: str
    operation: str
    policy: str
    leaves: tuple[Leaf, ...]
    models: tuple[str, ...] = ()

    @property
    def awaits_receipt(self) -> bool:
        """Whether anything of it goes to the store."""
        return any(leaf.action.stores for leaf in self.leaves)


class Fate(StrEnum):
    """What became of one decision in the store."""

    STORED = "stored"
    REFUSED = "refused"
    FAILED = "failed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The fate of the leaf at ``position``. ``memory`` is the digest of the store's own id."""

    position: int
    fate: Fate
    memory: str = ""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The receipt of the envelope with number ``intent``. ``by`` is "writer" or "doctor"."""

    type: ClassVar[RecordType] = RecordType.RECEIPT

    intent: int
    outcomes: tuple[Outcome, ...]
    by: str = "writer"


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """One move of a queue item: which, from where to where, by whose digest; why lies sealed."""

    type: ClassVar[RecordType] = RecordType.REVIEW

    about: str
    item: str
    move: str
    before: str
    after: str
    actor: str
    seals: tuple[SealRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """Somebody looked at a sealed original of the decision ``about``."""

    type: ClassVar[RecordType] = RecordType.REVEAL

    about: str
    seal: str
    actor: str
    seals: tuple[SealRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An erasure. ``about`` is the digest of whose it was, or "tenant"; counts are what was there.

    Replaying every tombstone over a restored backup erases again what was erased.
    """

    type: ClassVar[RecordType] = RecordType.ERASURE

    about: str
    keys: int
    seals: int
    actor: str = ""


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """Another policy revision took effect."""

    type: ClassVar[RecordType] = RecordType.POLICY

    about: str
    before: str
    mode: str
    actor: str = ""


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """Something about the installation changed: a key, a capability, a setting."""

    type: ClassVar[RecordType] = RecordType.CONFIG

    about: str
    change: str
    detail: str = ""
    actor: str = ""


Body = Intent | Outcomes | ReviewStep | Reveal | Tombstone | PolicyChange | ConfigChange
"""Everything that can be appended."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a record stands in its tenant's chain, counted from 0, and its hash."""

    tenant: str
    seq: int
    hash: bytes
