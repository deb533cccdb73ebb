"""The guards over the encoder: kinds window by window, and thresholds by who writes."""

from __future__ import annotations

import pytest

from memwarden.guards.attack import Attack
from memwarden.guards.whitelist import Whitelist
from memwarden.model import (
    EXFILTRATION,
    FACT,
    OTHER,
    PREFERENCE,
    PRICE_CHANGE,
    UNSAID,
    Candidate,
    Evidence,
    Need,
    Part,
    PartRole,
    Severity,
    Tier,
    WindowReading,
)


def a_window(attack=0.0, start=0, end=5, layer="original", **kinds):
    named = tuple((kind, p) for kind, p in kinds.items())
    return WindowReading(start, end, attack, named, layer=layer)


def evidence(*windows):
    return Evidence(encoding={"/text": windows})


def judged(guard, *windows, tier=Tier.TRUSTED):
    return list(guard.judge(Candidate("hello world"), evidence(*windows), tier))


def test_each_window_names_its_kind():
    found = judged(
        Whitelist(), a_window(fact=0.9), a_window(start=6, end=11, preference=0.8, fact=0.1)
    )
    assert [(f.kind, f.start, f.severity) for f in found] == [
        (FACT, 0, Severity.INFO),
        (PREFERENCE, 6, Severity.INFO),
    ]


def test_a_greeting_beside_a_fact_does_not_make_the_memory_other():
    found = judged(Whitelist(), a_window(other=0.9), a_window(fact=0.9))
    assert [f.kind for f in found] == [FACT]


def test_a_text_of_nothing_but_chatter_is_other():
    found = judged(Whitelist(), a_window(other=0.9), a_window(other=0.8))
    assert {f.kind for f in found} == {OTHER}


@pytest.mark.parametrize(
    ("world", "tier", "expected"),
    [
        pytest.param(0.4, Tier.UNTRUSTED, FACT, id="a page that speaks of the world"),
        pytest.param(0.1, Tier.UNTRUSTED, PREFERENCE, id="a page that speaks of wishes"),
        pytest.param(0.4, Tier.TRUSTED, PREFERENCE, id="the user, by the likeliest kind"),
    ],
)
def test_an_untrusted_text_is_named_after_the_world_if_it_clearly_speaks_of_it(
    world, tier, expected
):
    window = a_window(fact=world, preference=1 - world)
    (found,) = judged(Whitelist(world=0.3), window, tier=tier)
    assert found.kind == expected


@pytest.mark.parametrize(
    ("attack", "rule"),
    [
        pytest.param(0.1, "whitelist.other", id="a calm page"),
        pytest.param(0.4, "whitelist.unclear", id="a page that may be up to something"),
    ],
)
def test_an_untrusted_text_of_no_kind_passes_only_while_it_is_calm(attack, rule):
    (found,) = judged(Whitelist(), a_window(attack, other=0.9), tier=Tier.UNTRUSTED)
    assert found.rule == rule


def test_what_a_calm_page_says_of_somebody_is_not_taken_for_the_users_profile():
    (found,) = judged(Whitelist(), a_window(0.1, profile=0.9), tier=Tier.UNTRUSTED)
    assert found.kind == OTHER


def test_an_unclear_window_is_reported_for_review():
    (found,) = judged(Whitelist(), a_window(fact=0.01, price_change=0.99))
    assert (found.rule, found.severity, found.kind) == (
        "whitelist.unclear",
        Severity.MEDIUM,
        UNSAID,
    )


def test_a_decoded_layer_says_nothing_of_the_kind():
    found = judged(Whitelist(), a_window(fact=0.9), a_window(layer="base64", event=0.9))
    assert [f.kind for f in found] == [FACT]


@pytest.mark.parametrize(
    ("attack", "tier", "severity"),
    [
        pytest.param(0.7, Tier.TRUSTED, None, id="the user may sound like that"),
        pytest.param(0.7, Tier.DERIVED, None, id="and so may an agent"),
        pytest.param(0.8, Tier.DERIVED, Severity.MEDIUM, id="but not as much"),
        pytest.param(0.7, Tier.UNTRUSTED, Severity.MEDIUM, id="a web page may not"),
        pytest.param(0.9, Tier.TRUSTED, Severity.MEDIUM, id="likely"),
        pytest.param(0.99, Tier.TRUSTED, Severity.HIGH, id="near certain"),
    ],
)
def test_the_threshold_of_the_attack_guard_depends_on_who_writes(attack, tier, severity):
    found = judged(Attack(), a_window(attack, exfiltration=0.5, fact=0.5), tier=tier)
    assert [f.severity for f in found] == ([] if severity is None else [severity])


def test_an_attack_is_named_after_the_likeliest_command_and_its_window_may_be_cut():
    (found,) = judged(Attack(), a_window(0.9, 2, 7, fact=0.7, price_change=0.2, exfiltration=0.1))
    assert (found.kind, found.segment, found.rule) == (PRICE_CHANGE, (2, 7), "attack.price_change")


def test_an_attack_hidden_in_a_decoded_layer_is_found_and_says_where_it_lay():
    (found,) = judged(Attack(), a_window(0.9, 0, 11, layer="base64", exfiltration=0.9))
    assert (found.kind, found.layer) == (EXFILTRATION, "base64")


@pytest.mark.parametrize("guard", [Attack(), Whitelist()])
def test_nothing_is_encoded_for_a_write_without_words(guard):
    assert guard.needs(Candidate([])) == frozenset()
    assert guard.needs(Candidate("words")) == {Need.ENCODING}


def test_an_identifier_has_no_kind():
    candidate = Candidate([Part("/id", "user-7", PartRole.IDENTIFIER)])
    assert Whitelist().needs(candidate) == frozenset()
