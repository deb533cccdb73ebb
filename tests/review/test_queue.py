"""The queue in the file: quotas, versions, pages, time-outs."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from memwarden import review
from memwarden.errors import LimitExceeded, ReviewConflict, UsageError
from memwarden.model import Action, Severity, Tier
from memwarden.review import Effect, Move, Quota, State, Wanted


def put(db, *items, quota=None):
    def step(conn):
        for each in items:
            review.enqueue(conn, each, quota)

    db.write(step)


def ids(db, wanted=None, **options):
    with db.read() as conn:
        return [item.id for item in review.listed(conn, wanted or Wanted("acme"), **options)]


def got(db, name="i1"):
    with db.read() as conn:
        return review.get(conn, name)


def moved(db, name, version, move, noon, actor="li", **options):
    return db.write(lambda conn: review.move(conn, name, version, move, actor, noon, **options))


def test_an_item_comes_back_as_it_was(db, item, noon):
    whole = item(
        state=State.AWAITING_WRITER,
        critical=True,
        expires_at=noon + timedelta(days=7),
        rules=("a.rule", "b.rule"),
        claimed_by="li",
        claimed_until=noon + timedelta(minutes=5),
        verdict=Move.EDIT,
        decided_by="wang",
        edit_seal="e1",
        action=Action.REJECT,
        severity=Severity.CRITICAL,
        tier=Tier.DERIVED,
    )
    put(db, whole)
    assert got(db) == whole
    with db.read() as conn:
        assert review.of_decision(conn, "acme", "d-i1") == whole
        assert review.of_decision(conn, "globex", "d-i1") is None


def test_an_unknown_item_is_named(db):
    with pytest.raises(UsageError, match="no review item 'i9'"):
        got(db, "i9")


class TestQuotas:
    def test_a_full_origin_refuses_the_write_and_leaves_others_room(self, db, item):
        quota = Quota(per_origin=2, per_tenant=100)
        put(db, item("a"), item("b"), quota=quota)
        with pytest.raises(LimitExceeded, match="2 items of this origin wait") as refused:
            put(db, item("c"), quota=quota)
        assert refused.value.decision_ids == ("d-c",)
        put(db, item("d", origin="o2"), item("e", tenant="globex"), quota=quota)
        assert ids(db) == ["a", "b", "d"]

    def test_a_full_tenant_refuses_every_origin(self, db, item):
        quota = Quota(per_origin=100, per_tenant=2)
        put(db, item("a"), item("b", origin="o2"), quota=quota)
        with pytest.raises(LimitExceeded, match="tenant 'acme'"):
            put(db, item("c", origin="o3"), quota=quota)

    def test_a_verdict_makes_room(self, db, item, noon):
        quota = Quota(per_origin=1, per_tenant=10)
        put(db, item("a"), quota=quota)
        moved(db, "a", 1, Move.REJECT, noon)
        put(db, item("b"), quota=quota)
        assert ids(db) == ["b"]

    def test_settled_items_count_against_nothing(self, db, item):
        quota = Quota(per_origin=1, per_tenant=1)
        put(db, *(item(f"r{i}", state=State.REJECTED) for i in range(5)), quota=quota)
        put(db, item("a"), quota=quota)

    def test_a_refused_step_takes_nothing_into_the_queue(self, db, item):
        with pytest.raises(LimitExceeded):
            put(db, item("a"), item("b"), quota=Quota(per_origin=1, per_tenant=9))
        assert ids(db) == []

    def test_counts_follow_every_move(self, db, item, noon):
        put(db, item("a"), item("b"), item("c", origin="o2"))
        moved(db, "a", 1, Move.APPROVE, noon)
        moved(db, "b", 1, Move.REJECT, noon)
        with db.read() as conn:
            assert review.counts(conn, "acme") == {
                State.AWAITING_WRITER: 1,
                State.PENDING: 1,
                State.REJECTED: 1,
            }
            assert review.counts(conn, "acme", "o2") == {State.PENDING: 1}
            rows = conn.execute("SELECT state, count(*) FROM review_item GROUP BY state")
            assert dict(rows.fetchall()) == review.counts(conn, "acme")


class TestVersions:
    def test_a_move_on_an_item_that_changed_is_a_conflict(self, db, item, noon):
        put(db, item())
        made = moved(db, "i1", 1, Move.APPROVE, noon)
        assert (made.after.version, made.effect) == (2, Effect.WRITE_ORIGINAL)
        assert got(db) == made.after
        with pytest.raises(ReviewConflict, match=r"version 2, you saw 1"):
            moved(db, "i1", 1, Move.REJECT, noon, actor="wang")
        assert got(db) == made.after

    def test_of_many_reviewers_at_once_one_decides(self, db, item, noon):
        put(db, item())
        outcomes = []

        def decide(k):
            move = Move.APPROVE if k % 2 else Move.REJECT
            try:
                outcomes.append(moved(db, "i1", 1, move, noon, actor=f"person {k}"))
            except ReviewConflict as conflict:
                outcomes.append(conflict)

        threads = [threading.Thread(target=decide, args=(k,)) for k in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        decided = [each for each in outcomes if not isinstance(each, ReviewConflict)]
        assert len(outcomes) == 12
        assert [got(db)] == [each.after for each in decided]

    def test_claims_are_kept_and_given_back(self, db, item, noon):
        put(db, item())
        taken = db.write(lambda conn: review.take(conn, "i1", 1, "li", noon))
        assert got(db) == taken
        with pytest.raises(ReviewConflict, match="claimed"):
            moved(db, "i1", taken.version, Move.APPROVE, noon, actor="wang")
        free = db.write(lambda conn: review.give_back(conn, "i1", taken.version, "li", noon))
        assert (free.claimed_by, got(db)) == ("", free)

    def test_bulk_decides_what_it_can_and_reports_the_rest(self, db, item, noon):
        put(db, item("a"), item("b"), item("c"))
        moved(db, "b", 1, Move.REJECT, noon)
        conflicts = {}
        made = db.write(
            lambda conn: review.bulk(
                conn,
                [("a", 1), ("b", 1), ("c", 1)],
                Move.APPROVE,
                "li",
                noon,
                on_conflict=conflicts.__setitem__,
            )
        )
        assert [each.after.id for each in made] == ["a", "c"]
        assert list(conflicts) == ["b"]


class TestLists:
    @pytest.fixture
    def full(self, db, item, noon):
        items = [
            item(
                f"i{i:02}",
                origin=f"o{i % 3}",
                kind="behaviour_change" if i % 2 else "fact",
                tier=Tier.DERIVED if i % 5 == 0 else Tier.UNTRUSTED,
                source="web" if i % 4 else "tool",
                critical=i % 6 == 0,
                rules=("r.odd",) if i % 2 else ("r.even", "r.all"),
                created_at=noon + timedelta(minutes=i),
                state=State.REJECTED if i >= 20 else State.PENDING,
                tenant="globex" if i == 19 else "acme",
            )
            for i in range(24)
        ]
        put(db, *items)
        return db

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ({"origin": "o0"}, range(0, 19, 3)),
            ({"kind": "behaviour_change"}, range(1, 19, 2)),
            ({"tier": Tier.DERIVED}, range(0, 19, 5)),
            ({"source": "tool"}, range(0, 19, 4)),
            ({"critical": True}, range(0, 19, 6)),
            ({"critical": True, "rule": "r.even"}, range(0, 19, 6)),
            ({"rule": "r.odd"}, range(1, 19, 2)),
            ({"rule": "r.all", "origin": "o1"}, (4, 10, 16)),
            ({"rule": "r.even", "states": (State.REJECTED,)}, (20, 22)),
            ({"states": (State.REJECTED, State.PENDING), "origin": "o2"}, range(2, 24, 3)),
            ({"store": "elsewhere"}, ()),
        ],
    )
    def test_filters(self, full, filters, expected):
        assert ids(full, Wanted("acme", **filters)) == [f"i{i:02}" for i in expected]

    def test_since(self, full, noon):
        assert ids(full, Wanted("acme", since=noon + timedelta(minutes=17))) == ["i17", "i18"]

    def test_all_tenants(self, full):
        assert len(ids(full, Wanted())) == 20
        with pytest.raises(UsageError, match="name a tenant"):
            ids(full, Wanted(rule="r.odd"))

    @pytest.mark.parametrize("filters", [{}, {"rule": "r.even"}, {"origin": "o1"}])
    @pytest.mark.parametrize("newest_first", [False, True])
    def test_pages_join_to_the_whole_list(self, full, filters, newest_first):
        wanted = Wanted("acme", states=(State.PENDING, State.REJECTED), **filters)
        whole = ids(full, wanted, limit=100, newest_first=newest_first)
        pages, after = [], ""
        while page := ids(full, wanted, limit=4, after=after, newest_first=newest_first):
            pages += page
            after = page[-1]
        assert pages == whole
        assert whole == sorted(whole, reverse=newest_first)

    def test_a_rule_list_follows_the_state(self, full, noon):
        moved(full, "i01", 1, Move.REJECT, noon)
        assert "i01" not in ids(full, Wanted("acme", rule="r.odd"))
        assert "i01" in ids(full, Wanted("acme", rule="r.odd", states=(State.REJECTED,)))

    @pytest.mark.parametrize(
        "filters",
        [
            {},
            {"kind": "fact"},
            {"tier": Tier.DERIVED},
            {"source": "web"},
            {"origin": "o1"},
            {"kind": "fact", "source": "web"},
            {"critical": True},
            {"store": "memories", "claimed_by": "li"},
            {"rule": "r.even"},
        ],
        ids=str,
    )
    def test_every_list_is_read_off_an_index_in_order(self, full, filters):
        wanted = Wanted("acme", states=(State.PENDING,), **filters)
        steps = []
        with full.read() as conn:
            conn.set_trace_callback(steps.append)
            review.listed(conn, wanted, after="i01")
            conn.set_trace_callback(None)
            (sql,) = (each for each in steps if "FROM review_item" in each)
            inner = sql.partition(" IN (")[2].partition(") ORDER")[0]
            plan = " ".join(row[3] for row in conn.execute("EXPLAIN QUERY PLAN " + inner))
        assert "SCAN" not in plan
        assert "TEMP B-TREE" not in plan
        assert "rule" in filters or "origin" in filters or "COVERING INDEX" in plan


class TestExpiry:
    def test_what_nobody_decided_in_time_expires_unwritten(self, db, item, noon):
        put(
            db,
            item("a", expires_at=noon),
            item("b", expires_at=noon + timedelta(days=1)),
            item("c"),
            item("d", expires_at=noon, state=State.REJECTED),
            item("e", expires_at=noon, state=State.AWAITING_WRITER, verdict=Move.APPROVE),
        )
        made = db.write(lambda conn: review.expire_due(conn, noon))
        assert [(each.after.id, each.after.state) for each in made] == [("a", State.EXPIRED)]
        assert db.write(lambda conn: review.expire_due(conn, noon)) == ()

    def test_many_expire_in_bounded_steps(self, db, item, noon):
        put(db, *(item(f"i{i}", expires_at=noon) for i in range(7)))
        done = [len(db.write(lambda c: review.expire_due(c, noon, limit=3))) for _ in range(4)]
        assert done == [3, 3, 1, 0]

    def test_what_a_person_reopened_does_not_expire_again(self, db, item, noon):
        put(db, item("a", expires_at=noon))
        (made,) = db.write(lambda conn: review.expire_due(conn, noon))
        moved(db, "a", made.after.version, Move.RESTORE, noon)
        assert db.write(lambda conn: review.expire_due(conn, noon + timedelta(days=9))) == ()
        assert ids(db) == ["a"]
