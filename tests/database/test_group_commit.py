"""Many callers, one commit: what returned is durable, and one failing step hurts nobody else."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest

from memwarden.database import Database
from memwarden.errors import LedgerUnavailable


def test_write_returns_what_the_step_returned_and_it_is_there(db, put, names):
    assert db.write(put("one")) == "one"
    assert names(db) == {"one"}


def test_many_threads_lose_nothing(db, put, names):
    def work(k: int) -> None:
        for i in range(20):
            db.write(put(f"{k}.{i}"))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(db) == {f"{k}.{i}" for k in range(16) for i in range(20)}


def hold_writer(db: Database) -> threading.Event:
    """Occupy the writer, so that what is submitted next is committed as one group."""
    go, running = threading.Event(), threading.Event()

    def step(_: sqlite3.Connection) -> None:
        running.set()
        go.wait(10)

    db.submit(step)
    running.wait(10)
    return go


def test_a_failing_step_is_undone_alone_within_its_group(db, put, names):
    def fails(conn: sqlite3.Connection) -> None:
        put("half done")(conn)
        raise ValueError("the step's own trouble")

    go = hold_writer(db)
    before, broken, after = db.submit(put("before")), db.submit(fails), db.submit(put("after"))
    go.set()
    assert (before.result(10), after.result(10)) == ("before", "after")
    with pytest.raises(ValueError, match="own trouble"):
        broken.result(10)
    assert names(db) == {"before", "after"}


def test_a_group_shares_one_commit(db, put):
    commits = []
    db.before_commit(lambda conn: commits.append(1))
    go = hold_writer(db)
    futures = [db.submit(put(str(i))) for i in range(100)]
    go.set()
    assert [future.result(10) for future in futures] == [str(i) for i in range(100)]
    assert len(commits) == 2  # the step that held the writer, then all hundred at once


def test_a_deferred_step_comes_before_what_is_written_after_it(db, names):
    order: list[str] = []
    db.defer(lambda conn: order.append("receipt"))
    db.write(lambda conn: order.append("intent"))
    assert order == ["receipt", "intent"]


def test_a_deferred_step_is_durable_without_company(db, put, names):
    assert db.defer(put("alone")).result(10) == "alone"
    assert names(db) == {"alone"}


def test_before_commit_sees_the_group_and_can_stop_it(db, put, names):
    seen: list[int] = []

    def watch(conn: sqlite3.Connection) -> None:
        seen.append(conn.execute("SELECT count(*) FROM wording").fetchone()[0])
        if seen[-1] == 2:
            raise ValueError("no signature")

    db.before_commit(watch)
    db.write(put("one"))
    with pytest.raises(LedgerUnavailable, match="no signature"):
        db.write(put("two"))
    assert (seen, names(db)) == ([1, 2], {"one"})


def test_a_constraint_that_fails_names_columns_and_no_values(db, put):
    db.write(put("personal text"))
    with pytest.raises(LedgerUnavailable) as caught:
        db.write(put("personal text"))
    assert "personal text" not in str(caught.value)


def test_a_write_that_never_got_its_turn_is_withdrawn(db, put, names):
    go = hold_writer(db)
    with pytest.raises(LedgerUnavailable, match="nothing of this write was recorded"):
        db.write(put("late"), timeout=0.05)
    go.set()
    db.write(put("next"))
    assert names(db) == {"next"}


def test_async_callers_await_the_same_commit(db, put, names):
    async def main() -> list[str]:
        futures = [asyncio.wrap_future(db.submit(put(str(i)))) for i in range(50)]
        return list(await asyncio.gather(*futures))

    assert asyncio.run(main()) == [str(i) for i in range(50)]
    assert len(names(db)) == 50


def test_close_finishes_what_waits_and_then_refuses(path, put, names):
    db = Database.open(path)
    go = hold_writer(db)
    futures = [db.submit(put(str(i))) for i in range(10)]
    go.set()
    db.close()
    assert [future.result(0) for future in futures] == [str(i) for i in range(10)]
    for refused in (lambda: db.write(put("x")), lambda: names(db)):
        with pytest.raises(LedgerUnavailable, match="closed"):
            refused()
    with Database.open(path) as again:
        assert len(names(again)) == 10


def test_readers_are_read_only_and_see_one_snapshot(db, put):
    db.write(put("one"))
    count = "SELECT count(*) FROM wording"
    with db.read() as conn:
        assert conn.execute(count).fetchone() == (1,)
        db.write(put("two"))
        with db.read() as nested:
            assert nested.execute(count).fetchone() == (1,)
    with db.read() as conn:
        assert conn.execute(count).fetchone() == (2,)
    with pytest.raises(LedgerUnavailable), db.read() as conn:
        conn.execute("DELETE FROM wording")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_writes_through_connections_of_its_own(db, put, names):
    db.write(put("parent"))
    names(db)
    child = os.fork()
    if child == 0:
        try:
            db.write(put("child"))
            good = names(db) == {"parent", "child"}
            db.close()
        except Exception:  # noqa: BLE001 - a child must not go on with the parent's tests
            good = False
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    db.write(put("parent again"))
    assert names(db) == {"parent", "child", "parent again"}


FORGETFUL = """
    import sys
    from memwarden.database import Database
    db = Database.open(sys.argv[1])
    insert = "INSERT INTO wording VALUES (?, '', '')"
    for i in range(30):
        db.defer(lambda conn, i=i: conn.execute(insert, (str(i),)))
"""


def test_a_program_that_just_ends_loses_no_deferred_step(path, names):
    subprocess.run([sys.executable, "-c", textwrap.dedent(FORGETFUL), str(path)], check=True)
    with Database.open(path) as db:
        assert names(db) == {str(i) for i in range(30)}
