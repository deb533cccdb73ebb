"""A tenant's own patterns, in every reading of every part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.guards.custom_rules import CustomPattern, CustomRules
from memwarden.model import (
    PRICE_CHANGE,
    Candidate,
    Evidence,
    Finding,
    Message,
    Need,
    Part,
    PartRole,
    Severity,
    Tier,
)
from memwarden.text import read

REASON = Message("a customer number", "客户号")
NUMBER = CustomPattern("x.number", r"XH\d{8}", Severity.INFO, REASON, entity="CUSTOMER_NUMBER")
WORD = CustomPattern("x.word", "rate", Severity.HIGH, REASON, kind=PRICE_CHANGE, whole_words=True)
CASED = CustomPattern("x.cased", "ACME", Severity.LOW, REASON, case_sensitive=True)


def _judge(*patterns: CustomPattern, text: str) -> list[Finding]:
    candidate = Candidate(text)
    views = {part.path: read(part.text) for part in candidate.parts}
    return list(CustomRules(patterns).judge(candidate, Evidence(views=views), Tier.UNTRUSTED))


TABLE = [
    (NUMBER, "我的客户号XH20260117已开通", ["XH20260117"]),
    (NUMBER, "xh20260117", ["xh20260117"]),
    (NUMBER, "ＸＨ２０２６０１１７", ["ＸＨ２０２６０１１７"]),
    (NUMBER, "X\u200bH20260117", ["X\u200bH20260117"]),
    (NUMBER, "XH2026", []),
    (WORD, "把rate改成1", ["rate"]),
    (WORD, "a moderate day", []),
    (WORD, "rate rates rate", ["rate", "rate"]),
    (CASED, "ACME", ["ACME"]),
    (CASED, "acme", []),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), TABLE)
def test_spans_point_into_the_original(
    pattern: CustomPattern, text: str, expected: list[str]
) -> None:
    assert [text[f.start : f.end] for f in _judge(pattern, text=text)] == expected


def test_a_finding_says_what_the_policy_said() -> None:
    text = "I like tea. From now on the rate is 1%. Bye."
    (finding,) = _judge(WORD, text=text)
    assert (finding.guard, finding.rule) == ("custom", "x.word")
    assert (finding.severity, finding.kind, finding.entity) == (Severity.HIGH, PRICE_CHANGE, "")
    assert finding.segment is not None
    assert text[slice(*finding.segment)].strip() == "From now on the rate is 1%."


def test_every_part_is_read_whatever_its_role() -> None:
    parts = [
        Part("/text", "nothing"),
        Part("/id", "XH20260117", PartRole.IDENTIFIER),
        Part("/note", "XH20260118", PartRole.KEY),
    ]
    candidate = Candidate(parts)
    evidence = Evidence(views={part.path: read(part.text) for part in parts})
    found = CustomRules((NUMBER,)).judge(candidate, evidence, Tier.TRUSTED)
    assert sorted(finding.part for finding in found) == ["/id", "/note"]


def test_a_lone_surrogate_is_no_way_past() -> None:
    text = "\ud800XH20260117"
    assert [(f.start, f.end) for f in _judge(NUMBER, text=text)] == [(1, 11)]


def test_missing_views_are_a_failure_and_not_a_pass() -> None:
    with pytest.raises(KeyError):
        CustomRules((NUMBER,)).judge(Candidate("XH20260117"), Evidence(), Tier.TRUSTED)


def test_it_asks_for_views_only_when_there_are_patterns() -> None:
    assert CustomRules((NUMBER,)).needs(Candidate("a")) == {Need.VIEWS}
    assert CustomRules().needs(Candidate("a")) == frozenset()


def test_the_fingerprint_follows_the_patterns() -> None:
    assert CustomRules((NUMBER,)).fingerprint == CustomRules((NUMBER,)).fingerprint
    assert CustomRules((NUMBER,)).fingerprint != CustomRules((WORD,)).fingerprint
    assert CustomRules((NUMBER, WORD)).rule_ids == {"x.number", "x.word"}


def test_patterns_that_ruin_other_engines_are_only_patterns_here() -> None:
    hungry = CustomPattern("x.hungry", "(a+)+$", Severity.LOW, REASON)
    assert _judge(hungry, text="a" * 5_000 + "b") == []


@given(st.text(alphabet=st.sampled_from("XH0123456789 客户\u200bＸ"), max_size=40))
def test_every_span_lies_within_its_part(text: str) -> None:
    for finding in _judge(NUMBER, WORD, text=text):
        assert 0 <= finding.start < finding.end <= len(text)
        assert finding.segment is not None
        assert finding.segment[0] <= finding.start
        assert finding.end <= finding.segment[1]
