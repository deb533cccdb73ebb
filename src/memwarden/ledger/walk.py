"""Walking along a chain, checking each record as it comes by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Final

from memwarden.errors import LedgerCorrupt
from memwarden.ledger import faults
from memwarden.ledger.canonical import GENESIS, canonical_text
from memwarden.ledger.faults import Fault
from memwarden.ledger.merkle import push, root_of, root_of_peaks
from memwarden.ledger.reading import Fields, parse

_BATCH: Final = 4096
_END: Final = 2**62

Row = tuple[int, str, int, bytes, bytes, bytes]
"""seq, type, at, prev, hash, body"""


class Walk:
    """One pass over the records ``first`` to ``last`` of a tenant, in batches.

    After each batch the public attributes say how far it came: ``count`` records and
    ``decisions``, ``next_seq`` the number that would follow, ``previous`` the last hash,
    ``peaks`` of the tree so far, ``roots`` at the marked sizes, ``open_intents`` without receipt.
    """

    def __init__(
        self,
        conn: sqlite3.Connection,
        tenant: str,
        *,
        marks: frozenset[int] = frozenset(),
        first: int = 0,
        last: int = _END,
    ) -> None:
        self.count = 0
        self.decisions = 0
        self.next_seq = first
        self.previous = GENESIS
        self.peaks: list[bytes] = []
        self.roots: dict[int, bytes] = {}
        self.open_intents: set[int] = set()
        self._conn = conn
        self._tenant = tenant
        self._quoted = canonical_text(tenant)
        self._marks = marks
        self._first = first
        self._last = last
        self._clock = 0
        self._leaves = self._leaf_groups()
        self._ahead: tuple[int, list[bytes]] | None = None

    def batches(self) -> Iterator[list[Fault]]:
        """Walk on; each batch's faults. Ends where the records end or cannot be read."""
        rows = self._rows()
        while True:
            try:
                batch = rows.fetchmany(_BATCH)
                found = [fault for row in batch for fault in self._step(row)]
            except (sqlite3.Error, UnicodeError) as error:
                yield [faults.unreadable(self._tenant, self.next_seq, str(error))]
                return
            if not batch:
                yield self._strays()
                return
            yield found

    def _rows(self) -> sqlite3.Cursor:
        return self._conn.execute(
            "SELECT seq, type, at, prev, hash, CAST(body AS BLOB) FROM record"
            " WHERE tenant = ? AND seq >= ? AND seq <= ? ORDER BY seq",
            (self._tenant, self._first, self._last),
        )

    def _leaf_groups(self) -> Iterator[tuple[int, list[bytes]]]:
        rows = self._conn.execute(
            "SELECT seq, CAST(leaf AS BLOB) FROM decision"
            " WHERE tenant = ? AND seq >= ? AND seq <= ? ORDER BY seq, position",
            (self._tenant, self._first, self._last),
        )
        rows.arraysize = _BATCH
        for seq, group in groupby(rows, key=itemgetter(0)):
            yield seq, [sha256(b"\x00" + leaf).digest() for _, leaf in group]

    def _step(self, row: Row) -> list[Fault]:
        seq, kind, at, prev, digest, body = row
        found: list[Fault] = []
        if seq != self.next_seq:
            found.append(faults.gap(self._tenant, self.next_seq, seq))
        elif prev != self.previous and (seq > self._first or seq == 0):
            found.append(faults.unlinked(self._tenant, seq))
        if self._hash(row) != digest:
            found.append(faults.tampered(self._tenant, seq))
        found.extend(self._content(seq, kind, body))
        if at < self._clock:
            found.append(faults.clock_back(self._tenant, seq, (self._clock - at) / 1000))
        self._advance(seq, at, digest)
        return found

    def _hash(self, row: Row) -> bytes:
        seq, kind, at, prev, _, body = row
        return sha256(
            (
                f'\x00{{"at":{at},"body":"{sha256(body).hexdigest()}","prev":"{prev.hex()}",'
                f'"seq":{seq},"tenant":{self._quoted},"type":"{kind}","v":1}}'
            ).encode()
        ).digest()

    def _advance(self, seq: int, at: int, digest: bytes) -> None:
        if not self._first:
            push(self.peaks, self.count, digest)
            if self.count + 1 in self._marks:
                self.roots[self.count + 1] = root_of_peaks(self.peaks)
        self.count += 1
        self.next_seq = seq + 1
        self.previous = digest
        self._clock = at

    def _content(self, seq: int, kind: str, body: bytes) -> list[Fault]:
        """An intent against its decisions; receipts against the intents that await one."""
        if kind == "intent":
            return self._envelope(seq, body)
        if kind == "receipt":
            try:
                self.open_intents.discard(Fields(parse(body.decode())).number("intent"))
            except (LedgerCorrupt, UnicodeError):
                return [self._broken(seq)]
        return []

    def _envelope(self, seq: int, body: bytes) -> list[Fault]:
        try:
            fields = Fields(parse(body.decode()))
            expected, root = fields.number("leaves"), fields.text("root")
        except (LedgerCorrupt, UnicodeError):
            return [self._broken(seq)]
        if fields.flag("receipt"):
            self.open_intents.add(seq)
        strays, leaves = self._leaves_of(seq)
        self.decisions += len(leaves)
        sound = len(leaves) == expected and root_of(leaves).hex() == root
        if sound:
            return strays
        if len(leaves) < expected and self._is_last(seq):
            return [*strays, faults.torn(self._tenant, seq)]
        return [*strays, faults.leaves(self._tenant, seq, expected, len(leaves))]

    def _broken(self, seq: int) -> Fault:
        return (
            faults.torn(self._tenant, seq)
            if self._is_last(seq)
            else faults.tampered(self._tenant, seq)
        )

    def _is_last(self, seq: int) -> bool:
        row = self._conn.execute(
            "SELECT 1 FROM record WHERE tenant = ? AND seq > ? LIMIT 1", (self._tenant, seq)
        ).fetchone()
        return row is None

    def _leaves_of(self, seq: int) -> tuple[list[Fault], list[bytes]]:
        """The decisions of a record; any group before it belongs to no envelope."""
        strays: list[Fault] = []
        while True:
            ahead = self._ahead or next(self._leaves, (_END, []))
            if ahead[0] < seq:
                strays.append(faults.stray_leaves(self._tenant, ahead[0]))
                self._ahead = None
                continue
            if ahead[0] == seq:
                self._ahead = None
                return strays, ahead[1]
            self._ahead = ahead
            return strays, []

    def _strays(self) -> list[Fault]:
        strays, _ = self._leaves_of(_END)
        return strays
