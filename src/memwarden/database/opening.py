"""Opening the one SQLite file: pragmas, identity, truncation check, schema and migrations."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from memwarden.database.faults import unavailable
from memwarden.errors import LedgerUnavailable

APPLICATION_ID: Final = 0x4D57444E
"""Written into the file's header ("MWDN"), so that no other file is taken for ours."""

_OLDEST_SQLITE: Final = (3, 37, 0)
_PRIVATE: Final = 0o600


class Connection(sqlite3.Connection):
    """A connection that can be referred to weakly, so that closing finds what is still open."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``busy_seconds`` bounds every wait for another process; ``max_bytes`` bounds the file."""

    busy_seconds: float = 5.0
    max_bytes: int = 0
    cache_bytes: int = 33_554_432


def connect(path: Path, settings: Settings, *, readonly: bool = False) -> Connection:
    """A connection with the pragmas that durability, erasure and bounded waiting need."""
    try:
        conn = sqlite3.connect(
            path,
            timeout=settings.busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=512,
            factory=Connection,
        )
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    try:
        _configure(conn, settings, readonly)
    except sqlite3.Error as error:
        conn.close()
        raise unavailable(path, error) from error
    return conn


def _configure(conn: Connection, settings: Settings, readonly: bool) -> None:
    # FULL makes a returned commit survive a power cut, not only a killed process.
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA fullfsync = ON")
    conn.execute("PRAGMA secure_delete = ON")
    # Savepoints keep the pages they may have to put back; on disk that doubles a step's cost.
    conn.execute("PRAGMA temp_store = MEMORY")
    conn.execute(f"PRAGMA cache_size = -{settings.cache_bytes // 1024}")
    if settings.max_bytes:
        page_size = conn.execute("PRAGMA page_size").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {max(1, settings.max_bytes // page_size)}")
    if readonly:
        conn.execute("PRAGMA query_only = ON")


def prepare(path: Path, settings: Settings) -> None:
    """Create the file if need be, check that it is ours and whole, bring the schema up to date."""
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise LedgerUnavailable(
            f"SQLite {sqlite3.sqlite_version} is too old; memwarden needs 3.37 or newer"
        )
    _create_private(path)
    conn = connect(path, settings)
    try:
        _check_identity(conn, path)
        conn.execute("PRAGMA journal_mode = WAL")
        _check_length(conn, path, settings)
        _migrate(conn, path)
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    finally:
        conn.close()


def _create_private(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, _PRIVATE))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise LedgerUnavailable(
            f"{path}: {reason}: the ledger's file cannot be created or written; "
            "check the folder, its owner and its permissions"
        ) from error


def _check_identity(conn: Connection, path: Path) -> None:
    found = conn.execute("PRAGMA application_id").fetchone()[0]
    if found == APPLICATION_ID:
        return
    tables = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found or tables:
        raise LedgerUnavailable(
            f"{path}: this SQLite file belongs to another program; choose another data folder"
        )


def _check_length(conn: Connection, path: Path, settings: Settings) -> None:
    """A file shorter than its own header says was cut: refuse it before it is written to.

    Other processes may be writing: the length is that of one snapshot, and is held against the
    file only once everything of that snapshot was moved there from the write-ahead log.
    """
    conn.execute("BEGIN")
    try:
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        size = conn.execute("PRAGMA page_size").fetchone()[0]
        if not _log_is_moved(path, settings):
            return
        actual = path.stat().st_size
    finally:
        conn.execute("ROLLBACK")
    if pages * size > actual:
        raise LedgerUnavailable(
            f"{path}: the file was cut short: its header promises {pages * size} bytes and "
            f"{actual} are there; stop writing, keep a copy, restore a backup"
        )


def _log_is_moved(path: Path, settings: Settings) -> bool:
    other = connect(path, settings)
    try:
        busy, frames, moved = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    finally:
        other.close()
    return not busy and bool(frames == moved)


def migrations() -> tuple[str, ...]:
    """The SQL of every schema version, oldest first; version N is the N-th script."""
    folder = files("memwarden.database").joinpath("schema")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(folder.joinpath(name).read_text("utf-8") for name in names)


def _migrate(conn: Connection, path: Path) -> None:
    if _version(conn) == len(migrations()):
        return
    conn.execute("BEGIN IMMEDIATE")
    try:
        _run_missing(conn, path)
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


def _run_missing(conn: Connection, path: Path) -> None:
    scripts = migrations()
    # Read under the lock: another process may have migrated meanwhile.
    version = _version(conn)
    if version > len(scripts):
        raise LedgerUnavailable(
            f"{path}: written by a newer memwarden (schema {version}, this one knows "
            f"{len(scripts)}); upgrade memwarden"
        )
    for script in scripts[version:]:
        for statement in statements(script):
            conn.execute(statement)
    conn.execute(f"PRAGMA user_version = {len(scripts)}")
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _version(conn: Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def statements(script: str) -> tuple[str, ...]:
    """Split a script into statements (``executescript`` would commit on its own)."""
    found: list[str] = []
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            found.append(pending.strip())
            pending = ""
    return tuple(found)


def definitions() -> dict[str, str]:
    """Name to definition of everything the schema defines, as SQLite itself words it."""
    conn = sqlite3.connect(":memory:")
    try:
        for script in migrations():
            conn.executescript(script)
        rows = conn.execute(
            "SELECT name, sql FROM sqlite_master"
            " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        )
        return dict(rows.fetchall())
    finally:
        conn.close()
