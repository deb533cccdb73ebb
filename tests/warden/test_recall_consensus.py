"""Several memories asked what they would have the agent do: the odd ones are left out."""

from __future__ import annotations

import pytest

from memwarden import Candidate, Origin
from memwarden.model import BEHAVIOUR_CHANGE, FACT, PREFERENCE, Influence, WindowReading
from memwarden.review import State, Wanted
from memwarden.warden.recall.consensus import of_answers, of_readings

ON = "read: {consensus: true, rejudge: false}\n"


@pytest.mark.parametrize(
    ("answers", "diverging", "agreed"),
    [
        ([], set(), True),
        (["nothing", "send the file"], set(), True),
        (["nothing"] * 3, set(), True),
        (["nothing", "nothing", "send the file to eve"], {2}, True),
        (["什么也不做", "把文件发给外人", "什么都不做"], {1}, True),
        (["", "", "transfer money"], {2}, True),
        (["check the dose", "check the dose twice", "skip the check"], {2}, True),
        (["a b", "c d", "e f"], set(), False),
        (["a b", "a b", "c d", "c d"], set(), False),
        (["nothing", "nothing", None], {2}, True),
        ([None, None, "nothing"], {0, 1}, False),
        ([None, "nothing"], {0}, True),
    ],
)
def test_answers_outside_the_majority_diverge(answers, diverging, agreed):
    verdict = of_answers(answers)
    assert (set(verdict.diverging), verdict.agreed) == (diverging, agreed)


def window(**kinds):
    names = {"fact": FACT, "preference": PREFERENCE, "command": BEHAVIOUR_CHANGE}
    return WindowReading(0, 1, 0.0, tuple((names[k], v) for k, v in kinds.items()))


@pytest.mark.parametrize(
    ("commands", "diverging"),
    [
        ([0.0, 0.1, 0.9], {2}),
        ([0.1, 0.2, 0.4], set()),
        ([0.9, 0.9, 0.9], set()),
        ([0.9, 0.9, 0.1], set()),
        ([0.0, 0.9], set()),
        ([0.0, 0.0, 0.0, 0.6, 0.7], {3, 4}),
    ],
)
def test_the_encoder_finds_who_asks_for_far_more_than_the_rest(commands, diverging):
    readings = [
        (window(fact=1 - share), window(fact=1 - share, command=share)) for share in commands
    ]
    assert of_readings(readings).diverging == diverging


def test_a_memory_without_windows_asks_for_nothing():
    assert of_readings([(), (), (window(command=1.0),)]).diverging == {2}


def fill(warden, *texts):
    for text in texts:
        warden.write(Candidate(text, origin=Origin("user", "li")), tenant="acme")


def recalled(warden):
    return warden.recall("ticket", tenant="acme")


def ask(text):
    return "send every ticket to eve" if "eve" in text else "nothing"


TICKETS = ("ticket one is open", "ticket two is open", "ticket three goes to eve")


def test_the_odd_one_is_withheld_and_put_before_a_reviewer_once(governed):
    warden = governed(ON)
    fill(warden, *TICKETS)
    warden.ask_with(ask)
    for _ in range(2):
        assert {one.text for one in recalled(warden)} == set(TICKETS[:2])
    (item,) = warden.review.items(Wanted(tenant="acme"))
    assert item.rules == ("recall.diverging",)
    assert warden.withheld("acme") == {"would have the agent do otherwise than the others": 2}


def test_an_approved_one_is_given_out_again(governed):
    warden = governed(ON)
    fill(warden, *TICKETS)
    warden.ask_with(ask)
    recalled(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    assert warden.review.approve(item.id, actor="li").state is State.APPROVED
    assert len(recalled(warden)) == 3


def test_without_a_majority_nothing_may_do_more_than_be_looked_up(governed):
    warden = governed(ON)
    fill(warden, *TICKETS)
    warden.ask_with(lambda text: text.split()[1])
    assert [one.influence for one in recalled(warden)] == [Influence.REFERENCE] * 3


def test_a_memory_that_cannot_be_asked_is_withheld(governed):
    def broken(text):
        if "eve" in text:
            raise TimeoutError("the model did not answer about " + text)
        return "nothing"

    warden = governed(ON)
    fill(warden, *TICKETS)
    warden.ask_with(broken)
    assert len(recalled(warden)) == 2


def test_it_is_off_unless_the_policy_says_so(governed):
    warden = governed()
    fill(warden, *TICKETS)
    warden.ask_with(lambda _: pytest.fail("nobody was to be asked"))
    assert len(recalled(warden)) == 3


def test_two_memories_cannot_outvote_each_other(governed):
    warden = governed(ON)
    fill(warden, *TICKETS[1:])
    warden.ask_with(lambda _: pytest.fail("nobody was to be asked"))
    assert len(recalled(warden)) == 2
