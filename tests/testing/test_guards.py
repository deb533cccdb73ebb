"""The suite for guards tells a lawful guard from each kind of lawless one, and says why."""

from __future__ import annotations

import random
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from memwarden.guards.attack import Attack
from memwarden.guards.custom_rules import CustomPattern, CustomRules
from memwarden.guards.disguise import Disguise
from memwarden.guards.pii import Pii
from memwarden.guards.sanitizer import Sanitizer
from memwarden.guards.whitelist import Whitelist
from memwarden.model import Candidate, Evidence, Finding, Message, Need, Severity, Tier
from memwarden.testing.guards import check_guard
from memwarden.testing.still_guard import StillGuard

SHOWN = Message("a letter", "一个字母")
PATTERN = CustomPattern("suite.tea", "green tea|绿茶", Severity.LOW, Message("names tea", "提到茶"))


@pytest.mark.parametrize(
    "guard",
    [StillGuard(), CustomRules((PATTERN,)), Sanitizer(), Disguise(), Pii(), Attack(), Whitelist()],
    ids=lambda guard: guard.name,
)
def test_the_guards_that_ship_obey(guard):
    check_guard(guard, [Candidate("Call me at +1 212 555 0187 about the green tea.")])


@dataclass(frozen=True)
class Lawful:
    """Finds the first letter of every part."""

    name: str = "lawful"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        return [self.found(part.path, 0, 1) for part in candidate.parts if part.text]

    def found(self, part: str, start: int, end: int, **changes) -> Finding:
        values = {"score": 1.0, "severity": Severity.LOW, "reason": SHOWN, **changes}
        return Finding(self.name, "lawful.letter", part, start, end, **values)


def test_a_lawful_guard_passes():
    check_guard(Lawful())


@dataclass
class Thawed:
    name: str = "thawed"

    def needs(self, candidate):
        return frozenset()

    def judge(self, candidate, evidence, tier):
        return ()


@dataclass(frozen=True)
class Unhashable(Lawful):
    words: list = field(default_factory=list)


@dataclass(frozen=True)
class Unpickled(Lawful):
    words: object = field(default_factory=lambda: lambda: 1)


@dataclass(frozen=True)
class Nameless(Lawful):
    name: str = " "


@dataclass(frozen=True)
class LooseNeeds(Lawful):
    def needs(self, candidate):
        return {Need.VIEWS}


@dataclass(frozen=True)
class FickleNeeds(Lawful):
    def needs(self, candidate):
        return frozenset(random.sample(list(Need), 3))


@dataclass(frozen=True)
class Fickle(Lawful):
    def judge(self, candidate, evidence, tier):
        return [self.found("/text", 0, 0, score=random.random())]


@dataclass(frozen=True)
class OutOfBounds(Lawful):
    def judge(self, candidate, evidence, tier):
        return [self.found(part.path, 0, len(part.text) + 1) for part in candidate.parts]


@dataclass(frozen=True)
class Elsewhere(Lawful):
    def judge(self, candidate, evidence, tier):
        return [self.found("/nowhere", 0, 0)]


@dataclass(frozen=True)
class TooSure(Lawful):
    def judge(self, candidate, evidence, tier):
        return [self.found(part.path, 0, 0, score=2.0) for part in candidate.parts]


@dataclass(frozen=True)
class EnglishOnly(Lawful):
    def judge(self, candidate, evidence, tier):
        reason = Message("a letter", "a letter")
        return [self.found(part.path, 0, 0, reason=reason) for part in candidate.parts]


@dataclass(frozen=True)
class Reader(Lawful):
    def judge(self, candidate, evidence, tier):
        Path(__file__).read_text(encoding="utf-8")
        return ()


@dataclass(frozen=True)
class Caller(Lawful):
    def needs(self, candidate):
        socket.socket().close()
        return frozenset()


@dataclass(frozen=True)
class Greedy(Lawful):
    def judge(self, candidate, evidence, tier):
        return [
            self.found(part.path, 0, 0)
            for part in candidate.parts
            if evidence.views[part.path].readings
        ]


@dataclass(frozen=True)
class Editor(Lawful):
    def needs(self, candidate):
        return frozenset({Need.VIEWS})

    def judge(self, candidate, evidence, tier):
        evidence.views.clear()
        return ()


@dataclass(frozen=True)
class Remembering(Lawful):
    kept: ClassVar[list] = []

    def judge(self, candidate, evidence, tier):
        known = candidate.parts in self.kept
        self.kept.append(candidate.parts)
        return [self.found(part.path, 0, 0) for part in candidate.parts if not known]


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        (object(), "lacks a name"),
        (Thawed(), "not frozen"),
        (Unhashable(), "unhashable"),
        (Nameless(), "name is empty"),
        (LooseNeeds(), "not a frozenset"),
        (FickleNeeds(), "two answers"),
        (Fickle(), "two answers"),
        (OutOfBounds(), "outside its part"),
        (Elsewhere(), "does not have"),
        (TooSure(), "between 0 and 1"),
        (EnglishOnly(), "not in Chinese"),
        (Reader(), r"judge\(\) does I/O"),
        (Caller(), r"needs\(\) does I/O"),
        (Editor(), "changed the evidence"),
        (Remembering(), "two answers"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_lawless_guard_is_told_why(guard, said):
    with pytest.raises((AssertionError, TypeError), match=said):
        check_guard(guard, [Candidate("Sam likes tea.")])


def test_evidence_that_was_not_asked_for_is_not_there():
    with pytest.raises(KeyError):
        check_guard(Greedy())


def test_a_guard_that_cannot_be_pickled_is_no_guard():
    with pytest.raises(Exception, match="pickle"):
        check_guard(Unpickled())
