"""Walking along a chain, checking each record as it comes by.

What is sound takes one short path through ``Walk._batch``; only what is not is looked at closely,
to say what is wrong with it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from memwarden.errors import LedgerCorrupt
from memwarden.ledger import faults
from memwarden.ledger.canonical import GENESIS, canonical_text, utf8
from memwarden.ledger.faults import Fault
from memwarden.ledger.leaves import END, LeafReader
from memwarden.ledger.merkle import push_many, root_of
from memwarden.ledger.reading import Fields, parse

_BATCH: Final = 4096

_SKEW: Final = 10_000
"""Milliseconds by which writers that wait in one queue may be recorded out of order."""

Row = tuple[int, str, int, bytes, bytes, bytes]
"""seq, type, at, prev, hash, body"""


class Walk:
    """One pass over the records ``first`` to ``last`` of a tenant, in batches.

    After each batch the public attributes say how far it came: ``count`` records and
    ``decisions``, ``next_seq`` the number that would follow, ``previous`` the last hash, ``peaks``
    of the tree over the records walked, ``marked`` those peaks at the marked counts,
    ``open_intents`` without receipt, and ``answered`` receipts of intents before ``first``.
    """

    def __init__(
        self,
        conn: sqlite3.Connection,
        tenant: str,
        *,
        marks: frozenset[int] = frozenset(),
        first: int = 0,
        last: int = END,
    ) -> None:
        self.count = 0
        self.next_seq = first
        self.previous = self._hash_before(conn, tenant, first)
        self.peaks: list[bytes] = []
        self.marked: dict[int, tuple[bytes, ...]] = {}
        self.open_intents: set[int] = set()
        self.answered: set[int] = set()
        self._conn = conn
        self._tenant = tenant
        self._ending = utf8(f',"tenant":{canonical_text(tenant)},"type":"')
        self._marks = sorted(marks, reverse=True)
        self._first = first
        self._last = last
        self._clock = 0
        self._leaves = LeafReader(conn, tenant, first, last)

    @staticmethod
    def _hash_before(conn: sqlite3.Connection, tenant: str, first: int) -> bytes:
        row = conn.execute(
            "SELECT hash FROM record WHERE tenant = ? AND seq = ?", (tenant, first - 1)
        ).fetchone()
        return bytes(row[0]) if row else GENESIS

    @property
    def decisions(self) -> int:
        return self._leaves.count

    def batches(self) -> Iterator[list[Fault]]:
        """Walk on; each batch's faults. Ends where the records end or cannot be read."""
        try:
            rows = self._rows()
            while batch := rows.fetchmany(_BATCH):
                yield self._batch(batch)
            yield [faults.stray_leaves(self._tenant, seq) for seq in self._leaves.take(END)[0]]
        except (sqlite3.Error, UnicodeError) as error:
            yield [faults.unreadable(self._tenant, self.next_seq, str(error))]

    def _rows(self) -> sqlite3.Cursor:
        return self._conn.execute(
            "SELECT seq, type, at, prev, hash, CAST(body AS BLOB) FROM record"
            " WHERE tenant = ? AND seq >= ? AND seq <= ? ORDER BY seq",
            (self._tenant, self._first, self._last),
        )

    def _batch(self, batch: list[Row]) -> list[Fault]:
        found: list[Fault] = []
        for row in batch:
            seq, kind, at, prev, digest, body = row
            if seq != self.next_seq or prev != self.previous or at + _SKEW < self._clock:
                found += self._misplaced(row)
            record = b'\x00{"at":%d,"body":%b,"prev":"%b","seq":%d%b%b","v":1}' % (
                at,
                body,
                prev.hex().encode(),
                seq,
                self._ending,
                kind.encode(),
            )
            if sha256(record).digest() != digest:
                found.append(faults.tampered(self._tenant, seq))
            if kind == "intent":
                found += self._intent(seq, body)
            elif kind == "receipt":
                found += self._receipt(seq, body)
            self.next_seq, self.previous, self._clock = seq + 1, digest, at
        self._grow([row[4] for row in batch])
        self.count += len(batch)
        return found

    def _grow(self, hashes: list[bytes]) -> None:
        """Add a batch to the tree, stopping at marked counts to note the peaks there."""
        size, start = self.count, 0
        while self._marks and self._marks[-1] <= size + len(hashes):
            mark = self._marks.pop()
            push_many(self.peaks, size + start, hashes[start : mark - size])
            start = mark - size
            self.marked[mark] = tuple(self.peaks)
        push_many(self.peaks, size + start, hashes[start:])

    def _misplaced(self, row: Row) -> list[Fault]:
        seq, _, at, prev, _, _ = row
        found: list[Fault] = []
        if seq != self.next_seq:
            found.append(faults.gap(self._tenant, self.next_seq, seq))
        elif prev != self.previous:
            found.append(faults.unlinked(self._tenant, seq))
        if at + _SKEW < self._clock:
            found.append(faults.clock_back(self._tenant, seq, (self._clock - at) / 1000))
        return found

    def _intent(self, seq: int, body: bytes) -> list[Fault]:
        """An intent against its decisions.

        In canonical JSON a quote inside a text is escaped, so these names with their quotes and
        colons can only be the object's own.
        """
        strays, leaves = self._leaves.take(seq)
        found = [faults.stray_leaves(self._tenant, stray) for stray in strays]
        if b'"receipt":true' in body:
            self.open_intents.add(seq)
        root = leaves[0] if len(leaves) == 1 else root_of(leaves)
        named = b'"root":"%b"' % root.hex().encode() in body
        if leaves and named and b'"leaves":%d,' % len(leaves) in body:
            return found
        return [*found, self._bad_envelope(seq, body, len(leaves))]

    def _receipt(self, seq: int, body: bytes) -> list[Fault]:
        """A receipt's canonical form is ``{"by":…,"intent":N,"outcomes":…}``."""
        number = body.partition(b'","intent":')[2].partition(b",")[0]
        if not number.isdigit():
            return [self._broken(seq)]
        intent = int(number)
        if intent in self.open_intents:
            self.open_intents.remove(intent)
        elif intent < self._first:
            self.answered.add(intent)
        return []

    def _bad_envelope(self, seq: int, body: bytes, there: int) -> Fault:
        try:
            expected = Fields(parse(body.decode())).number("leaves")
        except (LedgerCorrupt, UnicodeError):
            return self._broken(seq)
        if there < expected and self._is_last(seq):
            return faults.torn(self._tenant, seq)
        return faults.leaves(self._tenant, seq, expected, there)

    def _broken(self, seq: int) -> Fault:
        wrong = faults.torn if self._is_last(seq) else faults.tampered
        return wrong(self._tenant, seq)

    def _is_last(self, seq: int) -> bool:
        row = self._conn.execute(
            "SELECT 1 FROM record WHERE tenant = ? AND seq > ? LIMIT 1", (self._tenant, seq)
        ).fetchone()
        return row is None
