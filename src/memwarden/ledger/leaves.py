"""Reading decisions beside the records they belong to, in one pass."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import Final

END: Final = 2**62
"""A record number beyond every chain."""

_BATCH: Final = 4096


class LeafReader:
    """The leaf hashes of a tenant's decisions, handed out record by record in order."""

    def __init__(self, conn: sqlite3.Connection, tenant: str, first: int, last: int) -> None:
        self.count = 0
        self._cursor = conn.execute(
            "SELECT seq, CAST(leaf AS BLOB) FROM decision"
            " WHERE tenant = ? AND seq >= ? AND seq <= ? ORDER BY seq, position",
            (tenant, first, last),
        )
        self._rows: list[tuple[int, bytes]] = []
        self._next = 0

    def take(self, seq: int) -> tuple[list[int], list[bytes]]:
        """Stray record numbers before ``seq`` that have decisions, and the hashes of its own."""
        strays: list[int] = []
        taken: list[bytes] = []
        while True:
            if self._next >= len(self._rows):
                self._rows, self._next = self._cursor.fetchmany(_BATCH), 0
                if not self._rows:
                    return strays, taken
            found, leaf = self._rows[self._next]
            if found > seq:
                return strays, taken
            self._next += 1
            self.count += 1
            if found == seq:
                taken.append(sha256(b"\x00" + leaf).digest())
            elif found not in strays[-1:]:
                strays.append(found)
