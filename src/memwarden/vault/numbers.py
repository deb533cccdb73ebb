"""Placeholder numbers: the same value has the same number within a tenant, for as long as it lives.

Only a keyed digest of the value is kept, so the table tells nobody which value has which number.
"""

from __future__ import annotations

import sqlite3

from memwarden.keys import Keyring
from memwarden.vault.sealing import subject_digest


def number_for(
    conn: sqlite3.Connection,
    ring: Keyring,
    tenant: str,
    entity: str,
    value: str,
    *,
    subject: str = "",
    record: str = "",
) -> int:
    """The number of ``value`` among the tenant's ``entity`` values, counted from 1.

    ``subject`` or ``record`` says for whom it is used, so that forgetting the last of them
    forgets the value's digest too. A number is never given to a second value.
    """
    keys = ring.admit(conn, tenant)
    digest = keys.digest("number", entity, value)
    row = conn.execute(
        "SELECT n FROM number WHERE tenant = ? AND entity = ? AND value = ?",
        (tenant, entity, digest),
    ).fetchone()
    number = int(row[0]) if row else _next_number(conn, tenant, entity, digest)
    if subject or record:
        conn.execute(
            "INSERT OR IGNORE INTO number_use (tenant, subject, entity, value) VALUES (?, ?, ?, ?)",
            (tenant, subject_digest(keys, subject, record), entity, digest),
        )
    return number


def _next_number(conn: sqlite3.Connection, tenant: str, entity: str, digest: str) -> int:
    number = int(
        conn.execute(
            "INSERT INTO number_counter (tenant, entity, last) VALUES (?, ?, 1)"
            " ON CONFLICT (tenant, entity) DO UPDATE SET last = last + 1 RETURNING last",
            (tenant, entity),
        ).fetchone()[0]
    )
    conn.execute(
        "INSERT INTO number (tenant, entity, value, n) VALUES (?, ?, ?, ?)",
        (tenant, entity, digest, number),
    )
    return number
