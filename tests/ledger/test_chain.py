"""Appending, asking, telling a story."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from memwarden import ledger
from memwarden.errors import LedgerUnavailable, UnknownTenant, UsageError
from memwarden.ledger import Filter, Intent, Outcomes, Reveal, ReviewStep, Tombstone
from memwarden.model import Action


def test_records_count_from_zero_per_tenant_and_link_to_the_one_before(book, leaf):
    entries = [book.intend(leaf("a")), book.intend(leaf("b")), book.intend(leaf("c"), tenant="b")]
    assert [(e.tenant, e.seq) for e in entries] == [("acme", 0), ("acme", 1), ("b", 0)]
    with book.db.read() as conn:
        rows = conn.execute("SELECT prev, hash FROM record WHERE tenant = 'acme'").fetchall()
    assert rows[0][0] == bytes(32)
    assert rows[1][0] == rows[0][1]


def test_an_envelope_needs_decisions_and_a_tenant(book, leaf):
    with pytest.raises(UsageError, match="without decisions"):
        book.append(Intent("s", "upsert", "r", ()))
    with pytest.raises(UnknownTenant):
        book.intend(leaf("a"), tenant="")


def test_one_decision_id_is_recorded_once(book, leaf):
    book.intend(leaf("a"))
    with pytest.raises(LedgerUnavailable, match="UNIQUE"):
        book.intend(leaf("a"))
    assert book.verify() == []


@pytest.mark.parametrize("positions", [(), (0, 1), (1,), (0, 2, 2), (0, 1, 2, 3)])
def test_a_receipt_answers_each_stored_decision_exactly_once(book, leaf, positions):
    book.intend(leaf("a"), leaf("b", action=Action.HOLD), leaf("c", action=Action.REDACT))
    with pytest.raises(UsageError, match="exactly once"):
        book.append(Outcomes(0, tuple(ledger.Outcome(p, ledger.Fate.STORED) for p in positions)))
    book.receive(0, 0, 2)
    assert book.verify() == []


def test_a_second_receipt_and_one_for_nothing_are_refused(book, leaf):
    book.intend(leaf("a"))
    book.receive(0)
    for intent in (0, 5):
        with pytest.raises(UsageError, match="awaits no receipt"):
            book.receive(intent)


def test_what_stores_nothing_awaits_no_receipt(book, leaf, noon):
    book.intend(leaf("a", action=Action.HOLD), leaf("b", action=Action.SKIP))
    book.intend(leaf("c"))
    with book.db.read() as conn:
        (open_one,) = ledger.unfinished(conn, noon + timedelta(seconds=90))
    assert (open_one.seq, open_one.store, [each.id for each in open_one.leaves]) == (
        1,
        "memories",
        ["c"],
    )
    assert 89 < open_one.age_seconds < 90


def test_the_tail_filters_and_pages(book, leaf, finding, noon):
    for i in range(10):
        action = Action.REJECT if i % 2 else Action.ALLOW
        book.intend(
            leaf(
                f"d{i}",
                action=action,
                origin=f"o{i % 3}",
                at=noon + timedelta(seconds=i),
                findings=(finding,) if i % 2 else (),
            )
        )

    def tail(*args, **kwargs):
        with book.db.read() as conn:
            return [e.leaf.id for e in ledger.tail(conn, *args, **kwargs)]

    assert tail("acme", limit=3) == ["d9", "d8", "d7"]
    assert tail("acme", Filter(action=Action.REJECT), limit=2) == ["d9", "d7"]
    assert tail("acme", Filter(origin="o0")) == ["d9", "d6", "d3", "d0"]
    assert tail("acme", Filter(rule=finding.rule, origin="o0")) == ["d9", "d3"]
    assert tail("acme", Filter(since=noon + timedelta(seconds=7))) == ["d9", "d8", "d7"]
    assert tail("acme", Filter(until=noon + timedelta(seconds=2))) == ["d1", "d0"]
    with book.db.read() as conn:
        seventh = ledger.find(conn, "acme", "d7")
    assert tail("acme", limit=2, before=seventh) == ["d6", "d5"]
    assert tail("acme", Filter(action=Action.REJECT), before=seventh) == ["d5", "d3", "d1"]
    assert tail("acme", Filter(rule=finding.rule), before=seventh) == ["d5", "d3", "d1"]
    assert tail("other") == []


def test_the_tail_of_all_tenants_is_ordered_by_time(book, leaf, noon):
    for i, tenant in enumerate(["a", "b", "a", "c"]):
        book.intend(leaf(f"d{i}", at=noon + timedelta(seconds=i)), tenant=tenant)
    with book.db.read() as conn:
        assert [e.leaf.id for e in ledger.tail(conn, limit=3)] == ["d3", "d2", "d1"]


@pytest.mark.parametrize(
    "where",
    [
        Filter(),
        Filter(action=Action.REJECT),
        Filter(origin="o1"),
        Filter(origin="o1", action=Action.HOLD),
        Filter(rule="a.rule"),
    ],
    ids=str,
)
@pytest.mark.parametrize("window", [False, True])
def test_every_list_is_read_off_an_index_in_order(book, leaf, noon, where, window):
    book.intend(leaf("d1"))
    if window:
        where = replace(where, since=noon - timedelta(days=1), until=noon + timedelta(days=1))
    said = []
    with book.db.read() as conn:
        conn.set_trace_callback(said.append)
        list(ledger.tail(conn, "acme", where, before=ledger.find(conn, "acme", "d1")))
        conn.set_trace_callback(None)
        (sql,) = (each for each in said if "ORDER BY" in each)
        plan = " ".join(row[3] for row in conn.execute("EXPLAIN QUERY PLAN " + sql))
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan


def test_a_story_tells_everything_that_happened(book, leaf, finding):
    book.intend(leaf("other"), leaf("d1", subject="s" * 32, findings=(finding,)))
    book.receive(0, 0, 1)
    book.append(ReviewStep("d1", "i1", "undo", "approved", "pending", "actor"))
    book.append(Reveal("d1", "seal", "actor"))
    book.append(Tombstone("s" * 32, 1, 1))
    book.append(Reveal("other", "seal", "actor"))
    with book.db.read() as conn:
        story = ledger.show(conn, "acme", "d1")
        with pytest.raises(UsageError, match="no decision 'd2'"):
            ledger.show(conn, "acme", "d2")
    assert story.entered.leaf.findings == (finding,)
    assert (story.store, story.policy, story.models) == ("memories", "rev-1", ("model-1",))
    assert story.outcome == ledger.Outcome(1, ledger.Fate.STORED, "m")
    assert [type(event.body).__name__ for event in story.events] == [
        "ReviewStep",
        "Reveal",
        "Tombstone",
    ]


def test_what_was_derived_from_a_memory_can_be_followed(book, leaf):
    book.intend(leaf("a"))
    book.intend(leaf("b", derived_from=("a",)), leaf("c", derived_from=("a", "b")))
    with book.db.read() as conn:
        assert [e.leaf.id for e in ledger.derived_from(conn, "acme", "a")] == ["b", "c"]
        assert [e.leaf.id for e in ledger.derived_from(conn, "acme", "b")] == ["c"]


def test_tombstones_can_be_listed_for_replay(book, leaf):
    book.intend(leaf("a"))
    book.append(Tombstone("one", 1, 1))
    book.append(Tombstone("two", 1, 1))
    with book.db.read() as conn:
        assert ledger.tombstones(conn, "acme") == ("one", "two")


def test_exported_lines_can_be_verified_with_sha256_alone(book, leaf):
    book.fill(20)
    book.intend(leaf("x"), leaf("y", action=Action.HOLD))
    with book.db.read() as conn:
        lines = list(ledger.export(conn, "acme"))
        assert list(ledger.export(conn, "acme", 3, 5)) == lines[3:6]
    previous = "00" * 32
    for seq, line in enumerate(lines):
        whole = json.loads(line)
        raw = line.partition(',"record":')[2][:-1].encode()
        assert sha256(b"\x00" + raw).hexdigest() == whole["hash"]
        assert (whole["record"]["prev"], whole["record"]["seq"]) == (previous, seq)
        previous = whole["hash"]
    assert [each["id"] for each in whole["leaves"]] == ["x", "y"]


def test_ids_sort_by_time_and_do_not_repeat():
    ids = [ledger.new_id() for _ in range(2000)]
    assert len(set(ids)) == 2000
    assert {len(each) for each in ids} == {26}
    stamps = [each[:9] for each in ids]
    assert stamps == sorted(stamps)
