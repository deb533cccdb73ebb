"""The transition table, read as the specification: what may happen to an item, and what may not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.errors import ReviewConflict, UsageError
from memwarden.model import FACT, Action, Severity, Tier
from memwarden.review import TABLE, Effect, Item, Move, State, claim, make_move, moves_from, release

M, S, E = Move, State, Effect

PATHS = [
    # what people and writers do, then where it ends and what the store was asked to do
    ([], S.PENDING, []),
    ([M.APPROVE], S.AWAITING_WRITER, [E.WRITE_ORIGINAL]),
    ([M.APPROVE, M.APPLIED], S.APPROVED, [E.WRITE_ORIGINAL]),
    ([M.APPROVE_REDACTED, M.APPLIED], S.APPROVED_REDACTED, [E.WRITE_REDACTED]),
    ([M.EDIT, M.APPLIED], S.EDITED, [E.WRITE_EDITED]),
    ([M.APPROVE, M.FAILED], S.PENDING, [E.WRITE_ORIGINAL]),
    ([M.APPROVE, M.UNDO], S.PENDING, [E.WRITE_ORIGINAL]),
    ([M.APPROVE, M.APPLIED, M.UNDO], S.PENDING, [E.WRITE_ORIGINAL, E.REMOVE]),
    ([M.REJECT], S.REJECTED, []),
    ([M.REJECT, M.UNDO], S.PENDING, []),
    ([M.REJECT, M.RESTORE, M.APPROVE, M.APPLIED], S.APPROVED, [E.WRITE_ORIGINAL]),
    ([M.EXPIRE], S.EXPIRED, []),
    ([M.EXPIRE, M.RESTORE], S.PENDING, []),
    (
        [M.APPROVE_REDACTED, M.APPLIED, M.RESTORE, M.APPLIED],
        S.APPROVED,
        [E.WRITE_REDACTED, E.WRITE_ORIGINAL],
    ),
    (
        [M.APPROVE_REDACTED, M.APPLIED, M.RESTORE, M.FAILED],
        S.APPROVED_REDACTED,
        [E.WRITE_REDACTED, E.WRITE_ORIGINAL],
    ),
    (
        [M.APPROVE_REDACTED, M.APPLIED, M.RESTORE, M.UNDO, M.UNDO],
        S.PENDING,
        [E.WRITE_REDACTED, E.WRITE_ORIGINAL, E.REMOVE],
    ),
]


def walk(item, moves, noon, actor="li"):
    effects = []
    for move in moves:
        seal = "edited" if move is M.EDIT else ""
        who = "" if move in (M.EXPIRE, M.APPLIED, M.FAILED) else actor
        made = make_move(item, move, who, noon, edit_seal=seal)
        item = made.after
        if made.effect is not E.NONE:
            effects.append(made.effect)
    return item, effects


@pytest.mark.parametrize(("moves", "state", "effects"), PATHS)
def test_paths_through_the_table(item, noon, moves, state, effects):
    end, asked = walk(item(), moves, noon)
    assert (end.state, asked) == (state, effects)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("move", Move)
def test_what_the_table_does_not_know_is_a_conflict_that_says_what_is_possible(
    item, noon, state, move
):
    stuck = item(state=state, verdict=M.APPROVE, decided_by="li")
    if (state, move) in TABLE:
        assert move in moves_from(stuck)
        return
    with pytest.raises(ReviewConflict, match=rf"i1 is {state}: {move} is not possible, only: \w+"):
        make_move(stuck, move, "wang", noon)


def test_every_state_can_be_left_but_only_by_somebody_if_it_is_settled(item):
    for state in State:
        able = moves_from(item(state=state))
        assert able
        if not state.open:
            assert set(able) <= {M.UNDO, M.RESTORE}


class TestTwoPersons:
    def test_a_critical_item_waits_for_a_second_person(self, item, noon):
        waiting, effects = walk(item(critical=True), [M.APPROVE], noon)
        assert (waiting.state, effects) == (S.AWAITING_SECOND, [])
        confirmed = make_move(waiting, M.CONFIRM, "wang", noon)
        assert (confirmed.after.state, confirmed.effect) == (S.AWAITING_WRITER, E.WRITE_ORIGINAL)
        assert walk(confirmed.after, [M.APPLIED], noon)[0].state is S.APPROVED

    def test_the_same_person_cannot_be_both(self, item, noon):
        waiting, _ = walk(item(critical=True), [M.APPROVE], noon)
        with pytest.raises(ReviewConflict, match="a second person has to confirm"):
            make_move(waiting, M.CONFIRM, "li", noon)

    def test_one_person_can_reject(self, item, noon):
        assert walk(item(critical=True), [M.REJECT], noon)[0].state is S.REJECTED
        waiting, _ = walk(item(critical=True), [M.APPROVE], noon)
        assert make_move(waiting, M.REJECT, "wang", noon).after.state is S.REJECTED

    def test_an_unconfirmed_verdict_expires_unwritten(self, item, noon):
        end, effects = walk(item(critical=True), [M.EDIT, M.EXPIRE], noon)
        assert (end.state, effects) == (S.EXPIRED, [])

    def test_refusing_to_restore_leaves_it_redacted(self, item, noon):
        stored, _ = walk(item(), [M.APPROVE_REDACTED, M.APPLIED], noon)
        waiting, _ = walk(item(state=stored.state, critical=True), [M.RESTORE], noon)
        assert waiting.state is S.AWAITING_SECOND
        assert make_move(waiting, M.REJECT, "wang", noon).after.state is S.APPROVED_REDACTED


class TestClaims:
    LEASE = timedelta(minutes=10)

    def test_a_claimed_item_is_closed_to_others_until_the_claim_ends(self, item, noon):
        mine = claim(item(), "li", noon, self.LEASE)
        for attempt in (
            lambda: make_move(mine, M.APPROVE, "wang", noon),
            lambda: claim(mine, "wang", noon, self.LEASE),
            lambda: release(mine, "wang", noon),
        ):
            with pytest.raises(ReviewConflict, match="claimed by another reviewer until"):
                attempt()
        later = noon + self.LEASE
        assert make_move(mine, M.APPROVE, "wang", later).after.decided_by == "wang"
        assert claim(mine, "wang", later, self.LEASE).claimed_by == "wang"

    def test_the_claimer_decides_and_the_claim_ends_with_it(self, item, noon):
        mine = claim(item(), "li", noon, self.LEASE)
        assert make_move(mine, M.REJECT, "li", noon).after.claimed_by == ""
        assert release(mine, "li", noon).claimed_by == ""

    def test_what_is_settled_cannot_be_claimed(self, item, noon):
        with pytest.raises(ReviewConflict, match="nothing to decide"):
            claim(item(state=S.REJECTED), "li", noon, self.LEASE)

    def test_time_and_writers_pass_claims(self, item, noon):
        mine = claim(item(), "li", noon, self.LEASE)
        assert make_move(mine, M.EXPIRE, "", noon).after.state is S.EXPIRED


def test_a_person_has_a_name(item, noon):
    with pytest.raises(UsageError, match="name of the person"):
        make_move(item(), M.APPROVE, "", noon)
    with pytest.raises(UsageError, match="name of the person"):
        claim(item(), "", noon, timedelta(minutes=1))


@pytest.mark.parametrize(("move", "seal"), [(M.EDIT, ""), (M.APPROVE, "s")])
def test_an_edit_comes_with_its_text(item, noon, move, seal):
    with pytest.raises(UsageError, match="edit"):
        make_move(item(), move, "li", noon, edit_seal=seal)


@given(st.lists(st.sampled_from(list(Move)), max_size=12), st.booleans())
def test_nothing_is_written_without_a_verdict_and_twice_without_a_removal(moves, critical):
    """Whatever is tried in whatever order, the store and the state agree."""
    noon = datetime(2026, 11, 24, tzinfo=UTC)
    item = Item(
        "i", "t", "d", "s", "m", Action.HOLD, FACT, Tier.DERIVED, Severity.LOW, "web", "o", noon,
        noon, critical=critical,
    )  # fmt: skip
    stored = False
    for number, move in enumerate(moves):
        actor = f"person {number}"
        try:
            made = make_move(item, move, actor, noon, edit_seal="e" if move is M.EDIT else "")
        except ReviewConflict:
            continue
        if move is M.APPLIED:
            stored = True
        if made.effect is Effect.REMOVE:
            assert stored
            stored = False
        item = made.after
        if not item.state.open:
            assert stored == (item.state in (S.APPROVED, S.APPROVED_REDACTED, S.EDITED))
        if item.state is S.PENDING:
            assert not stored
