"""Group commit: many callers' steps, one transaction, one flush to disk.

The writer thread takes whatever waits, runs every step in its own savepoint inside one
``BEGIN IMMEDIATE`` transaction, commits once and only then tells the callers. While the disk
flushes, the next group gathers, so throughput grows with the load and nobody waits on a timer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Lock, Thread
from typing import Final, Generic, TypeVar, cast

from memwarden.database.faults import unavailable
from memwarden.database.opening import Connection
from memwarden.errors import LedgerUnavailable

T = TypeVar("T")

Step = Callable[[sqlite3.Connection], T]
"""Something to do inside the transaction. Short, no I/O of its own: everybody waits for it."""

_MAX_WAITING: Final = 65_536
_MAX_GROUP: Final = 1_024


@dataclass(slots=True)
class _Job(Generic[T]):
    """A step and the promise given to its caller. The answer is told only after the commit."""

    step: Step[T]
    future: Future[T]
    answer: list[T] = field(default_factory=list)
    error: BaseException | None = None

    def run(self, conn: sqlite3.Connection) -> None:
        try:
            self.answer.append(self.step(conn))
        except BaseException as error:  # noqa: BLE001 - it belongs to the caller, who gets it
            self.error = error

    def tell(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer[0])

    def fail(self, error: LedgerUnavailable) -> None:
        own = LedgerUnavailable(*error.args)
        own.__cause__ = error.__cause__
        self.future.set_exception(own)


class Committer:
    """The one writer of a process: a thread, a queue and a connection of its own."""

    def __init__(
        self,
        path: Path,
        connect: Callable[[], Connection],
        before_commit: Sequence[Step[object]],
    ) -> None:
        self._path = path
        self._connect = connect
        self._before_commit = before_commit
        self._queue: Queue[_Job[object] | None] = Queue(_MAX_WAITING)
        self._conn: Connection | None = None
        self._stopped = False
        self._door = Lock()
        self._thread = Thread(target=self._serve, name="memwarden-commit", daemon=True)
        self._thread.start()

    def submit(self, step: Step[T]) -> Future[T]:
        """Enqueue a step. The future is done when its effect is durable, or when it failed."""
        job: _Job[T] = _Job(step, Future())
        with self._door:
            if self._stopped:
                raise LedgerUnavailable(f"{self._path}: the ledger is closed")
            try:
                self._queue.put_nowait(cast("_Job[object]", job))
            except Full:
                raise LedgerUnavailable(
                    f"{self._path}: {_MAX_WAITING} writes wait already; slow down and retry"
                ) from None
        return job.future

    def stop(self, seconds: float) -> bool:
        """Finish what waits, then end. False if that took longer than ``seconds``."""
        with self._door:
            self._stopped = True
            self._queue.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _serve(self) -> None:
        stopping = False
        while not stopping:
            group, stopping = self._gather()
            if group:
                self._commit(group)
        if self._conn is not None:
            self._conn.close()

    def _gather(self) -> tuple[list[_Job[object]], bool]:
        group: list[_Job[object]] = []
        item = self._queue.get()
        while item is not None:
            if item.future.set_running_or_notify_cancel():
                group.append(item)
            if len(group) >= _MAX_GROUP:
                return group, False
            try:
                item = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: list[_Job[object]]) -> None:
        try:
            self._transact(group)
        except LedgerUnavailable as error:
            failure = error
        except Exception as error:  # noqa: BLE001 - the thread must outlive every failure
            failure = unavailable(self._path, error)
            failure.__cause__ = error
        else:
            for job in group:
                job.tell()
            return
        self._abandon()
        for job in group:
            job.fail(failure)

    def _transact(self, group: list[_Job[object]]) -> None:
        if self._conn is None:
            self._conn = self._connect()
        conn = self._conn
        conn.execute("BEGIN IMMEDIATE")
        for job in group:
            self._run_alone(conn, job)
        if any(job.error is None for job in group):
            for step in self._before_commit:
                step(conn)
        conn.execute("COMMIT")

    def _run_alone(self, conn: Connection, job: _Job[object]) -> None:
        """One step in its own savepoint: what it did is undone if it raises."""
        conn.execute("SAVEPOINT step")
        job.run(conn)
        if not conn.in_transaction:
            # A full disk may make SQLite undo the whole transaction, neighbours included.
            raise unavailable(self._path, job.error or RuntimeError("the transaction was ended"))
        if job.error is not None:
            conn.execute("ROLLBACK TO step")
            if isinstance(job.error, sqlite3.Error):
                job.error = unavailable(self._path, job.error)
        conn.execute("RELEASE step")

    def _abandon(self) -> None:
        """Undo the failed transaction; a connection that cannot even do that is replaced."""
        if self._conn is None or not self._conn.in_transaction:
            return
        try:
            self._conn.execute("ROLLBACK")
        except sqlite3.Error:
            self._conn.close()
            self._conn = None
