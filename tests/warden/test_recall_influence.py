"""A memory can inform without commanding: what recalled memories may do, alone and together."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from memwarden import Candidate, Origin
from memwarden.model import (
    COMMAND_KINDS,
    FACT,
    OTHER,
    Action,
    Influence,
    Memory,
    Ruling,
    Sensitivity,
    Tier,
)
from memwarden.review import Wanted
from memwarden.testing.builders import a_policy
from memwarden.warden.deciding import Verdict
from memwarden.warden.recall.windows import influence_of

REFERENCE, INFORM, DECIDE = Influence
UNTRUSTED, DERIVED, TRUSTED, AUTHORITATIVE = Tier
OWN = "User prefers the museum ticket for 20."
EVERYTHING_DECIDES = "influence: {untrusted: decide, else: decide}\n"


def write(warden, text, source="user", principal="", session="", derived_from=()):
    origin = Origin(source, principal, session, derived_from)
    return warden.write(Candidate(text, origin=origin), tenant="acme")


def recalled(warden, query="museum 博物馆", limit=50):
    return warden.recall(query, tenant="acme", limit=limit)


def influences(warden):
    return sorted((one.origin.source, one.influence.label) for one in recalled(warden))


# -- alone -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stamped", [True, False])
@pytest.mark.parametrize("tier", Tier)
@pytest.mark.parametrize("granted", Influence)
@pytest.mark.parametrize("said", Influence)
def test_no_more_than_stamp_and_policy_and_never_decide_below_trusted(tier, stamped, granted, said):
    policy = replace(a_policy(), influence=dict.fromkeys(Tier, granted))
    memory = Memory((), tier=tier, influence=said, stamped=stamped)
    cap = DECIDE if stamped and tier >= TRUSTED else INFORM
    assert influence_of(memory, policy) is min(said, granted, cap)


def test_what_the_policy_lowers_today_is_lowered_today(governed):
    write(governed(), OWN)
    assert influences(governed()) == [("user", "decide")]
    assert influences(governed("influence: {else: inform}\n")) == [("user", "inform")]


def test_what_the_policy_raises_today_does_not_raise_what_was_stamped(governed):
    write(governed("influence: {else: reference}\n"), OWN)
    assert influences(governed()) == [("user", "reference")]


# -- together --------------------------------------------------------------------------------------

SAID = "The museum opens at nine."


def test_what_enough_independent_origins_say_may_inform(governed):
    warden = governed()
    write(warden, SAID, "web", "crawler")
    write(warden, SAID, "document", "library")
    assert {i for _, i in influences(warden)} == {"reference"}
    write(warden, "the museum opens at nine", "email", "newsletter")
    assert {i for _, i in influences(warden)} == {"inform"}


@pytest.mark.parametrize("wanted", [0, 1, 2, 3, 4])
def test_how_many_is_the_policys_to_say(governed, wanted):
    warden = governed(f"read: {{corroboration: {wanted}}}\n")
    for source in ("web", "document", "email", "tool"):
        write(warden, SAID, source, f"someone at {source}")
    expected = "inform" if 0 < wanted < 4 else "reference"
    assert {i for _, i in influences(warden)} == {expected}


ALONE = {
    "the same origin": [("web", "a", ""), ("web", "a", ""), ("web", "a", "")],
    "the same principal": [("web", "a", ""), ("document", "a", ""), ("email", "a", "")],
    "nobody in particular": [("web", "", ""), ("web", "", ""), ("web", "", "")],
    "the same session": [("web", "a", "s"), ("document", "b", "s"), ("email", "c", "s")],
    "agents without a lineage": [("agent", "a", ""), ("agent", "b", ""), ("web", "c", "")],
}


@pytest.mark.parametrize("name", ALONE)
def test_origins_that_hang_together_do_not_corroborate(governed, name):
    warden = governed("influence: {derived: reference}\n")
    for source, principal, session in ALONE[name]:
        write(warden, SAID, source, principal, session)
    assert {i for _, i in influences(warden)} == {"reference"}


def test_an_agents_conclusions_do_not_corroborate_what_they_were_drawn_from(governed):
    """openhanako#2465, claude-code#69847: the same hallucination, told back to itself."""
    warden = governed("read: {corroboration: 1}\n")
    page = write(warden, SAID, "web", "crawler")
    first = write(warden, SAID, "agent", "planner", derived_from=(page.id,))
    write(warden, SAID, "agent", "planner", derived_from=(first.id,))
    write(warden, SAID, "agent", "writer", derived_from=(page.id,))
    assert {i for _, i in influences(warden)} == {"reference"}


def test_conclusions_from_different_places_by_different_agents_do(governed):
    warden = governed("read: {corroboration: 1}\n")
    page = write(warden, "One entry about the sights: open at 9.", "web", "crawler")
    book = write(warden, "Another entry about the sights: open at 9.", "document", "library")
    write(warden, SAID, "agent", "planner", derived_from=(page.id,))
    write(warden, SAID, "agent", "writer", derived_from=(book.id,))
    found = [one for one in recalled(warden) if one.text == SAID]
    assert [one.influence for one in found] == [INFORM, INFORM]


def test_two_pages_of_one_site_behind_two_agents_are_one_place(governed):
    warden = governed("read: {corroboration: 1}\n")
    one = write(warden, "One entry about the sights: open at 9.", "web", "site")
    two = write(warden, "Another entry about the sights: open at 9.", "web", "site")
    write(warden, SAID, "agent", "planner", derived_from=(one.id,))
    write(warden, SAID, "agent", "writer", derived_from=(two.id,))
    found = [m for m in recalled(warden) if m.text == SAID]
    assert {m.influence for m in found} == {REFERENCE}


