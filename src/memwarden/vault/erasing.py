"""Erasing: the wrapped key goes, the ciphertext goes, and the pages they lay on are zeroed.

Run these as a step of ``Database.write`` together with the ledger's tombstone, then call
``Database.truncate_log``: until the write-ahead log is cut, older copies of the pages lie in it.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from memwarden.keys import Keyring
from memwarden.vault.sealing import subject_digest


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure destroyed. ``subject`` is a keyed digest, empty for a whole tenant."""

    tenant: str
    subject: str
    keys: int
    seals: int
    numbers: int


def destroy_subject(
    conn: sqlite3.Connection, ring: Keyring, tenant: str, subject: str = "", *, record: str = ""
) -> Erasure:
    """Destroy all that is sealed for a person, or for one record that has no subject.

    Doing it again destroys nothing more and is no error.
    """
    owner = subject_digest(ring.tenant(conn, tenant), subject, record)
    return destroy_digest(conn, tenant, owner)


def destroy_digest(conn: sqlite3.Connection, tenant: str, owner: str) -> Erasure:
    """The same by digest, as a tombstone names it: replayed after restoring a backup."""
    keys = conn.execute(
        "DELETE FROM subject_key WHERE tenant = ? AND subject = ?", (tenant, owner)
    ).rowcount
    seals = conn.execute(
        "DELETE FROM seal WHERE tenant = ? AND subject = ?", (tenant, owner)
    ).rowcount
    return Erasure(tenant, owner, keys, seals, _drop_numbers(conn, tenant, owner))


def destroy_tenant(conn: sqlite3.Connection, ring: Keyring, tenant: str) -> Erasure:
    """Destroy a tenant's key, and with it every digest, stamp, number and original it had."""
    conn.execute(
        "UPDATE tenant_key SET wrapped = NULL, destroyed_at = ? WHERE tenant = ?",
        (time.time_ns() // 1_000_000, tenant),
    )
    keys = conn.execute("DELETE FROM subject_key WHERE tenant = ?", (tenant,)).rowcount
    seals = conn.execute("DELETE FROM seal WHERE tenant = ?", (tenant,)).rowcount
    numbers = conn.execute("DELETE FROM number WHERE tenant = ?", (tenant,)).rowcount
    conn.execute("DELETE FROM number_use WHERE tenant = ?", (tenant,))
    conn.execute("DELETE FROM number_counter WHERE tenant = ?", (tenant,))
    ring.forget()
    return Erasure(tenant, "", keys, seals, numbers)


def _drop_numbers(conn: sqlite3.Connection, tenant: str, owner: str) -> int:
    """Forget the values that only this subject used; the counters go on, no number comes twice."""
    conn.execute(
        """
        DELETE FROM number WHERE tenant = :tenant AND (entity, value) IN (
          SELECT entity, value FROM number_use AS mine
          WHERE mine.tenant = :tenant AND mine.subject = :owner AND NOT EXISTS (
            SELECT 1 FROM number_use AS other
            WHERE other.tenant = mine.tenant AND other.entity = mine.entity
              AND other.value = mine.value AND other.subject <> mine.subject))
        """,
        {"tenant": tenant, "owner": owner},
    )
    dropped = int(conn.execute("SELECT changes()").fetchone()[0])
    conn.execute("DELETE FROM number_use WHERE tenant = ? AND subject = ?", (tenant, owner))
    return dropped
