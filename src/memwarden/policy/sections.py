"""The sections of a policy file. Every key may be missing: what a file does not say it inherits.

The shorthands people write (``preference: hold``, ``else:``) are unfolded before these models
see a file; ``editor`` puts them back for editors.
"""

from __future__ import annotations

from typing import Annotated, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memwarden.policy.vocabulary import (
    ActionWord,
    Duration,
    EntityName,
    Expiry,
    InfluenceWord,
    KindName,
    Name,
    SensitivityWord,
    SeverityWord,
    TierWord,
    TreatmentWord,
    refuse,
)

ModeWord = Literal["enforce", "observe", "off"]
Sentence = Annotated[str, Field(min_length=1, max_length=500)]
Sentences = Annotated[tuple[Sentence, ...], Field(max_length=50)]
Label = Annotated[str, Field(min_length=1, max_length=200)]
Person = Annotated[str, Field(min_length=1, max_length=200)]
T = TypeVar("T")


class Section(BaseModel):
    """Strict: no conversions, no unknown keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Cells(Section, Generic[T]):
    """One value for each tier."""

    untrusted: T | None = None
    derived: T | None = None
    trusted: T | None = None
    authoritative: T | None = None


ActionCells = Cells[ActionWord]
TreatmentCells = Cells[TreatmentWord]
InfluenceCells = Cells[InfluenceWord]
DurationCells = Cells[Duration]


class KindEntry(Cells[ActionWord]):
    """What happens to memories of one kind, by tier; for a kind of your own, what it looks like."""

    examples: Sentences | None = Field(
        None, description="10 to 50 sentences, in any language, that are of this kind"
    )
    near_misses: Sentences | None = Field(
        None, description="sentences that look like this kind and are not"
    )


class GuardEntry(Section):
    """A guard to run. Its own settings stand beside these keys."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    use: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        None, description="name of an installed guard, or `module:Class`; default: the key"
    )
    mode: ModeWord | None = Field(None, description="observe: record what it finds, change nothing")
    on_error: ActionWord | None = Field(None, description="what a failure of this guard does")


class RuleEntry(Section):
    """What to do with one rule instead of what its severity says."""

    mode: ModeWord | None = None
    actions: ActionCells | None = None


class ReasonEntry(Section):
    """A sentence for reviewers, in English, Chinese or both."""

    en: Sentence | None = None
    zh: Sentence | None = None


class PatternEntry(Section):
    """A rule of the tenant's own, matched in linear time by RE2."""

    pattern: Annotated[str, Field(min_length=1, max_length=1_000)] = Field(
        description="RE2 syntax; no look-around, no back-references, no \\b (see whole_words)"
    )
    severity: SeverityWord
    reason: ReasonEntry = Field(description="shown to reviewers; one sentence, or en and zh")
    kind: KindName | None = Field(None, description="the kind of memory a match says the text is")
    entity: EntityName | None = Field(None, description="the personal data a match is")
    whole_words: bool = Field(False, description="match whole words only; right beside Chinese")
    case_sensitive: bool = False
    examples: Sentences = Field((), description="texts that must match")
    near_misses: Sentences = Field((), description="texts that must not match")


class WaiverEntry(Section):
    """An exception for one rule, with a reason and an end."""

    rule: Name
    reason: Sentence
    expires: Expiry = Field(description="a date (to the end of that day, UTC) or a full time")
    source: Name | None = Field(None, description="only for candidates from this source")
    text_digest: Annotated[str, Field(min_length=8, max_length=128)] | None = Field(
        None, description="only for this one text, by the keyed digest shown in the ledger"
    )


class ModelsSection(Section):
    """Models that take the place of those that ship; `bundled` takes them back."""

    folder: Annotated[str, Field(min_length=1, max_length=4_096)] | None = Field(
        None, description="a folder, relative to this file"
    )
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        None, description="of the whole folder: `memwarden policy digest FOLDER`"
    )
    hostile: Annotated[tuple[Label, ...], Field(max_length=32)] | None = Field(
        None, description="the labels that mean an attack, where its labels are no kinds"
    )

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        if (self.folder is None) != (self.sha256 is None):
            raise refuse(
                "models are named by `folder` and `sha256` together",
                "`memwarden policy digest FOLDER` prints the digest",
            )
        return self


