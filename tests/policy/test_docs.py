"""Every key of a policy file is explained, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.model import KINDS, Action, Mode, Sensitivity, Severity, Tier, Treatment
from memwarden.policy.cases import CaseEntry, CaseFile, ExpectEntry
from memwarden.policy.schema import PolicyFile
from memwarden.policy.sections import (
    CutSection,
    FenceSection,
    GrantEntry,
    GuardEntry,
    HoneytokenEntry,
    LimitsSection,
    ModelsSection,
    PatternEntry,
    ReadSection,
    RetentionSection,
    ScrubSection,
    SensitivitySection,
    WaiverEntry,
)

DOCS = Path(__file__).parents[2] / "docs"
MODELS = [
    PolicyFile,
    CutSection,
    FenceSection,
    GrantEntry,
    GuardEntry,
    HoneytokenEntry,
    LimitsSection,
    ModelsSection,
    PatternEntry,
    ReadSection,
    RetentionSection,
    ScrubSection,
    SensitivitySection,
    WaiverEntry,
    CaseFile,
    CaseEntry,
    ExpectEntry,
]
WORDS = [
    *KINDS,
    *(str(word) for words in (Mode, Treatment) for word in words),
    *(word.label for words in (Action, Tier, Severity, Sensitivity) for word in words),
]


@pytest.mark.parametrize("file", ["policy.md", "policy.zh.md"])
def test_nothing_is_left_out(file: str) -> None:
    text = (DOCS / file).read_text(encoding="utf-8")
    keys = {key for model in MODELS for key in model.model_fields}
    assert [key for key in sorted(keys | set(WORDS)) if key not in text] == []
