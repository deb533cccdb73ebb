"""The overview counts what the ledger says, once, and again from nothing if it must."""

from __future__ import annotations

import sqlite3
from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden import Candidate, Origin
from memwarden.console import counts
from memwarden.console.charts import Column, nice, short, stacked
from memwarden.console.counts.filling import bucket_of, top_of
from memwarden.ledger import tail

FOREVER = timedelta(hours=1)


@pytest.fixture
def counted(tmp_path, warden):
    """Counters of the warden's ledger, caught up whenever they are asked."""
    kept = counts.Counts(tmp_path / "counts.db")

    def catch_up():
        progress = counts.catch_up(kept, warden.books.database, FOREVER)
        assert not progress.behind
        return kept

    yield catch_up
    kept.close()


def by_action(kept, tenants=("acme",)):
    with kept.reading() as conn:
        found = Counter()
        for (_, action), n in counts.over_time(conn, tenants, 0, 1).items():
            found[action] += n
        return found


def test_decisions_are_counted_as_the_ledger_has_them(warden, hold, counted):
    hold()
    hold()
    warden.write(Candidate("Sam likes tea", origin=Origin("user")), tenant="acme")
    with warden.books.database.read() as conn:
        true = Counter(one.leaf.action.label for one in tail(conn, "acme"))
    assert by_action(counted()) == true


def test_counting_again_counts_nothing_twice(hold, counted):
    hold()
    first = by_action(counted())
    assert by_action(counted()) == first
    hold()
    assert by_action(counted())["hold"] == first["hold"] + 1


def test_tenants_are_counted_apart(hold, counted):
    hold(tenant="acme")
    hold(tenant="acme-corp")
    assert by_action(counted(), ["acme"])["hold"] == 1
    assert by_action(counted(), ["acme", "acme-corp"])["hold"] == 2
    assert not by_action(counted(), ["acm"])


def test_a_ledger_that_is_not_the_one_counted_is_counted_anew(hold, counted, tmp_path):
    hold()
    counted()
    with sqlite3.connect(tmp_path / "counts.db") as other:
        other.execute("UPDATE cursor SET hash = 'another'")
        other.execute("UPDATE by_hour SET n = 99")
    assert by_action(counted())["hold"] == 1


def test_reviewers_verdicts_give_each_rule_its_precision(warden, hold, counted):
    upheld, released, undone = hold(), hold(), hold()
    warden.review.reject(upheld, actor="li")
    warden.review.approve(released, actor="li")
    warden.review.reject(undone, actor="li")
    warden.review.undo(undone, actor="li")
    with counted().reading() as conn:
        rows = {row.rule: row for row in counts.precision(conn, ["acme"])}
    rule = rows["override.ignore-instructions"]
    assert (rule.upheld, rule.released, rule.precision) == (1, 1, 0.5)


def test_what_is_held_is_counted_until_it_is_decided(warden, hold, counted):
    first, _ = hold(), hold()

    def held():
        with counted().reading() as conn:
            return sum(counts.held_by_day(conn, ["acme"]).values())

    assert held() == 2
    warden.review.reject(first, actor="li")
    assert held() == 1
    warden.review.restore(first, actor="li")
    assert held() == 2


def test_origins_stand_by_the_share_that_was_blocked(warden, hold, counted):
    for _ in range(5):
        hold(principal="bad")
    for at in range(5):
        origin = Origin("user", principal="good")
        warden.write(Candidate(f"Sam likes tea {at}", origin=origin), tenant="acme")
    hold(principal="seldom")
    with counted().reading() as conn:
        rows = counts.origins(conn, ["acme"])
    assert [(row.rate, row.n) for row in rows] == [(1.0, 5)]


@given(st.integers(1, 10**9))
def test_a_bucket_holds_what_is_put_into_it(microseconds):
    bucket = bucket_of(microseconds)
    assert microseconds < top_of(bucket) + 1
    assert top_of(bucket) <= microseconds * 1.25 + 1
    assert bucket <= bucket_of(microseconds + 1)


def test_percentiles_come_out_of_the_buckets():
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE took (tenant, day, bucket, n)")
    conn.executemany(
        "INSERT INTO took VALUES ('acme', 0, ?, ?)",
        [(bucket_of(1_000), 90), (bucket_of(50_000), 10)],
    )
    found = counts.latency(conn, ["acme"], 0)
    conn.close()
    assert found.n == 100
    assert 1.0 <= found.p50 <= 1.25
    assert 50.0 <= found.p95 <= 62.5


@given(st.lists(st.lists(st.integers(0, 10**7), min_size=1, max_size=5), max_size=40))
def test_a_chart_stays_in_its_frame(numbers):
    chart = stacked([Column("x", [("hold", n, "") for n in column]) for column in numbers])
    for bar in chart.bars:
        assert 0 <= bar.x <= bar.x + bar.width <= chart.width
        assert bar.y + bar.height <= chart.height
        assert bar.height >= 1


@pytest.mark.parametrize(
    ("most", "top"), [(0, 2), (1, 2), (3, 4), (9, 10), (11, 20), (250, 400), (7_000_001, 8_000_000)]
)
def test_an_axis_ends_at_a_number_that_reads_well(most, top):
    assert nice(most) == top


def test_numbers_on_an_axis_are_short():
    assert [short(n) for n in (7, 1_500, 2_000_000)] == ["7", "1.5k", "2M"]


@pytest.mark.parametrize("span", ["1d", "7d", "30d", "90d", "nonsense", ""])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_shows_charts_in_both_languages(signed_in, held, span, language):
    page = signed_in("sam", language).get(f"/overview?span={span}&tenant=acme")
    assert page.status_code == 200
    assert "<rect" in page.text
    assert "override.ignore-instructions" in page.text


def test_the_page_of_another_tenant_is_not_there(signed_in, held):
    assert signed_in("eve").get("/overview?tenant=acme").status_code == 404
    assert "override.ignore" not in signed_in("eve").get("/overview").text
