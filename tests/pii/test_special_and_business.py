"""Whose it is: a statement about a person or its harmless twin, a person's number or a venue's."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from memwarden.guards.pii import Pii
from memwarden.model import Candidate, Evidence, Finding, Tier
from memwarden.pii import Search, detect
from memwarden.pii.business import told_apart
from memwarden.pii.fold import fold
from memwarden.pii.special import find
from memwarden.text import read

GOLDEN = Path(__file__).parent / "golden"
SPECIAL = yaml.safe_load((GOLDEN / "special.yaml").read_text("utf-8"))
BUSINESS = yaml.safe_load((GOLDEN / "business.yaml").read_text("utf-8"))
TWINS = [twin for _, _, twins in SPECIAL for twin in twins]


def judged(text: str, tier: Tier = Tier.TRUSTED) -> list[Finding]:
    candidate = Candidate(text)
    views = {part.path: read(part.text) for part in candidate.parts}
    return list(Pii(names=False).judge(candidate, Evidence(views=views), tier))


@pytest.mark.parametrize(("entity", "text"), [(row[0], row[1]) for row in SPECIAL])
def test_a_statement_about_a_person_is_reported(entity: str, text: str) -> None:
    assert [one.entity for one in find(fold(text).text)] == [entity]


@pytest.mark.parametrize("text", TWINS)
def test_its_twin_about_nobody_is_not(text: str) -> None:
    assert find(fold(text).text) == []


@pytest.mark.parametrize("row", SPECIAL, ids=lambda row: row[1])
def test_only_a_trusted_writer_can_ask_for_it_to_be_remembered(
    row: tuple[str, str, list[str]],
) -> None:
    entity, text, _ = row
    ask = "Please remember: " if text.isascii() else "请记住："
    for tier, asked in ((Tier.TRUSTED, True), (Tier.UNTRUSTED, False)):
        found = [one for one in judged(ask + text, tier) if one.entity == entity]
        assert [one.requested for one in found] == [asked]
    assert [one.requested for one in judged(text) if one.entity == entity] == [False]


@pytest.mark.parametrize(("text", "entity"), BUSINESS["public"] + BUSINESS["private"])
def test_a_value_belongs_to_a_person_unless_it_speaks_of_a_venue(text: str, entity: str) -> None:
    found = told_apart(detect(text, Search()), text)
    assert entity in {one.entity for one in found}
    private = {"PHONE_NUMBER", "EMAIL_ADDRESS", "ADDRESS"}
    if entity not in private:
        assert private.isdisjoint(one.entity for one in found)
