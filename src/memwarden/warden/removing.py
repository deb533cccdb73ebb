"""Taking one memory out of a store by hand, on the record."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memwarden.errors import UsageError
from memwarden.ledger import ConfigChange, append, memory_digest

if TYPE_CHECKING:
    from memwarden.warden.core import Warden


def remove_memory(
    warden: Warden, tenant: str, store: str, memory_id: str, *, actor: str, decision: str = ""
) -> None:
    """Delete a memory from a store that this process can reach.

    The ledger first says who does it; it knows the memory by a keyed digest. Raises UsageError
    where the store cannot be reached from here.
    """
    if not actor or not memory_id:
        raise UsageError("deleting a memory needs its id, and the name of who deletes it")
    found = warden.stores.get(store)
    if found is None:
        raise UsageError(f"this process has no store {store!r}; delete it where the store is")

    def step(conn: sqlite3.Connection) -> None:
        keys = warden.books.ring.admit(conn, tenant)
        change = ConfigChange(
            f"memory:{memory_digest(keys, memory_id)}",
            "deleted by hand",
            decision,
            keys.digest("actor", actor),
        )
        append(conn, tenant, change, datetime.now(UTC))

    warden.books.database.write(step)
    found.delete(tenant, [memory_id])
