"""Memories that nobody has a reason to read. Who recalls one is looking for more than their own.

Declared in policy by text or id, or planted by the warden; a planted one is known by the digest
of its id alone, so that nothing in the store tells it from a real memory.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence

from memwarden.keys import TenantKeys
from memwarden.ledger import memory_digest
from memwarden.model import Honeytoken, Memory


def declared(memory: Memory, tokens: Sequence[Honeytoken]) -> str:
    """The name under which policy declares this memory a honeytoken; "" if it does not."""
    for token in tokens:
        if token.id and token.id == memory.memory_id:
            return token.name
        if token.text and token.text.strip() == memory.text.strip():
            return token.name
    return ""


def remember(conn: sqlite3.Connection, keys: TenantKeys, memory_id: str) -> None:
    """Note that a memory is a honeytoken."""
    conn.execute(
        "INSERT OR IGNORE INTO honeytoken (tenant, memory, planted_at) VALUES (?, ?, ?)",
        (keys.tenant, memory_digest(keys, memory_id), time.time_ns() // 1_000_000),
    )


def forget(conn: sqlite3.Connection, keys: TenantKeys, memory_id: str) -> None:
    """Note that it is none any more."""
    conn.execute(
        "DELETE FROM honeytoken WHERE tenant = ? AND memory = ?",
        (keys.tenant, memory_digest(keys, memory_id)),
    )


def planted(
    conn: sqlite3.Connection, keys: TenantKeys, memory_ids: Iterable[str]
) -> frozenset[str]:
    """Which of these ids are planted honeytokens."""
    found = set()
    for memory_id in memory_ids:
        row = conn.execute(
            "SELECT 1 FROM honeytoken WHERE tenant = ? AND memory = ?",
            (keys.tenant, memory_digest(keys, memory_id)),
        ).fetchone()
        if row is not None:
            found.add(memory_id)
    return frozenset(found)
