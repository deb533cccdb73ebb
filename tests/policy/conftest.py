"""A folder of policy files made for one test, and guards small enough to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from memwarden.errors import PolicyError
from memwarden.model import Candidate, Evidence, Finding, Need, Severity, Tier
from memwarden.policy import GivenGuards, PolicyBook


@dataclass(frozen=True, slots=True)
class Quiet:
    """Finds nothing."""

    name: str = "quiet"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        return ()


@dataclass(frozen=True, slots=True)
class Sanitizer(Quiet):
    """Stands for a guard with settings of every sort."""

    name: str = "sanitizer"
    paranoia: int = 2
    packs: tuple[str, ...] = ()
    threshold: float = 0.5
    strict: bool = False
    floor: Severity = Severity.LOW
    by_tier: Mapping[Tier, float] | None = None
    window: timedelta | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError("threshold is between 0 and 1")


@dataclass(frozen=True, slots=True)
class Listed(Quiet):
    """Says which rules it has."""

    name: str = "listed"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(("en.override.ignore", "zh.override.ignore"))


@dataclass
class Thawed:
    """Not frozen, and so no guard."""

    name: str = "thawed"


GUARDS = GivenGuards({"quiet": Quiet, "sanitizer": Sanitizer, "listed": Listed, "thawed": Thawed})

BASE = """\
guards: {quiet: {}}
severities: {info: allow, low: allow, medium: hold, high: hold, critical: reject}
kinds: {fact: allow, preference: {trusted: allow, else: hold}, other: allow}
sources: {user: trusted, agent: derived}
"""


Open = Callable[..., PolicyBook]
Wrong = Callable[..., list[str]]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write ``base.yaml`` (unless given) and the files by stem; return the folder."""
    for stem, text in {"base": BASE, **files}.items():
        (folder / f"{stem}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Opens a folder that holds the given files, by stem, beside a small base.yaml."""
    return lambda **files: PolicyBook.open(write(tmp_path, files), guards=GUARDS)


@pytest.fixture
def wrong(tmp_path: Path) -> Wrong:
    """What is wrong with the given files, as ``stem:line:column: message (hint)``."""

    def mistakes(**files: str) -> list[str]:
        try:
            PolicyBook.open(write(tmp_path, files), guards=GUARDS)
        except PolicyError as error:
            texts = map(str, error.mistakes)
            return [text.replace(f"{tmp_path}/", "").replace(".yaml:", ":", 1) for text in texts]
        return []

    return mistakes


@pytest.fixture
def guards() -> GivenGuards:
    return GUARDS


@pytest.fixture
def packs() -> Callable[[object], tuple[tuple[str, ...], float]]:
    def settings(guard: object) -> tuple[tuple[str, ...], float]:
        assert isinstance(guard, Sanitizer)
        return guard.packs, guard.threshold

    return settings


@pytest.fixture
def level() -> Callable[[object], int]:
    def paranoia(guard: object) -> int:
        assert isinstance(guard, Sanitizer)
        return guard.paranoia

    return paranoia
