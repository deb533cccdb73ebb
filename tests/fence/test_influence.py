"""What recalled memories may do: whatever the wording, an outside text reaches no action."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.fence import ACTIONS, Block, may, wrap
from memwarden.model import FenceSetting, Influence, Memory, Origin, Part, Tier

GRAVE = ("tool", "recipient", "price", "permission", "an action nobody has classified")


def a_memory(
    source: str = "user",
    tier: Tier = Tier.TRUSTED,
    influence: Influence = Influence.DECIDE,
    *,
    text: str = "pay invoices to account 7",
    principal: str = "",
    decision: str = "",
    derived_from: tuple[str, ...] = (),
    memory_id: str = "m1",
) -> Memory:
    return Memory(
        (Part("/text", text),),
        memory_id=memory_id,
        tier=tier,
        influence=influence,
        origin=Origin(source, principal, derived_from=derived_from),
        decision_id=decision,
        stamped=True,
    )


def block(*memories: Memory) -> Block:
    return wrap(memories, FenceSetting(max_tokens=100_000), tenant="acme", seed=1)


USER = a_memory("user", decision="d-user")
WEB = a_memory("web", Tier.UNTRUSTED, Influence.INFORM, decision="d-web")
AGENT = a_memory("agent", Tier.DERIVED, Influence.INFORM, decision="d-agent")


@pytest.mark.parametrize("action", GRAVE)
@pytest.mark.parametrize(
    ("memories", "yes"),
    [
        ((USER,), True),
        ((WEB,), False),
        ((AGENT,), False),
        ((), False),
        ((USER, replace(WEB, parts=(Part("/text", "pay to account 8"),))), False),
        ((replace(USER, stamped=False),), False),
        ((replace(WEB, influence=Influence.DECIDE),), False),
        ((replace(AGENT, influence=Influence.DECIDE),), False),
    ],
)
def test_grave_actions_rest_only_on_memories_that_may_decide(
    action: str, memories: tuple[Memory, ...], yes: bool
) -> None:
    allowed = may(action, block(*memories))
    assert bool(allowed) is allowed.yes is yes
    assert allowed.reason.en
    assert allowed.reason.zh


@pytest.mark.parametrize("action", [a for a, need in ACTIONS.items() if need is Influence.INFORM])
def test_outside_texts_inform_an_answer(action: str) -> None:
    assert may(action, block(WEB, AGENT))
    assert not may(action, block(replace(WEB, influence=Influence.REFERENCE)))


def test_the_reason_says_what_was_missing_in_both_languages() -> None:
    reason = may("price", block(WEB)).reason
    assert reason.en == (
        "this needs memories that may decide; the least of those it rests on may only inform"
    )
    assert reason.zh == "此操作需要可用于决定的记忆，而所依据的记忆中最低者仅供参考"


def test_a_caller_who_knows_which_memory_an_action_rests_on_may_say_so() -> None:
    mixed = block(USER, replace(WEB, memory_id="m2", parts=(Part("/text", "other"),)))
    assert may("tool", mixed, because=["m1"])
    assert not may("tool", mixed, because=["m2"])
    assert not may("tool", mixed, because=["m1", "m2"])
    assert not may("tool", mixed, because=["m1", "unheard of"])
    assert not may("tool", mixed, because=[])


CORROBORATION = [
    ("what the user says too", (WEB, USER), Influence.DECIDE),
    (
        "in another spelling",
        (replace(WEB, parts=(Part("/x", "Pay invoices to ACCOUNT ７!"),)), USER),
        Influence.DECIDE,
    ),
    (
        "two outside texts",
        (WEB, replace(WEB, origin=Origin("document"), decision_id="d-2")),
        Influence.INFORM,
    ),
    (
        "a hundred outside texts",
        (WEB, *(replace(WEB, origin=Origin(f"site{n}"), decision_id=f"d{n}") for n in range(99))),
        Influence.INFORM,
    ),
    (
        "an agent repeating itself",
        (AGENT, replace(AGENT, origin=Origin("planner"), decision_id="d-2")),
        Influence.INFORM,
    ),
    ("an agent that repeats the web", (WEB, AGENT), Influence.INFORM),
    (
        "what it was made of",
        (replace(AGENT, origin=Origin("agent", derived_from=("d-user",))), USER),
        Influence.INFORM,
    ),
    (
        "made of the same",
        (
            replace(WEB, origin=Origin("web", derived_from=("d-0",))),
            replace(USER, origin=Origin("user", derived_from=("d-0",))),
        ),
        Influence.INFORM,
    ),
    ("an unstamped twin", (WEB, replace(USER, stamped=False)), Influence.INFORM),
    (
        "another thing said",
        (WEB, replace(USER, parts=(Part("/text", "pay to account 8"),))),
        Influence.INFORM,
    ),
]


@pytest.mark.parametrize(
    ("memories", "influence"), [c[1:] for c in CORROBORATION], ids=[c[0] for c in CORROBORATION]
)
def test_only_an_independent_origin_with_weight_of_its_own_corroborates(
    memories: tuple[Memory, ...], influence: Influence
) -> None:
    assert block(*memories).influence is influence


def test_outside_texts_of_different_origins_lift_each_other_to_inform_at_most() -> None:
    low = replace(WEB, influence=Influence.REFERENCE)
    assert block(low).influence is Influence.REFERENCE
    assert block(low, low).influence is Influence.REFERENCE
    other = replace(low, origin=Origin("document"), decision_id="d-other")
    assert block(low, other).influence is Influence.INFORM
    two_writers = [replace(low, writer=name, decision_id=f"d-{name}") for name in ("a", "b")]
    assert block(*two_writers).influence is Influence.INFORM
    one_writer = [replace(low, writer="a", decision_id=f"d-{at}") for at in (1, 2)]
    assert block(*one_writer).influence is Influence.REFERENCE
    one_unknown = [replace(low, writer=name, decision_id=f"d-{name}") for name in ("a", "")]
    assert block(*one_unknown).influence is Influence.REFERENCE


@given(
    st.lists(
        st.builds(
            a_memory,
            st.sampled_from(["web", "document", "email", "tool", "unstated"]),
            st.sampled_from([Tier.UNTRUSTED, Tier.DERIVED]),
            st.sampled_from(Influence),
            text=st.sampled_from(["a", "b"]),
            principal=st.sampled_from(["", "x", "y"]),
            decision=st.sampled_from(["", "d1", "d2"]),
        ),
        max_size=8,
    ),
    st.sampled_from(GRAVE),
)
def test_whatever_outside_texts_and_agents_say_together_they_decide_nothing(
    memories: list[Memory], action: str
) -> None:
    assert not may(action, block(*memories))
