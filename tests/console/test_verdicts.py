"""Verdicts: by whom, on what they saw, recorded with who and why."""

from __future__ import annotations

import re

import pytest

from memwarden import review
from memwarden.ledger import Reveal, ReviewStep, show
from memwarden.review import Move, State


def item(warden, item_id):
    with warden.books.database.read() as conn:
        return review.get(conn, item_id)


def events(warden, item_id):
    with warden.books.database.read() as conn:
        return [event.body for event in show(conn, "acme", item_id).events]


def stored(warden):
    return ["\n".join(p.text for p in one.parts) for one in warden._store.scan("acme")]


@pytest.mark.parametrize(
    ("move", "fields", "state", "kept"),
    [
        ("approve", {}, State.APPROVED, "sam.lee@example.com"),
        ("approve_redacted", {}, State.APPROVED_REDACTED, "<EMAIL_ADDRESS"),
        ("edit", {"text": "Sam asked about refunds"}, State.EDITED, "Sam asked about refunds"),
        ("reject", {}, State.REJECTED, ""),
    ],
)
def test_a_verdict_moves_the_item_and_goes_on(signed_in, held, warden, move, fields, state, kept):
    li = signed_in("li")
    assert li.get(f"/items/{held}/{move}").status_code == 200
    answer = li.post(f"/items/{held}/{move}", version="1", reason="seen", **fields)
    assert answer.status_code == 303
    assert item(warden, held).state is state
    assert (kept in stored(warden)[0]) if kept else stored(warden) == []
    (step, *_) = [one for one in events(warden, held) if isinstance(one, ReviewStep)]
    assert step.move == move
    assert step.actor
    assert step.actor != "li"
    assert [ref.purpose for ref in step.seals if ref.purpose == "reason"] == ["reason"]


def test_after_a_verdict_the_next_item_is_shown_with_a_way_to_undo(signed_in, hold):
    first, second = hold(), hold()
    li = signed_in("li")
    answer = li.post(f"/items/{first}/reject", version="1")
    assert answer.headers["location"] == f"/items/{second}"
    page = li.get(f"/items/{second}").text
    assert "rejected. Nothing was stored" in page
    assert f"/items/{first}/undo" in page
    assert f"/items/{first}/undo" not in li.get(f"/items/{second}").text


def test_undo_takes_what_was_written_out_again(signed_in, held, warden):
    li = signed_in("li")
    li.post(f"/items/{held}/approve", version="1")
    assert len(stored(warden)) == 1
    li.post(f"/items/{held}/undo", version=str(item(warden, held).version))
    assert item(warden, held).state is State.PENDING
    assert stored(warden) == []


def test_restore_reopens_what_was_rejected(signed_in, held, warden):
    li = signed_in("li")
    li.post(f"/items/{held}/reject", version="1")
    li.post(f"/items/{held}/restore", version=str(item(warden, held).version))
    assert item(warden, held).state is State.PENDING


def test_a_verdict_on_what_somebody_else_changed_meanwhile_does_nothing(signed_in, held, warden):
    li, wang = signed_in("li"), signed_in("wang")
    wang.post(f"/items/{held}/claim", version="1")
    wang.post(f"/items/{held}/claim", version="2", give_back="1")
    answer = li.post(f"/items/{held}/approve", version="1")
    assert answer.status_code == 409
    assert item(warden, held).state is State.PENDING
    assert stored(warden) == []


def test_a_claim_keeps_others_away(signed_in, held, warden):
    li, wang = signed_in("li"), signed_in("wang")
    assert wang.post(f"/items/{held}/claim", version="1").status_code == 303
    assert "yours for" in wang.get(f"/items/{held}").text
    assert "wang is looking at this" in li.get(f"/items/{held}").text
    assert li.post(f"/items/{held}/approve", version="2").status_code == 409
    assert wang.post(f"/items/{held}/reject", version="2").status_code == 303
    assert item(warden, held).state is State.REJECTED


def test_a_critical_item_needs_a_second_person(signed_in, hold, warden):
    def critical(conn, held):
        conn.execute("UPDATE review_item SET critical = 1 WHERE id = ?", (held,))

    held = hold()
    warden.books.database.write(lambda conn: critical(conn, held))
    li, wang = signed_in("li"), signed_in("wang")
    assert "second person" in li.get(f"/items/{held}/approve").text
    li.post(f"/items/{held}/approve", version="1")
    assert item(warden, held).state is State.AWAITING_SECOND
    assert f"/items/{held}/confirm" not in li.get(f"/items/{held}").text
    version = str(item(warden, held).version)
    assert li.post(f"/items/{held}/confirm", version=version).status_code == 409
    assert stored(warden) == []
    version = str(item(warden, held).version)
    li.post(f"/items/{held}/claim", version=version, give_back="1")
    version = str(item(warden, held).version)
    assert wang.post(f"/items/{held}/confirm", version=version).status_code == 303
    assert item(warden, held).state is State.APPROVED


def test_a_rejection_can_be_a_lesson_in_the_same_step(signed_in, held, warden):
    signed_in("li").post(f"/items/{held}/reject", version="1", lesson="1")
    assert [one.hostile for one in warden.lessons("acme")] == [True]


def test_an_approval_can_teach_that_the_text_is_harmless(signed_in, held, warden):
    signed_in("li").post(f"/items/{held}/approve", version="1", harmless="1")
    assert [one.hostile for one in warden.lessons("acme")] == [False]


def test_revealing_asks_for_a_reason_and_is_recorded(signed_in, held, warden):
    li = signed_in("li")
    assert li.post(f"/items/{held}/reveal", reason=" ").status_code == 400
    assert not [one for one in events(warden, held) if isinstance(one, Reveal)]
    page = li.post(f"/items/{held}/reveal", reason="customer asked")
    assert "sam.lee@example.com" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert [one.actor != "" for one in events(warden, held) if isinstance(one, Reveal)] == [True]
    assert "sam.lee" not in li.get(f"/items/{held}").text


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/items/{held}/approve", {"version": "one"}, 400),
        ("/items/{held}/approve", {}, 400),
        ("/items/{held}/edit", {"version": "1", "text": "  "}, 400),
        ("/items/{held}/explode", {"version": "1"}, 404),
        ("/items/{held}/expire", {"version": "1"}, 404),
        ("/items/{held}/confirm", {"version": "1"}, 409),
        ("/items/{held}/approve", {"version": "1", "reason": "x" * 2001}, 400),
        ("/items/nothing/approve", {"version": "1"}, 404),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_helpful_page(
    signed_in, held, warden, path, fields, status
):
    answer = signed_in("li").post(path.format(held=held), **fields)
    assert answer.status_code == status
    assert "<h1>" in answer.text
    assert item(warden, held).state is State.PENDING
    assert stored(warden) == []


def test_every_verdict_has_a_form(signed_in, held):
    li = signed_in("li")
    for move in Move:
        if move in (Move.EXPIRE, Move.APPLIED, Move.FAILED):
            assert li.get(f"/items/{held}/{move}").status_code == 404
        else:
            page = li.get(f"/items/{held}/{move}")
            assert re.search(f'action="/items/{held}/{move}"', page.text)


def test_htmx_gets_the_form_alone(signed_in, held):
    page = signed_in("li").get(f"/items/{held}/approve", headers={"hx-request": "true"})
    assert page.text.lstrip().startswith("<form")
