"""A compiled policy: typed, frozen, complete. Below the compiler nobody sees YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memwarden.model.guard import Guard
from memwarden.model.words import (
    Action,
    Influence,
    Kind,
    Mode,
    Sensitivity,
    Severity,
    Tier,
    Treatment,
)

ByTier = Mapping[Tier, Action]
"""An action for every tier."""


@dataclass(frozen=True, slots=True)
class GuardSetting:
    """A guard as a policy uses it. ``on_error`` is what its failure does to a write."""

    guard: Guard
    mode: Mode = Mode.ENFORCE
    on_error: Action = Action.HOLD


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """What a policy says of one rule id: mode, and an action that replaces the severity's."""

    mode: Mode = Mode.ENFORCE
    actions: ByTier | None = None


@dataclass(frozen=True, slots=True)
class Waiver:
    """An exception: findings of ``rule`` are ignored until ``expires``, for a stated reason.

    Empty ``source`` means any; ``text_digest`` restricts it to one text.
    """

    rule: str
    reason: str
    expires: datetime
    source: str = ""
    text_digest: str = ""


@dataclass(frozen=True, slots=True)
class CustomKind:
    """A kind of memory that a tenant added. ``examples`` show the encoder what belongs to it,
    ``near_misses`` what only looks like it. Without examples only rules can name it."""

    name: Kind
    examples: tuple[str, ...] = field(default=(), repr=False)
    near_misses: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ModelSetting:
    """Models that take the place of the bundled ones: a folder, the SHA-256 of the whole folder,
    and the labels that mean an attack where its labels are no kinds."""

    folder: str = field(metadata={"decides": False})
    sha256: str
    hostile: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CutSetting:
    """When a hostile segment is cut and the rest kept, instead of holding the whole."""

    enabled: bool = True
    min_tier: Tier = Tier.TRUSTED
    min_severity: Severity = Severity.MEDIUM


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one write and on one origin. Sizes are code points unless they say bytes."""

    max_text: int = 65_536
    max_parts: int = 256
    max_depth: int = 32
    max_batch_bytes: int = 8_388_608
    judge_seconds: float = 10.0
    pending_per_origin: int = 1_000
    pending_per_tenant: int = 100_000
    rejected_per_origin: int = 10_000
    review_days: int = 90
    recall_per_minute: int = 6_000


@dataclass(frozen=True, slots=True)
class FenceSetting:
    """How recalled memories are put into a prompt. ``style`` is xml, markdown, chat, tool or
    system; ``datamark`` sets a sign between words, ``encode`` writes the quoted text in base64."""

    language: str = "en"
    style: str = "xml"
    datamark: bool = False
    max_tokens: int = 4_000
    encode: bool = False


@dataclass(frozen=True, slots=True)
class ScrubSetting:
    """What stands in an answer where an original was taken out ("placeholder" or "phrase").

    ``min_length`` counts letters and digits, a Chinese character as two. ``quote_share`` is how
    much of a text in a row, as a share of its letters and digits, is a quotation of it.
    """

    replace_with: str = "placeholder"
    min_length: int = 4
    quote_share: float = 0.6


@dataclass(frozen=True, slots=True)
class Grant:
    """Leave for ``reader`` (an agent, a principal or a group) to read what ``of`` wrote; "*" is
    anyone. ``namespace`` restricts it to one place, exactly."""

    reader: str
    of: str
    namespace: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Honeytoken:
    """A memory that nobody has a reason to read: known by its whole text, or by its id."""

    name: str
    text: str = field(default="", repr=False)
    id: str = ""


@dataclass(frozen=True, slots=True)
class ReadSetting:
    """What a recall may return at all, and to whom.

    ``ceiling`` is the highest sensitivity given out, ``with_consent`` the same where the person
    agreed, ``ceilings`` instead of both for single agents, principals and groups. What a source
    of ``shared`` wrote is for everyone in its namespace; anything else belongs to its writer.
    ``corroboration`` is how many independent others must say the same before a memory may inform
    instead of being looked up (0: never). ``alarm_after`` counts touched honeytokens.
    """

    ceiling: Sensitivity = Sensitivity.CONFIDENTIAL
    tier_floor: Tier = Tier.UNTRUSTED
    rejudge: bool = True
    out_of_scope: str = "error"
    max_origin_share: float = 1.0
    reader: str = "optional"
    with_consent: Sensitivity | None = None
    ceilings: Mapping[str, Sensitivity] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    grants: tuple[Grant, ...] = ()
    corroboration: int = 2
    honeytokens: tuple[Honeytoken, ...] = ()
    alarm_after: int = 1
    consensus: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that decides a write or a read for one tenant.

    ``revision`` is a digest of the effective policy: equal revisions decide alike.
    ``sources`` gives the tier of an attested source; a source it does not name is untrusted.
    ``matrix`` is the whitelist, kind x tier; a kind it does not name is held.
    ``consent`` is what happens to an entity, instead of ``entities``, where the person asked for
    it to be remembered; an entity it does not name is treated as ``entities`` says.
    """

    tenant: str
    revision: str
    mode: Mode
    guards: tuple[GuardSetting, ...]
    sources: Mapping[str, Tier]
    matrix: Mapping[Kind, ByTier]
    severities: Mapping[Severity, ByTier]
    rules: Mapping[str, RuleSetting]
    entities: Mapping[str, Mapping[Tier, Treatment]]
    entity_sensitivity: Mapping[str, Sensitivity]
    kind_sensitivity: Mapping[Kind, Sensitivity]
    influence: Mapping[Tier, Influence]
    retention: Mapping[Tier, timedelta | None]
    default_treatment: Treatment = Treatment.SEAL
    kind_retention: Mapping[Kind, timedelta] = field(default_factory=dict)
    custom_kinds: tuple[CustomKind, ...] = ()
    models: ModelSetting | None = None
    consent: Mapping[str, Mapping[Tier, Treatment]] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()
    cut: CutSetting = field(default_factory=CutSetting)
    limits: Limits = field(default_factory=Limits)
    fence: FenceSetting = field(default_factory=FenceSetting)
    scrub: ScrubSetting = field(default_factory=ScrubSetting)
    read: ReadSetting = field(default_factory=ReadSetting)
    on_refused: str = "raise"
    language: str = "en"

    def tier_of_source(self, source: str) -> Tier:
        return self.sources.get(source, Tier.UNTRUSTED)
