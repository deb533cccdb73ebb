"""The shape of a policy file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memwarden.policy.sections import (
    ActionCells,
    CutSection,
    FenceSection,
    GuardEntry,
    InfluenceCells,
    KindEntry,
    LimitsSection,
    ModelsSection,
    PatternEntry,
    ReadSection,
    RetentionSection,
    RuleEntry,
    ScrubSection,
    Section,
    SensitivitySection,
    TreatmentCells,
    WaiverEntry,
)
from memwarden.policy.vocabulary import EntityName, KindName, Name, TierWord, TreatmentWord

SeverityKey = Literal["info", "low", "medium", "high", "critical"]


class PolicyFile(Section):
    """One policy file. What it does not say it inherits from the file it extends."""

    extends: Name | None = Field(
        None, description="file (without .yaml) that this one builds on; default: base"
    )
    tenant: Name | None = Field(
        None, description="the tenant this file is for; without it the file is only a layer"
    )
    mode: Literal["enforce", "observe"] | None = Field(
        None, description="observe: judge and record everything, change nothing"
    )
    language: Literal["en", "zh"] | None = Field(
        None, description="the language of messages to this tenant's reviewers and prompts"
    )
    paranoia: Annotated[int, Field(ge=1, le=4)] | None = Field(
        None, description="how suspicious rule packs are, 1 to 4; more means more false alarms"
    )
    sources: dict[Name, TierWord] | None = Field(
        None, description="how far an attested source is trusted; any other is untrusted"
    )
    guards: dict[Name, GuardEntry] | None = Field(None, description="the guards to run, by name")
    models: ModelsSection | None = Field(
        None, description="models that take the place of those that ship; or `bundled`"
    )
    severities: dict[SeverityKey, ActionCells] | None = Field(
        None, description="what a finding of this severity does, by tier"
    )
    kinds: dict[KindName, KindEntry] | None = Field(
        None, description="the whitelist: kind x tier -> action; what it does not name is held"
    )
    rules: dict[Name, RuleEntry] | None = Field(
        None, description="single rules, by id: a mode, or actions instead of the severity's"
    )
    patterns: dict[Name, PatternEntry] | None = Field(None, description="rules of your own, by id")
    entities: dict[EntityName, TreatmentCells] | None = Field(
        None, description="what is done with personal data and secrets, by tier"
    )
    default_treatment: TreatmentWord | None = Field(
        None, description="what is done with an entity that `entities` does not name"
    )
    consent: dict[EntityName, TreatmentCells] | None = Field(
        None, description="instead of `entities`, where the person asked to have it remembered"
    )
    waivers: dict[Name, WaiverEntry] | None = Field(
        None, description="exceptions, each with a reason and an end"
    )
    sensitivity: SensitivitySection | None = None
    influence: InfluenceCells | None = Field(
        None, description="what a recalled memory may do, by tier"
    )
    retention: RetentionSection | None = None
    cut: CutSection | None = None
    limits: LimitsSection | None = None
    fence: FenceSection | None = None
    scrub: ScrubSection | None = None
    read: ReadSection | None = None
    on_refused: Literal["raise", "report"] | None = Field(
        None, description="a refused write raises, or is reported by position in bulk loads"
    )
