"""The shipped packs: every rule finds its examples and leaves its near misses alone."""

import re
from collections import Counter

import pytest

from memwarden.guards.sanitizer import Sanitizer
from memwarden.model import (
    COMMAND_KINDS,
    KINDS,
    MAIN_PATH,
    Candidate,
    Evidence,
    Finding,
    Severity,
    Tier,
)
from memwarden.rules import Rule, load_packs, shipped_packs
from memwarden.rules.language import render
from memwarden.rules.matching import broken
from memwarden.rules.model import Form
from memwarden.text import read

RULES = [rule for pack in load_packs(shipped_packs()) for rule in pack.rules]
GUARD = Sanitizer(paranoia=4)


def judge(text: str) -> list[Finding]:
    evidence = Evidence(views={MAIN_PATH: read(text)})
    return list(GUARD.judge(Candidate(text), evidence, Tier.UNTRUSTED))


def has_chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


HITS = [(rule, text) for rule in RULES for text in rule.examples.hit]
MISSES = [(rule, text) for rule in RULES for text in rule.examples.miss]


@pytest.mark.parametrize(
    ("rule", "text"), HITS, ids=[f"{r.id}-{i}" for i, (r, _) in enumerate(HITS)]
)
def test_a_rule_finds_its_examples(rule: Rule, text: str) -> None:
    assert rule.id in {finding.rule for finding in judge(text)}


@pytest.mark.parametrize(
    ("rule", "text"), MISSES, ids=[f"{r.id}-{i}" for i, (r, _) in enumerate(MISSES)]
)
def test_no_rule_alarms_on_a_near_miss(rule: Rule, text: str) -> None:
    findings = judge(text)
    assert [f.rule for f in findings if f.severity >= Severity.MEDIUM] == []
    assert rule.id not in {f.rule for f in findings if f.severity == Severity.INFO}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_speaks_both_languages(rule: Rule) -> None:
    assert rule.reason.en
    assert has_chinese(rule.reason.zh)
    assert rule.examples.hit
    assert rule.examples.miss
    if not rule.id.startswith("languages."):
        for texts in (rule.examples.hit, rule.examples.miss):
            assert any(has_chinese(text) for text in texts)
            assert any(not has_chinese(text) for text in texts)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_that_alarms_names_a_command_and_its_references(rule: Rule) -> None:
    assert rule.kind in KINDS
    if rule.severity > Severity.INFO:
        assert rule.kind in COMMAND_KINDS
        assert any(reference.startswith("OWASP") for reference in rule.references)
        assert any(reference.startswith("MITRE") for reference in rule.references)


def test_ids_are_unique_and_start_with_the_name_of_their_pack() -> None:
    assert Counter(rule.id for rule in RULES).most_common(1)[0][1] == 1
    for pack in load_packs(shipped_packs()):
        assert {rule.id.split(".")[0] for rule in pack.rules} == {pack.name}


def test_every_command_kind_has_a_rule() -> None:
    assert {rule.kind for rule in RULES} >= set(COMMAND_KINDS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_name_in_braces_is_left_in_an_expression(rule: Rule) -> None:
    for pattern in (*rule.patterns, *rule.unless):
        for form in Form:
            assert not broken(pattern)
            assert not re.search(r"(?<!\\[pPx])(?<!\\)\{[a-z_]", render(pattern, form))
