"""Sealing and opening: AES-256-GCM under a key per subject, bound to tenant, subject and seal."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from memwarden.errors import VaultError
from memwarden.keys import Keyring, TenantKeys, decrypt, encrypt, new_key, pack


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed original: its name, and the SHA-256 of the ciphertext that the chain records.

    ``subject`` is the keyed digest of whose it is.
    """

    id: str
    digest: str
    subject: str


def subject_digest(keys: TenantKeys, subject: str, record: str = "") -> str:
    """Whose a sealed text is: a person's digest, or that of the one record it belongs to.

    A candidate that names no subject is sealed under a key of its own ``record``, so that it can
    be erased alone.
    """
    if subject:
        return keys.digest("subject", subject)
    if record:
        return keys.digest("record", record)
    raise VaultError("a sealed text needs a subject, or the record that it belongs to")


def seal(
    conn: sqlite3.Connection,
    ring: Keyring,
    tenant: str,
    plain: bytes,
    *,
    seal_id: str,
    subject: str = "",
    record: str = "",
    owner: str = "",
) -> Seal:
    """Seal ``plain`` as ``seal_id`` (unique in the tenant) for a subject or a single record.

    ``owner`` is a subject's digest, for a caller that knows no more of the person. Makes the
    tenant's and the subject's key if they are new. Raises VaultError if the tenant's key is lost
    or was destroyed.
    """
    keys = ring.admit(conn, tenant)
    owner = owner or subject_digest(keys, subject, record)
    blob = encrypt(_subject_key(conn, keys, owner), plain, _bound(tenant, owner, seal_id))
    digest = sha256(blob).hexdigest()
    conn.execute(
        "INSERT INTO seal (tenant, id, subject, digest, blob, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (tenant, seal_id, owner, digest, blob, time.time_ns() // 1_000_000),
    )
    return Seal(seal_id, digest, owner)


def open_seal(conn: sqlite3.Connection, ring: Keyring, tenant: str, seal_id: str) -> bytes:
    """The sealed original. Raises VaultError if it was erased, altered or never there."""
    row = conn.execute(
        "SELECT subject, blob FROM seal WHERE tenant = ? AND id = ?", (tenant, seal_id)
    ).fetchone()
    if row is None:
        raise VaultError(f"seal {seal_id}: there is nothing sealed under this id; it was erased")
    owner, blob = row
    key = _known_subject_key(conn, ring.tenant(conn, tenant), owner)
    if key is None:
        raise VaultError(f"seal {seal_id}: the key of its subject was destroyed")
    return decrypt(key, blob, _bound(tenant, owner, seal_id), f"seal {seal_id}")


def digests_of(
    conn: sqlite3.Connection, tenant: str, seal_ids: Iterable[str]
) -> dict[str, str | None]:
    """SHA-256 of each ciphertext as it lies in the file now; None where nothing lies.

    Comparing with the digests in the ledger shows an original that was exchanged or removed.
    """
    found: dict[str, str | None] = {}
    for seal_id in seal_ids:
        row = conn.execute(
            "SELECT blob FROM seal WHERE tenant = ? AND id = ?", (tenant, seal_id)
        ).fetchone()
        found[seal_id] = sha256(row[0]).hexdigest() if row else None
    return found


def seals_of(conn: sqlite3.Connection, ring: Keyring, tenant: str, subject: str) -> tuple[str, ...]:
    """The ids of everything sealed for a person, oldest first: for export and before erasing."""
    owner = subject_digest(ring.tenant(conn, tenant), subject)
    rows = conn.execute(
        "SELECT id FROM seal WHERE tenant = ? AND subject = ? ORDER BY row", (tenant, owner)
    )
    return tuple(row[0] for row in rows)


def _subject_key(conn: sqlite3.Connection, keys: TenantKeys, owner: str) -> bytes:
    known = _known_subject_key(conn, keys, owner)
    if known is not None:
        return known
    key = new_key()
    conn.execute(
        "INSERT INTO subject_key (tenant, subject, wrapped) VALUES (?, ?, ?)",
        (keys.tenant, owner, encrypt(keys.subjects, key, _bound(keys.tenant, owner, "key"))),
    )
    return key


def _known_subject_key(conn: sqlite3.Connection, keys: TenantKeys, owner: str) -> bytes | None:
    row = conn.execute(
        "SELECT wrapped FROM subject_key WHERE tenant = ? AND subject = ?", (keys.tenant, owner)
    ).fetchone()
    if row is None:
        return None
    return decrypt(keys.subjects, row[0], _bound(keys.tenant, owner, "key"), "a subject's key")


def _bound(tenant: str, owner: str, name: str) -> bytes:
    return pack(("memwarden seal", tenant, owner, name))
