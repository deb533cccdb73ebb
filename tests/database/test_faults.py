"""A file that is locked, full, cut, damaged, foreign or out of reach: an error, never a hang."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from memwarden.database import Database, Settings
from memwarden.errors import LedgerUnavailable

IMPATIENT = Settings(busy_seconds=0.1)


def test_a_locked_file_is_named_and_the_next_write_works(path, put, names):
    with Database.open(path, IMPATIENT) as db:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerUnavailable, match=r"memwarden\.db: database is locked: another"):
            db.write(put("refused"))
        other.execute("ROLLBACK")
        other.close()
        db.write(put("accepted"))
        assert names(db) == {"accepted"}


def test_a_full_disk_refuses_and_keeps_what_was_there(path, names):
    def big(conn: sqlite3.Connection) -> None:
        conn.execute("INSERT INTO wording VALUES ('big', ?, '')", ("x" * 2_000_000,))

    def small(conn: sqlite3.Connection) -> None:
        conn.execute("INSERT INTO wording VALUES ('small', '', '')")

    with Database.open(path, Settings(max_bytes=1_000_000)) as db:
        db.write(small)
        with pytest.raises(LedgerUnavailable, match="full"):
            db.write(big)
        assert names(db) == {"small"}
        assert db.faults() == ()


def test_what_fits_a_full_disk_is_still_written_after_what_did_not(path, put, names):
    with Database.open(path, Settings(max_bytes=1_000_000)) as db:
        with pytest.raises(LedgerUnavailable, match="free space"):
            db.write(
                lambda conn: conn.execute(
                    "INSERT INTO wording VALUES ('b', ?, '')", ("x" * 9_000_000,)
                )
            )
        db.write(put("small"))
        assert names(db) == {"small"}


def test_a_file_cut_short_is_refused_at_opening(path, put):
    with Database.open(path) as db:
        db.write(put("one"))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(LedgerUnavailable, match="cut short"):
        Database.open(path)


def test_a_file_cut_while_open_fails_its_writers_and_readers(path, put):
    with Database.open(path) as db:
        for i in range(200):
            db.submit(put(str(i)))
        db.write(put("last"))
        db.truncate_log()
        with path.open("r+b") as file:
            file.truncate(8192)
        with pytest.raises(LedgerUnavailable), db.read() as conn:
            conn.execute("SELECT count(*), max(digest) FROM wording").fetchone()
        with pytest.raises(LedgerUnavailable):
            db.write(put("more"))


@pytest.mark.parametrize("junk", [b"this is no database at all " * 200, b"\x00" * 8192])
def test_a_file_of_something_else_is_refused(path, junk):
    path.parent.mkdir()
    path.write_bytes(junk)
    with pytest.raises(LedgerUnavailable):
        Database.open(path)


def test_another_programs_database_is_refused_untouched(path):
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(LedgerUnavailable, match="another program"):
        Database.open(path)
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused(path):
    Database.open(path).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 999")
    other.close()
    with pytest.raises(LedgerUnavailable, match="newer memwarden"):
        Database.open(path)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that cannot be written")
def test_a_folder_that_cannot_be_written_is_named(put):
    with pytest.raises(LedgerUnavailable, match=r"/proc/memwarden\.db: .* check the folder"):
        Database.open("/proc/memwarden.db")


def test_a_folder_in_the_files_place_is_named(path):
    path.mkdir(parents=True)
    with pytest.raises(LedgerUnavailable, match=r"memwarden\.db"):
        Database.open(path)


def test_the_file_is_private(path):
    Database.open(path).close()
    assert path.stat().st_mode & 0o077 == 0


def test_opening_again_changes_nothing(path, put, names):
    with Database.open(path) as db:
        db.write(put("kept"))
    with Database.open(path) as db:
        assert names(db) == {"kept"}


def test_truncating_the_log_leaves_no_bytes_in_it(db, path, put):
    db.write(put("one"))
    assert db.truncate_log()
    assert path.with_name(path.name + "-wal").stat().st_size == 0


WRITER = """
    import sys
    from memwarden.database import Database
    def step(name):
        return lambda conn: conn.execute("INSERT INTO wording VALUES (?, '', '')", (name,)).rowcount
    with Database.open(sys.argv[1]) as db:
        for i in range(150):
            db.write(step(f"{sys.argv[2]}.{i}"))
"""


def test_two_processes_write_and_none_loses_anything(path, names):
    code = textwrap.dedent(WRITER)
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("a", "b")
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    with Database.open(path) as db:
        assert names(db) == {f"{name}.{i}" for name in ("a", "b") for i in range(150)}
