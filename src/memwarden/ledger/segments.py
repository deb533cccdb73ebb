"""One long walk shared among processes: whole subtrees of records, walked side by side.

A segment is a perfect subtree, so its root is all that the tree above needs of it. Each worker
compares its first record with the stored hash of the one before; whether that hash is true is the
business of the worker that has it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from memwarden.database.opening import Settings, connect
from memwarden.ledger import faults
from memwarden.ledger.canonical import GENESIS
from memwarden.ledger.faults import Fault
from memwarden.ledger.leaves import END
from memwarden.ledger.merkle import push
from memwarden.ledger.walk import Walk

SEGMENT: Final = 1 << 16
"""Records in a segment."""


class Walked(Protocol):
    """What verifying needs of a walk: see ``Walk``."""

    @property
    def count(self) -> int: ...
    @property
    def decisions(self) -> int: ...
    @property
    def next_seq(self) -> int: ...
    @property
    def previous(self) -> bytes: ...
    @property
    def peaks(self) -> Sequence[bytes]: ...
    @property
    def marked(self) -> Mapping[int, tuple[bytes, ...]]: ...
    @property
    def open_intents(self) -> Set[int]: ...
    def batches(self) -> Iterator[list[Fault]]: ...


def walk_whole(
    conn: sqlite3.Connection, tenant: str, total: int, marks: frozenset[int], processes: int
) -> Walked:
    """The walk along a whole chain: alone, or shared if there is enough to share."""
    row = conn.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()
    if processes < 2 or total <= SEGMENT or not row[0]:
        return Walk(conn, tenant, marks=marks)
    return SharedWalk(Path(row[0]), tenant, total, marks, processes)


@dataclass(frozen=True, slots=True)
class _Task:
    path: Path
    tenant: str
    first: int
    last: int
    marks: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Result:
    faults: list[Fault]
    count: int
    decisions: int
    next_seq: int
    previous: bytes
    peaks: list[bytes]
    marked: dict[int, tuple[bytes, ...]]
    open_intents: set[int]
    answered: set[int]


class SharedWalk:
    """A walk by several processes, put together in the order of the records."""

    def __init__(
        self, path: Path, tenant: str, total: int, marks: frozenset[int], processes: int
    ) -> None:
        self.count = 0
        self.decisions = 0
        self.next_seq = 0
        self.previous = GENESIS
        self.peaks: list[bytes] = []
        self.marked: dict[int, tuple[bytes, ...]] = {}
        self.open_intents: set[int] = set()
        self._processes = processes
        self._tasks = [
            _Task(
                path,
                tenant,
                first,
                # The last one walks on past the head, to find what was added there.
                END if first + SEGMENT >= total else first + SEGMENT - 1,
                frozenset(mark - first for mark in marks if 0 < mark - first <= SEGMENT),
            )
            for first in range(0, total, SEGMENT)
        ]

    def batches(self) -> Iterator[list[Fault]]:
        """Each segment's faults, in order. A walk that is given up ends its workers."""
        pool = start_workers(min(self._processes, len(self._tasks)))
        try:
            for task, result in zip(self._tasks, pool.map(_walk, self._tasks), strict=True):
                between = self._missing_before(task, result)
                self._add(task, result)
                yield [*between, *result.faults]
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _missing_before(self, task: _Task, result: _Result) -> list[Fault]:
        """Records that the segment before lacks at its end. With nothing after, the tail is cut,
        which the head tells."""
        if result.count and self.next_seq < task.first:
            return [faults.gap(task.tenant, self.next_seq, task.first)]
        return []

    def _add(self, task: _Task, result: _Result) -> None:
        for mark, peaks in result.marked.items():
            self.marked[task.first + mark] = (*self.peaks, *peaks)
        if len(result.peaks) == 1 and result.count == SEGMENT:
            push(self.peaks, task.first // SEGMENT, result.peaks[0])
        else:
            self.peaks.extend(result.peaks)
        self.count += result.count
        self.decisions += result.decisions
        if result.count:
            self.next_seq, self.previous = result.next_seq, result.previous
        self.open_intents = (self.open_intents - result.answered) | result.open_intents


def start_workers(count: int) -> Executor:
    """Fresh processes: a forked one would inherit open connections and locks."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


def _walk(task: _Task) -> _Result:
    conn = connect(task.path, Settings(), readonly=True)
    try:
        walk = Walk(conn, task.tenant, marks=task.marks, first=task.first, last=task.last)
        found = [fault for batch in walk.batches() for fault in batch]
    finally:
        conn.close()
    return _Result(
        found,
        walk.count,
        walk.decisions,
        walk.next_seq,
        walk.previous,
        walk.peaks,
        walk.marked,
        walk.open_intents,
        walk.answered,
    )
