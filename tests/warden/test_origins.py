"""Tiers come from attested origins: nesting only lowers, a capability stands alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.model import UNSTATED, Origin, Tier
from memwarden.testing.builders import a_policy
from memwarden.warden.origins import attest, carry, scope, stated

USER = Origin("user", principal="sam")
WEB = Origin("web", principal="crawler")
AGENT = Origin("agent")
NOBODY = Origin()
POLICY = a_policy()


def tier(*statements, shown=None, parents=None, believed=True):
    return attest(
        statements, POLICY, shown=shown or {}, parents=parents or {}, believed=believed
    ).tier


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param((), Tier.UNTRUSTED, id="nobody says anything"),
        pytest.param((NOBODY,), Tier.UNTRUSTED, id="an unstated origin"),
        pytest.param((USER,), Tier.TRUSTED, id="the owner of the process says user"),
        pytest.param((USER, NOBODY), Tier.TRUSTED, id="the store's writes count as the user's"),
        pytest.param((USER, WEB), Tier.UNTRUSTED, id="a web scope inside a user's store"),
        pytest.param((WEB, USER), Tier.UNTRUSTED, id="nesting cannot raise"),
        pytest.param((USER, AGENT, USER), Tier.DERIVED, id="nor can it raise back"),
        pytest.param((Origin("moon"),), Tier.UNTRUSTED, id="a source the policy does not name"),
    ],
)
def test_the_tier_of_a_chain_of_statements(statements, expected):
    assert tier(*statements) is expected


def test_over_a_wire_a_source_counts_only_with_a_capability():
    signed = Origin("user", capability="token")
    assert tier(signed, believed=False) is Tier.UNTRUSTED
    assert tier(signed, believed=False, shown={"token": True}) is Tier.TRUSTED
    assert tier(signed, believed=False, shown={"token": False}) is Tier.UNTRUSTED


def test_a_shown_capability_stands_alone_inside_a_lower_scope():
    signed = Origin("user", capability="token")
    assert tier(WEB, signed, shown={"token": True}) is Tier.TRUSTED


def test_a_derived_memory_takes_the_lowest_tier_of_its_parents():
    derived = Origin("user", derived_from=("a", "b"))
    assert tier(derived, parents={"a": Tier.TRUSTED, "b": Tier.DERIVED}) is Tier.DERIVED
    assert tier(derived, parents={"a": Tier.TRUSTED}) is Tier.UNTRUSTED


def test_lineage_counts_even_where_the_candidate_states_no_source():
    derived = Origin(UNSTATED, derived_from=("a",))
    assert tier(USER, derived, parents={"a": Tier.UNTRUSTED}) is Tier.UNTRUSTED


def test_the_innermost_statement_names_the_origin_and_scopes_fill_what_it_leaves_open():
    merged = attest(
        (Origin("user", principal="sam", session="s1"), Origin("web")),
        POLICY,
        shown={},
        parents={},
        believed=True,
    ).origin
    assert (merged.source, merged.principal, merged.session) == ("web", "sam", "s1")


origins = st.builds(
    Origin,
    source=st.sampled_from(["user", "agent", "web", "moon", UNSTATED]),
    derived_from=st.lists(st.sampled_from(["a", "b", "ghost"]), max_size=2).map(tuple),
)


@given(st.lists(origins, max_size=4), origins)
def test_one_more_scope_never_raises_the_tier_of_stated_writes(around, inner):
    parents = {"a": Tier.TRUSTED, "b": Tier.DERIVED}
    before = tier(*around, parents=parents)
    after = tier(*around, inner, parents=parents)
    if any(origin.source != UNSTATED for origin in around):
        assert after <= before


def test_scopes_nest_and_end():
    with scope(USER), scope(WEB):
        assert [origin.source for origin in stated()] == ["user", "web"]
    assert stated() == ()


def test_a_thread_pool_loses_the_scope_and_carry_takes_it_along():
    with ThreadPoolExecutor(1) as pool, scope(USER):
        assert pool.submit(stated).result() == ()
        assert pool.submit(carry(stated)).result() == (USER,)


def test_an_origin_never_shows_who_it_is_in_its_repr():
    assert "sam" not in repr(USER)