def test_an_unknown_parent_vouches_for_nothing(governed):
    warden = governed("read: {corroboration: 1}\n")
    write(warden, SAID, "agent", "planner", derived_from=("00000000000000000000000000",))
    write(warden, SAID, "web", "crawler")
    assert {i for _, i in influences(warden)} == {"reference"}


def test_an_unstamped_memory_neither_corroborates_nor_is_corroborated(governed, store):
    from memwarden.model import Part
    from memwarden.warden import Stored

    warden = governed("read: {corroboration: 1}\n")
    write(warden, SAID, "web", "crawler")
    store.put("acme", [Stored("old", (Part("/text", SAID),), {})])
    assert {i for _, i in influences(warden)} == {"reference"}


def test_a_revoked_origin_corroborates_nobody(governed):
    warden = governed("read: {corroboration: 1}\n")
    write(warden, SAID, "web", "crawler")
    write(warden, SAID, "document", "library")
    warden.revoke_origin("acme", source="web", actor="op")
    assert influences(warden) == [("document", "reference")]


def test_nothing_is_ever_raised_to_decide(governed):
    warden = governed(EVERYTHING_DECIDES + "read: {corroboration: 1}\n")
    write(warden, SAID)
    for source in ("web", "document", "email", "tool"):
        write(warden, SAID, source, source)
    by_source = dict(influences(warden))
    by_source.pop("user")
    assert set(by_source.values()) == {"inform"}


# -- the tool gate ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_action_may_rest_on_the_least_of_the_memories(governed, language):
    warden = governed()
    write(warden, OWN, "user", "li")
    own = recalled(warden)
    assert warden.may("price", because=warden.fence(own, tenant="acme"))
    write(warden, "The museum ticket costs 2000.", "web", "eve")
    block = warden.fence(recalled(warden), tenant="acme", language=language)
    told = warden.may("price", because=block)
    assert not told
    assert told.reason.in_language(language)
    assert warden.may("look_up", because=block)
    assert warden.may("price", because=block, resting_on=[own[0].memory_id])
    for invented in (["m7"], [own[0].memory_id, "m7"], []):
        assert not warden.may("price", because=block, resting_on=invented)


def test_a_page_that_repeats_the_user_gains_nothing_by_it(governed):
    """The block's gate does not lend influence: only a recall knows who is independent."""
    warden = governed("read: {rejudge: false}\n")
    write(warden, OWN, "user", "li")
    planted(warden, OWN, "tool")
    assert len(recalled(warden)) == 2
    block = warden.fence(recalled(warden), tenant="acme")
    assert not warden.may("tool", because=block)


def test_an_action_nobody_has_heard_of_needs_memories_that_may_decide(governed):
    warden = governed()
    write(warden, SAID, "web", "eve")
    block = warden.fence(recalled(warden), tenant="acme")
    for action in ("", "TOOL", "look up", "查阅", "wire_money"):
        assert not warden.may(action, because=block)
    assert not warden.may("tool", because=warden.fence((), tenant="acme"))


# -- poison ----------------------------------------------------------------------------------------

ATTACKS = [
    row
    for row in map(
        json.loads,
        files("memwarden.demo").joinpath("conversations.jsonl").read_text("utf-8").splitlines(),
    )
    if row["published_as"] == "malicious"
]
"""Published attack records, English and Chinese; see ATTRIBUTION.md for their licences."""


def planted(warden, text, source):
    """Store a text as if every guard had let it through, at the tier that its origin is worth."""
    policy = warden.chain.policy("acme")
    origin = Origin(source, "eve")
    tier = policy.tier_of_source(source)
    candidate = Candidate(text, origin=origin, memory_id=f"{source}-{abs(hash(text))}")
    ruling = Ruling(Action.ALLOW, FACT, tier, Sensitivity.PUBLIC, policy.influence[tier], ())
    from datetime import UTC, datetime

    from memwarden.ledger import new_id
    from memwarden.warden import Stored

    verdict = Verdict(new_id(), candidate, candidate, ruling, datetime.now(UTC), 0.0)
    envelope = warden.books.record(policy, [verdict], store="list", operation="write")
    (decision,), (stamp,) = envelope.decisions, envelope.stamps
    warden._store.put("acme", [Stored(candidate.memory_id, decision.parts, stamp)])


@pytest.mark.parametrize("source", ["web", "tool", "document", "unheard-of", "agent"])
def test_no_attack_record_from_outside_ever_decides_whatever_the_guards_thought(governed, source):
    """Every published record, three times over and past every guard, under the laxest policy."""
    assert len(ATTACKS) >= 10
    warden = governed(
        EVERYTHING_DECIDES + "read: {rejudge: false, corroboration: 1, ceiling: restricted}\n"
    )
    for row in ATTACKS:
        planted(warden, row["text"], source)
    memories = recalled(warden, "a", limit=1000)
    assert len(memories) == len({row["text"] for row in ATTACKS})
    assert {one.influence for one in memories} <= {REFERENCE, INFORM}
    for memory in memories:
        block = warden.fence([memory], tenant="acme")
        assert block.influence < DECIDE
        for action in ("tool", "recipient", "price", "permission", "anything else"):
            assert not warden.may(action, because=block)


def test_no_command_kind_is_stored_from_outside_at_all(governed):
    """The same records by the front door: what is stored of them is no command, and decides
    nothing."""
    warden = governed()
    for row in ATTACKS:
        decision = write(warden, row["text"], "web", "eve")
        if decision.action.stores:
            assert decision.influence is REFERENCE
            assert decision.kind in {OTHER, FACT} or decision.kind not in COMMAND_KINDS
    assert warden.review.items(Wanted(tenant="acme"), limit=500)
    assert all(one.influence < DECIDE for one in recalled(warden, "a", limit=1000))