class SensitivitySection(Section):
    """Who may see what."""

    kinds: dict[KindName, SensitivityWord] | None = None
    entities: dict[EntityName, SensitivityWord] | None = None


class RetentionSection(Section):
    """How long memories stay valid: 12h, 90d, 2w, 1y or forever."""

    tiers: DurationCells | None = None
    kinds: dict[KindName, Duration] | None = None


class CutSection(Section):
    """When a hostile segment is cut and the harmless rest kept."""

    enabled: bool | None = None
    min_tier: TierWord | None = None
    min_severity: SeverityWord | None = None


class LimitsSection(Section):
    """Bounds on one write and on one origin."""

    max_text: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    max_parts: Annotated[int, Field(ge=1, le=100_000)] | None = None
    max_depth: Annotated[int, Field(ge=1, le=256)] | None = None
    max_batch_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] | None = None
    judge_seconds: Annotated[float, Field(gt=0, le=3_600)] | None = None
    pending_per_origin: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    pending_per_tenant: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    rejected_per_origin: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    review_days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    recall_per_minute: Annotated[int, Field(ge=0, le=10_000_000)] | None = None


class FenceSection(Section):
    """How recalled memories are put into a prompt."""

    language: Literal["en", "zh"] | None = Field(None, description="default: the policy's language")
    style: Literal["xml", "markdown", "chat", "tool", "system"] | None = None
    datamark: bool | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    encode: bool | None = None


class ScrubSection(Section):
    """What stands in an answer where an original was taken out."""

    replace_with: Literal["placeholder", "phrase"] | None = None
    min_length: Annotated[int, Field(ge=1, le=1_000)] | None = None
    quote_share: Annotated[float, Field(gt=0, le=1)] | None = None


class GrantEntry(Section):
    """Leave for one reader to read what another wrote."""

    reader: Person = Field(description="the agent, principal or group that reads")
    of: Person = Field(description="the principal whose memories it may read; `*`: anyone's")
    namespace: Annotated[tuple[Person, ...], Field(max_length=32)] | None = Field(
        None, description="only in this namespace, segment by segment"
    )
    enabled: bool = Field(True, description="false takes back an inherited grant")


class HoneytokenEntry(Section):
    """A memory that nobody has a reason to read."""

    text: Annotated[str, Field(min_length=8, max_length=10_000)] | None = Field(
        None, description="its whole text"
    )
    id: Person | None = Field(None, description="or its id in the store")
    enabled: bool = Field(True, description="false takes back an inherited one")

    @model_validator(mode="after")
    def _known_by_one(self) -> Self:
        if (self.text is None) == (self.id is None):
            raise refuse("a honeytoken is known by its text or by its id", "give one of the two")
        return self


class ReadSection(Section):
    """What a recall may return, and to whom."""

    ceiling: SensitivityWord | None = None
    tier_floor: TierWord | None = None
    rejudge: bool | None = None
    out_of_scope: Literal["error", "empty"] | None = None
    max_origin_share: Annotated[float, Field(gt=0, le=1)] | None = None
    reader: Literal["optional", "required"] | None = Field(
        None, description="required: a recall that does not say who reads is out of scope"
    )
    with_consent: SensitivityWord | None = Field(
        None, description="the ceiling where the person agreed; default: the ceiling"
    )
    ceilings: dict[Person, SensitivityWord] | None = Field(
        None, description="a ceiling of its own for an agent, a principal or a group"
    )
    audience: dict[Name, Literal["everyone", "writer"]] | None = Field(
        None, description="who may read what a source wrote; not named: its writer alone"
    )
    grants: dict[Name, GrantEntry] | None = Field(
        None, description="who may read what somebody else wrote"
    )
    corroboration: Annotated[int, Field(ge=0, le=100)] | None = Field(
        None, description="independent others that must say the same; 0: never"
    )
    honeytokens: dict[Name, HoneytokenEntry] | None = Field(
        None, description="memories that raise an alarm when recalled"
    )
    alarm_after: Annotated[int, Field(ge=1, le=1_000)] | None = Field(
        None, description="honeytokens that one reader must touch within an hour"
    )
    consensus: bool | None = Field(
        None, description="withhold what would have the agent do otherwise than the rest"
    )
