"""Origins whose memories are no longer given out: a list in the database, asked on every recall.

Revoking withholds; it removes nothing. It reaches every process at its next recall, and what was
derived from a revoked origin is withheld with it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from memwarden.errors import UsageError
from memwarden.keys import TenantKeys
from memwarden.ledger import new_id, origin_digest
from memwarden.model import Origin
from memwarden.warden.provenance import writer_digest


@dataclass(frozen=True, slots=True)
class Revocation:
    """One entry of the list. ``source`` is a policy's word, ``writer`` a keyed digest; "" is any.

    ``origins`` are the digests of source and principal under which the ledger may know that
    writer. ``since`` spares what was stored before.
    """

    id: str
    source: str
    writer: str
    origins: frozenset[str]
    since: datetime | None
    revoked_at: datetime

    def covers(self, source: str, writer: str, origin: str, stored_at: datetime | None) -> bool:
        """Whether a memory (or an ancestor of one) comes from here. Of an unknown time: yes."""
        if self.since is not None and stored_at is not None and stored_at < self.since:
            return False
        if not self.writer:
            return source == self.source
        if origin in self.origins:
            return True
        return writer == self.writer and self.source in ("", source)


def revoke(
    conn: sqlite3.Connection,
    keys: TenantKeys,
    *,
    source: str,
    principal: str,
    since: datetime | None,
    known_sources: Iterable[str],
) -> Revocation:
    """Add an entry. Raises UsageError if neither a source nor a principal is named."""
    if not source and not principal:
        raise UsageError("name a source or a principal to revoke; everything is not an origin")
    sources = [source] if source else sorted(set(known_sources))
    now_ms = time.time_ns() // 1_000_000
    entry = Revocation(
        new_id(),
        source,
        writer_digest(keys, principal),
        frozenset(origin_digest(keys, Origin(each, principal)) for each in sources if principal),
        since,
        _moment(now_ms),
    )
    conn.execute(
        "INSERT INTO revoked_origin (tenant, id, source, writer, origins, since, revoked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            keys.tenant,
            entry.id,
            entry.source,
            entry.writer,
            " ".join(sorted(entry.origins)),
            0 if since is None else round(since.timestamp() * 1000),
            now_ms,
        ),
    )
    return entry


def reinstate(conn: sqlite3.Connection, tenant: str, revocation: str) -> bool:
    """Remove an entry; False if there is none of that id."""
    done = conn.execute(
        "DELETE FROM revoked_origin WHERE tenant = ? AND id = ?", (tenant, revocation)
    )
    return done.rowcount > 0


def revoked(conn: sqlite3.Connection, tenant: str) -> tuple[Revocation, ...]:
    """The whole list of a tenant, oldest first."""
    rows = conn.execute(
        "SELECT id, source, writer, origins, since, revoked_at FROM revoked_origin"
        " WHERE tenant = ? ORDER BY id",
        (tenant,),
    )
    return tuple(
        Revocation(
            row[0],
            row[1],
            row[2],
            frozenset(row[3].split()),
            _moment(row[4]) if row[4] else None,
            _moment(row[5]),
        )
        for row in rows
    )


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
