"""Group commit: many callers' steps, one transaction, one flush to disk.

The writer thread takes whatever waits, runs every step in its own savepoint inside one
``BEGIN IMMEDIATE`` transaction, commits once and only then tells the callers. While the disk
flushes, the next group gathers, so throughput grows with the load and nobody waits on a timer.
Steps that may wait (receipts) ride with the next group, or go alone after a moment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final, Generic, TypeVar, cast

from memwarden.database.faults import unavailable
from memwarden.database.opening import Connection
from memwarden.errors import LedgerUnavailable

T = TypeVar("T")

Step = Callable[[sqlite3.Connection], T]
"""Something to do inside the transaction. Short, no I/O of its own: everybody waits for it."""

_MAX_WAITING: Final = 65_536
_MAX_GROUP: Final = 1_024
_PATIENCE: Final = 0.05
"""Seconds that a patient step waits for company."""


@dataclass(slots=True)
class _Job(Generic[T]):
    """A step and the promise given to its caller. The answer is told only after the commit."""

    step: Step[T]
    future: Future[T]
    patient: bool = False
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
        self._queue: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._conn: Connection | None = None
        self._stopped = False
        self._door = Lock()
        self._thread = Thread(target=self._serve, name="memwarden-commit", daemon=True)
        self._thread.start()

    def submit(self, step: Step[T], *, patient: bool = False) -> Future[T]:
        """Enqueue a step. The future is done when its effect is durable, or when it failed."""
        job: _Job[T] = _Job(step, Future(), patient)
        with self._door:
            if self._stopped:
                raise LedgerUnavailable(f"{self._path}: the ledger is closed")
            if self._queue.qsize() >= _MAX_WAITING:
                raise LedgerUnavailable(
                    f"{self._path}: {_MAX_WAITING} writes wait already; slow down and retry"
                )
            self._queue.put(cast("_Job[object]", job))
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
        """Whatever waits now, and whether to stop after it."""
        group: list[_Job[object]] = []
        urgent, end = False, 0.0
        while len(group) < _MAX_GROUP:
            try:
                item = self._take(end, waiting=bool(group), urgent=urgent)
            except Empty:
                break
            if item is None:
                return group, True
            if item.future.set_running_or_notify_cancel():
                end = end if group else monotonic() + _PATIENCE
                group.append(item)
                urgent = urgent or not item.patient
        return group, False

    def _take(self, end: float, *, waiting: bool, urgent: bool) -> _Job[object] | None:
        if urgent:
            return self._queue.get_nowait()
        return self._queue.get(timeout=max(0.0, end - monotonic()) if waiting else None)

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
