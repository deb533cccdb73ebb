"""Guards say what they may report, and a digest that changes with what decides."""

from __future__ import annotations

from importlib.resources import files

import pytest
import yaml

from memwarden.guards import rulepacks
from memwarden.guards.attack import Attack
from memwarden.guards.disguise import Disguise
from memwarden.guards.pii import RULE_PACKS, Pii
from memwarden.guards.sanitizer import Sanitizer
from memwarden.guards.whitelist import Whitelist
from memwarden.model import Candidate, Evidence, Tier
from memwarden.pii.load import pack_patterns
from memwarden.rules import load_packs, shipped_packs
from memwarden.testing.guards import evidence_for, odd_candidates
from memwarden.text import read

GUARDS = (Sanitizer(), Disguise(), Attack(), Whitelist(), Pii())


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_what_a_guard_reports_is_among_its_rules(guard):
    for candidate in odd_candidates():
        for finding in guard.judge(
            candidate, evidence_for(candidate, guard.needs(candidate)), Tier.UNTRUSTED
        ):
            assert finding.rule in guard.rule_ids


def test_every_example_of_every_pack_is_found_by_a_listed_rule():
    guard = Sanitizer(paranoia=4)
    for pack in load_packs(shipped_packs()):
        for rule in pack.rules:
            for text in rule.examples.hit:
                evidence = Evidence(views={"/text": read(text)})
                found = guard.judge(Candidate(text), evidence, Tier.TRUSTED)
                assert {finding.rule for finding in found} <= guard.rule_ids


def test_every_value_of_every_pack_is_found_by_a_listed_rule():
    guard = Pii()
    for pack in RULE_PACKS:
        for pattern in pack_patterns(pack):
            for example in pattern.examples:
                evidence = Evidence(views={"/text": read(example.text)})
                found = guard.judge(Candidate(example.text), evidence, Tier.TRUSTED)
                assert {finding.rule for finding in found} <= guard.rule_ids


def test_no_file_of_patterns_is_forgotten():
    data = files("memwarden.pii").joinpath("data")
    with_patterns = {
        entry.name.removesuffix(".yaml")
        for entry in data.iterdir()
        if entry.name.endswith(".yaml") and "\npatterns:" in entry.read_text(encoding="utf-8")
    }
    assert with_patterns == set(RULE_PACKS)


def test_paranoia_decides_which_rules_there_are():
    assert Sanitizer(paranoia=1).rule_ids < Sanitizer(paranoia=4).rule_ids


def test_recognizers_of_ones_own_may_report_anything():
    assert Pii(recognizers=("acme.pii:Badge",)).rule_ids is None


def test_a_pack_of_ones_own_changes_the_fingerprint_when_it_changes(tmp_path):
    pack = tmp_path / "own.yaml"
    rule = {
        "id": "own.word",
        "severity": "low",
        "reason": {"en": "It says the word.", "zh": "它说出了这个词。"},
        "patterns": {"en": ["bluebird"]},
    }
    pack.write_text(yaml.safe_dump({"rules": [rule]}), encoding="utf-8")
    guard = Sanitizer(packs=(str(pack),))
    before = guard.fingerprint
    assert before == Sanitizer(packs=(str(pack),)).fingerprint != Sanitizer().fingerprint
    pack.write_text(yaml.safe_dump({"rules": [{**rule, "severity": "high"}]}), encoding="utf-8")
    assert guard.fingerprint != before


def test_the_digest_of_a_place_changes_with_any_file_in_it(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "words.yaml").write_text("a: 1", encoding="utf-8")
    (tmp_path / "notes.md").write_text("not deciding", encoding="utf-8")
    monkeypatch.setattr(rulepacks, "files", lambda package: tmp_path)
    rulepacks.packs_digest.cache_clear()
    digests = []
    for content in ("a: 1", "a: 2", "a: 1"):
        (tmp_path / "data" / "words.yaml").write_text(content, encoding="utf-8")
        (tmp_path / "notes.md").write_text(f"not deciding {content}", encoding="utf-8")
        digests.append(rulepacks.packs_digest("made.up"))
        rulepacks.packs_digest.cache_clear()
    assert digests[0] == digests[2] != digests[1]
