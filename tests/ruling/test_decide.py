"""The ruling is a pure maximum: what each finding asks for, and nothing else, decides."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.model import (
    BEHAVIOUR_CHANGE,
    COMMAND_KINDS,
    FACT,
    KINDS,
    OTHER,
    PREFERENCE,
    UNSAID,
    Action,
    Candidate,
    GuardSetting,
    Influence,
    Kind,
    Message,
    Mode,
    Part,
    PartRole,
    RuleSetting,
    Severity,
    Tier,
    Treatment,
    Waiver,
)
from memwarden.ruling import rule
from memwarden.testing.builders import MATRIX, a_candidate, a_finding, a_policy, from_tier
from memwarden.testing.still_guard import StillGuard

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MATRIX_WITH_CAREFUL_PREFERENCES = {**MATRIX, PREFERENCE: from_tier(Tier.TRUSTED)}


@pytest.mark.parametrize(
    ("finding", "tier", "expected"),
    [
        pytest.param(None, Tier.TRUSTED, Action.ALLOW, id="nothing found"),
        pytest.param(
            a_finding(severity=Severity.LOW), Tier.TRUSTED, Action.ALLOW, id="a low finding"
        ),
        pytest.param(
            a_finding(severity=Severity.HIGH), Tier.TRUSTED, Action.HOLD, id="a high finding"
        ),
        pytest.param(
            a_finding(severity=Severity.CRITICAL), Tier.TRUSTED, Action.REJECT, id="critical"
        ),
        pytest.param(
            a_finding(kind=BEHAVIOUR_CHANGE), Tier.AUTHORITATIVE, Action.HOLD, id="a command"
        ),
        pytest.param(
            a_finding(kind=BEHAVIOUR_CHANGE, severity=Severity.LOW),
            Tier.UNTRUSTED,
            Action.ALLOW,
            id="a weak hint of a command",
        ),
        pytest.param(
            a_finding(kind=PREFERENCE, severity=Severity.INFO),
            Tier.TRUSTED,
            Action.ALLOW,
            id="the user's own preference",
        ),
        pytest.param(
            a_finding(kind=PREFERENCE, severity=Severity.INFO),
            Tier.UNTRUSTED,
            Action.HOLD,
            id="the same preference from a web page",
        ),
        pytest.param(
            a_finding(kind=Kind("horoscope"), severity=Severity.INFO),
            Tier.AUTHORITATIVE,
            Action.HOLD,
            id="a kind that no cell allows",
        ),
    ],
)
def test_what_one_finding_asks_for(finding, tier, expected):
    policy = a_policy(matrix=MATRIX_WITH_CAREFUL_PREFERENCES)
    findings = [] if finding is None else [finding]
    assert rule(a_candidate(), findings, policy, tier=tier, now=NOW).action is expected


def test_a_candidate_that_no_finding_names_is_other_and_asks_its_own_cell():
    strict = a_policy(matrix={**MATRIX, OTHER: from_tier(Tier.TRUSTED, else_=Action.SKIP)})
    ruling = rule(a_candidate(), [], strict, tier=Tier.UNTRUSTED, now=NOW)
    assert (ruling.kind, ruling.action) == (OTHER, Action.SKIP)


@pytest.mark.parametrize(
    ("kind", "tier", "expected"),
    [
        (FACT, Tier.TRUSTED, Influence.DECIDE),
        (FACT, Tier.DERIVED, Influence.INFORM),
        (FACT, Tier.UNTRUSTED, Influence.REFERENCE),
        (OTHER, Tier.TRUSTED, Influence.INFORM),
        (OTHER, Tier.UNTRUSTED, Influence.REFERENCE),
    ],
)
def test_what_a_memory_may_do_follows_its_tier_and_what_nobody_named_never_decides(
    kind, tier, expected
):
    found = [a_finding(kind=kind, severity=Severity.INFO)]
    assert rule(a_candidate(), found, a_policy(), tier=tier, now=NOW).influence is expected


def test_no_guards_means_hold():
    ruling = rule(a_candidate(), [], a_policy(guards=()), tier=Tier.AUTHORITATIVE, now=NOW)
    assert ruling.action is Action.HOLD
    assert [f.rule for f in ruling.findings] == ["ruling.no-guards"]


def test_a_failed_guard_does_what_its_setting_says_and_hold_unless_told():
    failures = {"still": Message("it raised", "它出错了")}
    held = rule(a_candidate(), [], a_policy(), tier=Tier.TRUSTED, now=NOW, failures=failures)
    waved = a_policy(guards=(GuardSetting(StillGuard(), on_error=Action.ALLOW),))
    passed = rule(a_candidate(), [], waved, tier=Tier.TRUSTED, now=NOW, failures=failures)
    unknown = rule(
        a_candidate(), [], waved, tier=Tier.TRUSTED, now=NOW, failures={"ghost": failures["still"]}
    )
    assert (held.action, passed.action, unknown.action) == (
        Action.HOLD,
        Action.ALLOW,
        Action.HOLD,
    )


def test_observe_mode_passes_and_says_what_it_would_have_done():
    watching = a_policy(mode=Mode.OBSERVE)
    ruling = rule(a_candidate(), [a_finding()], watching, tier=Tier.UNTRUSTED, now=NOW)
    assert (ruling.action, ruling.observed) == (Action.ALLOW, Action.HOLD)


def test_one_rule_can_be_watched_while_the_others_enforce():
    policy = replace(a_policy(), rules={"a.watched": RuleSetting(mode=Mode.OBSERVE)})
    watched = rule(a_candidate(), [a_finding("a.watched")], policy, tier=Tier.TRUSTED, now=NOW)
    other = rule(a_candidate(), [a_finding("b.other")], policy, tier=Tier.TRUSTED, now=NOW)
    assert (watched.action, watched.observed) == (Action.ALLOW, Action.HOLD)
    assert other.action is Action.HOLD


@pytest.mark.parametrize(
    ("waiver", "digest", "expected"),
    [
        pytest.param({}, "", Action.ALLOW, id="in force"),
        pytest.param({"expires": NOW}, "", Action.HOLD, id="expired this instant"),
        pytest.param({"source": "web"}, "", Action.HOLD, id="for another source"),
        pytest.param({"text_digest": "d1"}, "d1", Action.ALLOW, id="for this text"),
        pytest.param({"text_digest": "d1"}, "d2", Action.HOLD, id="for another text"),
        pytest.param({"text_digest": "d1"}, "", Action.HOLD, id="no digest was taken"),
    ],
)
def test_a_waiver_sets_a_rule_aside_for_its_scope_and_time(waiver, digest, expected):
    given_waiver = Waiver(
        **{"rule": "test.rule", "reason": "known", "expires": NOW + timedelta(days=1), **waiver}
    )
    policy = replace(a_policy(), waivers=(given_waiver,))
    ruling = rule(
        a_candidate(), [a_finding()], policy, tier=Tier.TRUSTED, now=NOW, text_digest=digest
    )
    assert ruling.action is expected


SEALED = {"EMAIL": dict.fromkeys(Tier, Treatment.SEAL)}


def test_personal_data_in_a_text_is_redacted_and_in_an_identifier_held():
    policy = a_policy(entities=SEALED)
    found = a_finding(entity="EMAIL", part="/id", span=(0, 5))
    in_text = Candidate([Part("/id", "a@b.c")])
    in_id = Candidate([Part("/id", "a@b.c", PartRole.IDENTIFIER)])
    assert rule(in_text, [found], policy, tier=Tier.TRUSTED, now=NOW).action is Action.REDACT
    assert rule(in_id, [found], policy, tier=Tier.TRUSTED, now=NOW).action is Action.HOLD


def test_what_was_asked_to_be_remembered_is_treated_as_consent_says():
    policy = replace(
        a_policy(entities={"HEALTH": dict.fromkeys(Tier, Treatment.SEAL)}),
        consent={"HEALTH": {Tier.TRUSTED: Treatment.KEEP}},
    )
    passing = a_finding(entity="HEALTH", severity=Severity.INFO)
    asked = replace(passing, requested=True)
    actions = [
        rule(a_candidate(), [finding], policy, tier=tier, now=NOW).action
        for finding, tier in (
            (passing, Tier.TRUSTED),
            (asked, Tier.TRUSTED),
            (asked, Tier.UNTRUSTED),
        )
    ]
    assert actions == [Action.REDACT, Action.ALLOW, Action.REDACT]


def test_overlapping_values_become_one_slot_that_covers_both():
    policy = a_policy(entities=SEALED)
    candidate = a_candidate("Eric's mail is eric@example.com.")
    findings = [
        a_finding(entity="EMAIL", span=(15, 31)),
        a_finding(entity="EMAIL", span=(20, 31)),
        a_finding(entity="EMAIL", span=(0, 4)),
    ]
    slots = rule(candidate, findings, policy, tier=Tier.TRUSTED, now=NOW).slots
    assert [(s.start, s.end) for s in slots] == [(0, 4), (15, 31)]


any_finding = st.builds(
    a_finding,
    rule=st.sampled_from(["a.one", "a.two", "b.three"]),
    severity=st.sampled_from(Severity),
    kind=st.sampled_from([*KINDS, UNSAID]),
    entity=st.sampled_from(["", "", "EMAIL", "PERSON"]),
    span=st.tuples(st.integers(0, 9), st.integers(10, 19)),
)


@given(st.lists(any_finding, max_size=6), st.sampled_from(Tier), st.randoms())
def test_the_order_of_findings_never_changes_the_ruling(findings, tier, order: random.Random):
    policy = a_policy(matrix=MATRIX_WITH_CAREFUL_PREFERENCES, entities=SEALED)
    shuffled = list(findings)
    order.shuffle(shuffled)
    candidate = a_candidate("x" * 20)
    one = rule(candidate, findings, policy, tier=tier, now=NOW)
    other = rule(candidate, shuffled, policy, tier=tier, now=NOW)
    assert (one.action, one.kind, one.slots, one.cuts) == (
        other.action,
        other.kind,
        other.slots,
        other.cuts,
    )


@given(st.lists(any_finding, max_size=6), any_finding, st.sampled_from(Tier))
def test_one_more_finding_never_lowers_the_action_unless_it_names_the_kind(findings, more, tier):
    policy = a_policy(entities=SEALED)
    candidate = a_candidate("x" * 20)
    before = rule(candidate, findings, policy, tier=tier, now=NOW)
    after = rule(candidate, [*findings, more], policy, tier=tier, now=NOW)
    assert after.action >= before.action


@given(st.lists(any_finding, max_size=4), st.sampled_from(Tier))
def test_a_command_of_weight_is_never_stored_as_a_plain_memory(findings, tier):
    command = a_finding(kind=COMMAND_KINDS[0], severity=Severity.MEDIUM)
    ruling = rule(a_candidate("x" * 20), [*findings, command], a_policy(), tier=tier, now=NOW)
    assert ruling.action.blocks
    assert ruling.kind != FACT
