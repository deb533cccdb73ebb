"""What doctor says of envelopes that have no receipt, and what closes them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memwarden import ledger
from memwarden.ledger import Case, Fate, Outcome, Outcomes, Presence, Unfinished, diagnose
from memwarden.model import Action


@pytest.fixture
def envelope(leaf):
    def make(*actions: Action, age: float = 3600) -> Unfinished:
        leaves = tuple(
            leaf(f"d{i}", action=action, memory=f"m{i}") for i, action in enumerate(actions)
        )
        return Unfinished("acme", 12, "memories", "upsert", age, leaves)

    return make


def says(*stored: str):
    return lambda store, leaf: Presence.STORED if leaf.id in stored else Presence.ABSENT


A, R, H = Action.ALLOW, Action.REDACT, Action.HOLD


@pytest.mark.parametrize(
    ("actions", "stored", "case", "fates", "words"),
    [
        ((A,), ("d0",), Case.COMPLETE, {0: Fate.STORED}, "its receipt was lost"),
        ((A,), (), Case.NEVER_HAPPENED, {0: Fate.ABANDONED}, "never reached the store"),
        (
            (A, H, R),
            ("d2",),
            Case.PARTIAL,
            {0: Fate.ABANDONED, 2: Fate.STORED},
            "reached the store in part: 1 of 2",
        ),
        ((A, H, R), ("d0", "d2"), Case.COMPLETE, {0: Fate.STORED, 2: Fate.STORED}, "2 of 2"),
    ],
)
def test_the_store_settles_the_case(envelope, actions, stored, case, fates, words):
    (diagnosis,) = diagnose([envelope(*actions)], says(*stored))
    assert diagnosis.case is case
    assert {o.position: o.fate for o in diagnosis.repair.outcomes} == fates
    assert diagnosis.repair.by == "doctor"
    assert words in diagnosis.words.en
    assert "第 12 号信封" in diagnosis.words.zh


def test_a_young_envelope_is_let_be_without_asking(envelope):
    def never(store, leaf):
        raise AssertionError("the store was asked")

    (diagnosis,) = diagnose([envelope(A, age=5)], never)
    assert (diagnosis.case, diagnosis.repair) == (Case.IN_PROGRESS, None)


def test_a_store_out_of_reach_leaves_the_case_open(envelope):
    (diagnosis,) = diagnose([envelope(A, A)], lambda store, leaf: Presence.UNREACHABLE)
    assert (diagnosis.case, diagnosis.repair) == (Case.UNKNOWN, None)
    assert "cannot be asked from here" in diagnosis.words.en


def test_what_was_held_is_not_asked_for(envelope):
    asked = []
    diagnose([envelope(A, H)], lambda store, leaf: asked.append(leaf.id) or Presence.STORED)
    assert asked == ["d0"]


def test_a_repair_closes_the_envelope_and_the_ledger_still_verifies(book, leaf):
    book.intend(leaf("a"), leaf("b", action=Action.HOLD), leaf("c"))
    with book.db.read() as conn:
        waiting = ledger.unfinished(conn, book.now() + timedelta(hours=1))
    (diagnosis,) = diagnose(waiting, says("c"))
    book.append(diagnosis.repair)
    with book.db.read() as conn:
        assert ledger.unfinished(conn, book.now()) == ()
        outcomes = [ledger.show(conn, "acme", name).outcome for name in ("a", "b", "c")]
    assert outcomes[0] == Outcome(0, Fate.ABANDONED)
    assert outcomes[1] is None
    assert outcomes[2].fate is Fate.STORED
    assert book.verify() == []


def test_a_repair_cannot_be_made_twice(book, leaf):
    book.intend(leaf("a"))
    repair = Outcomes(0, (Outcome(0, Fate.ABANDONED),), by="doctor")
    book.append(repair)
    with pytest.raises(Exception, match="awaits no receipt"):
        book.append(repair)
