"""One SQLite file that holds ledger, vault and queue, so that one commit covers all three.

    db = Database.open(path)
    answer = db.write(step)          # step(connection) -> T; durable when it returns
    with db.read() as conn: ...      # a consistent snapshot, one connection per thread

Several processes may open the same file. After a fork the child opens it anew by itself.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar
from weakref import WeakSet

from memwarden.database.committer import Committer, Step
from memwarden.database.faults import unavailable
from memwarden.database.opening import Connection, Settings, connect, prepare
from memwarden.errors import LedgerUnavailable

__all__ = ["Database", "Settings", "Step"]

T = TypeVar("T")

_ABANDONED: Final[list[object]] = []
"""Connections inherited over a fork. Closing them here would release the parent's locks."""


class _Local(threading.local):
    """This thread's read connection and how deep its reads nest."""

    conn: Connection | None = None
    depth: int = 0


class Database:
    """The file, its one writer per process and a read connection per thread."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._path = path
        self._settings = settings
        self._before_commit: list[Step[object]] = []
        self._closed = False
        self._lock = threading.Lock()
        self._local = _Local()
        self._readers: WeakSet[Connection] = WeakSet()
        self._committer: Committer | None = None
        _OPEN.add(self)

    @classmethod
    def open(cls, path: str | Path, settings: Settings | None = None) -> Database:
        """Open or create the file and bring its schema up to date.

        Raises LedgerUnavailable if it is locked, damaged, cut short, read-only, or was written
        by another program or a newer memwarden.
        """
        chosen = settings or Settings()
        prepare(Path(path), chosen)
        return cls(Path(path), chosen)

    @property
    def path(self) -> Path:
        return self._path

    def before_commit(self, step: Step[object]) -> None:
        """Run ``step`` at the end of every transaction, after the callers' steps.

        It sees all that the group wrote. If it raises, nothing of the group is committed.
        """
        self._before_commit.append(step)

    def submit(self, step: Step[T]) -> Future[T]:
        """Enqueue a step; the future is done once its effect is durable. For async callers."""
        return self._writer().submit(step)

    def defer(self, step: Step[T]) -> Future[T]:
        """Enqueue a step that may ride with the next commit: a receipt, a counter.

        Cheaper than ``submit`` for a caller that goes on working. Durable within a moment, and
        before any step that is enqueued after it.
        """
        return self._writer().submit(step, patient=True)

    def write(self, step: Step[T], *, timeout: float = 60.0) -> T:
        """Run ``step`` in the next group commit and return its answer once it is durable.

        What the step raises is raised here, and only its own effect is undone. Raises
        LedgerUnavailable if the commit fails or does not come within ``timeout`` seconds.
        """
        future = self.submit(step)
        try:
            return future.result(timeout)
        except FutureTimeout:
            if future.done():
                raise
            return self._overdue(future, timeout)
        except CancelledError as error:
            raise LedgerUnavailable(f"{self._path}: closed while this write waited") from error

    def _overdue(self, future: Future[T], timeout: float) -> T:
        if future.cancel():
            raise LedgerUnavailable(
                f"{self._path}: no commit within {timeout:g} s; nothing of this write was recorded"
            )
        try:
            return future.result(timeout)
        except FutureTimeout:
            raise LedgerUnavailable(
                f"{self._path}: the commit has hung for {2 * timeout:g} s; whether this write was "
                "recorded is not known, doctor will tell"
            ) from None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """This thread's read-only connection, on one consistent snapshot. May be nested."""
        conn = self._reader()
        local = self._local
        try:
            if local.depth == 0:
                conn.execute("BEGIN")
            local.depth += 1
            try:
                yield conn
            finally:
                local.depth -= 1
                if local.depth == 0 and conn.in_transaction:
                    conn.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise unavailable(self._path, error) from error

    def truncate_log(self) -> bool:
        """Move the write-ahead log into the file and cut it to nothing, as erasure needs.

        False if readers of an older snapshot prevented it within the waiting time; ask again.
        """
        conn = connect(self._path, self._settings)
        try:
            busy, _, _ = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise unavailable(self._path, error) from error
        finally:
            conn.close()
        return not busy

    def faults(self) -> tuple[str, ...]:
        """What SQLite itself finds wrong with pages and indexes; empty when nothing is."""
        with self.read() as conn:
            rows = [str(row[0]) for row in conn.execute("PRAGMA integrity_check(100)")]
        return () if rows == ["ok"] else tuple(rows)

    def close(self, *, timeout: float = 30.0) -> None:
        """Finish what waits, then close everything. Later calls raise LedgerUnavailable."""
        with self._lock:
            self._closed = True
            committer, self._committer = self._committer, None
        if committer is not None and not committer.stop(timeout):
            raise LedgerUnavailable(f"{self._path}: the writer did not finish in {timeout:g} s")
        for conn in list(self._readers):
            conn.close()
        self._readers.clear()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _writer(self) -> Committer:
        committer = self._committer
        if committer is not None:
            return committer
        with self._lock:
            self._refuse_closed()
            if self._committer is None:
                self._committer = Committer(
                    self._path,
                    lambda: connect(self._path, self._settings),
                    self._before_commit,
                )
            return self._committer

    def _reader(self) -> Connection:
        local = self._local
        if local.conn is not None and not self._closed:
            return local.conn
        with self._lock:
            self._refuse_closed()
            local.conn = connect(self._path, self._settings, readonly=True)
            self._readers.add(local.conn)
            return local.conn

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LedgerUnavailable(f"{self._path}: the ledger is closed")

    def _after_fork(self) -> None:
        """In a child, put the parent's writer and connections aside without touching them."""
        _ABANDONED.extend((self._committer, self._local, list(self._readers)))
        self._lock = threading.Lock()
        self._local = _Local()
        self._readers = WeakSet()
        self._committer = None


_OPEN: Final[WeakSet[Database]] = WeakSet()


def _after_fork_in_child() -> None:
    for database in list(_OPEN):
        database._after_fork()


def _finish_at_exit() -> None:
    """What was deferred and never waited for still becomes durable when a program just ends."""
    for database in list(_OPEN):
        with suppress(LedgerUnavailable):
            database.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
atexit.register(_finish_at_exit)
