"""The key ring: the installation's root secret and every tenant's key, wrapped by the master key.

All working keys hang from two random secrets that are stored wrapped: the root (signing,
capabilities) and one per tenant (digests, stamps, numbers, subjects). Changing the master key
therefore rewraps a few rows and changes no digest; destroying a tenant's row ends every key
that hung from it.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass, field
from functools import lru_cache
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from memwarden.errors import UnknownTenant, VaultError
from memwarden.keys.derive import (
    decrypt,
    derive,
    encrypt,
    keyed_digest,
    new_key,
    pack,
)
from memwarden.keys.place import KeyPlace, MasterKey
from memwarden.model import Message


@dataclass(frozen=True, slots=True)
class TenantKeys:
    """One tenant's working keys. Held in memory only."""

    tenant: str
    digests: bytes = field(repr=False)
    stamps: bytes = field(repr=False)
    subjects: bytes = field(repr=False)

    @classmethod
    def of(cls, tenant: str, secret: bytes) -> TenantKeys:
        return cls(
            tenant,
            digests=derive(secret, "digests"),
            stamps=derive(secret, "stamps"),
            subjects=derive(secret, "subjects"),
        )

    def digest(self, label: str, *fields: str) -> str:
        """The keyed digest of ``fields`` as a ``label`` ("origin", "text", "subject", ...)."""
        return keyed_digest(self.digests, label, *fields)


@dataclass(frozen=True, slots=True)
class RootKeys:
    """The installation's own keys."""

    installation: str
    capabilities: bytes = field(repr=False)
    signing: bytes = field(repr=False)

    @classmethod
    def of(cls, installation: str, secret: bytes) -> RootKeys:
        return cls(
            installation,
            capabilities=derive(secret, "capabilities"),
            signing=derive(secret, "signing"),
        )

    def sign(self, message: bytes) -> bytes:
        """An Ed25519 signature (RFC 8032)."""
        return _signer(self.signing).sign(message)

    @property
    def public_key(self) -> bytes:
        """The 32 raw bytes that anyone may know and check signatures with."""
        public: Ed25519PublicKey = _signer(self.signing).public_key()
        return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


@lru_cache(maxsize=8)
def _signer(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


class Keyring:
    """Opens wrapped keys. Made once per data folder with ``open_keyring``; safe to share."""

    def __init__(self, master: MasterKey, root: RootKeys, notice: Message | None = None) -> None:
        self._master = master
        self._root = root
        self._notice = notice
        self._tenant = lru_cache(maxsize=4096)(self._unwrap_tenant)

    def __repr__(self) -> str:
        return f"Keyring(master={self._master.id})"

    @property
    def root(self) -> RootKeys:
        return self._root

    @property
    def master(self) -> MasterKey:
        return self._master

    @property
    def notice(self) -> Message | None:
        """What to tell the person at first start: where the key is, what losing it means."""
        return self._notice

    def tenant(self, conn: sqlite3.Connection, tenant: str) -> TenantKeys:
        """The tenant's keys. Raises VaultError if they were destroyed or never made.

        The row is read every time, so that a key destroyed by another process ends here too.
        """
        row = conn.execute("SELECT wrapped FROM tenant_key WHERE tenant = ?", (tenant,)).fetchone()
        if row is None:
            raise VaultError(f"tenant {tenant!r} has no key yet; nothing of it is sealed")
        return self._open(tenant, row[0])

    def admit(self, conn: sqlite3.Connection, tenant: str) -> TenantKeys:
        """The tenant's keys, made now if the tenant is new. Needs a writing connection."""
        if not tenant:
            raise UnknownTenant("the tenant's name is missing")
        row = conn.execute("SELECT wrapped FROM tenant_key WHERE tenant = ?", (tenant,)).fetchone()
        if row is not None:
            return self._open(tenant, row[0])
        _refuse_lost_key(conn, tenant)
        wrapped = encrypt(self._wrapping(), new_key(), _bound("tenant", tenant))
        conn.execute(
            "INSERT INTO tenant_key (tenant, wrapped, created_at) VALUES (?, ?, ?)",
            (tenant, wrapped, _now()),
        )
        return self._open(tenant, wrapped)

    def forget(self) -> None:
        """Drop every opened tenant key from memory, as destroying a tenant does."""
        self._tenant.cache_clear()

    def _open(self, tenant: str, wrapped: bytes | None) -> TenantKeys:
        if wrapped is None:
            raise VaultError(f"the key of tenant {tenant!r} was destroyed; its originals are gone")
        return self._tenant(tenant, wrapped)

    def _unwrap_tenant(self, tenant: str, wrapped: bytes) -> TenantKeys:
        what = f"the key of tenant {tenant!r}"
        return TenantKeys.of(
            tenant, decrypt(self._wrapping(), wrapped, _bound("tenant", tenant), what)
        )

    def _wrapping(self) -> bytes:
        return derive(self._master.secret, "wrapping")


def open_keyring(conn: sqlite3.Connection, place: KeyPlace) -> Keyring:
    """The ring of this database; at first start the root secret and, if need be, the master key.

    Run it as a step of ``Database.write``: two processes that start at once then agree. Raises
    VaultError if the data was sealed under a key that is not to be found; no new key is made.
    """
    row = conn.execute("SELECT id, master_id, wrapped_root FROM installation").fetchone()
    if row is None:
        return _first_start(conn, place)
    installation, master_id, wrapped = row
    master = place.find(master_id)
    secret = decrypt(
        derive(master.secret, "wrapping"), wrapped, _bound("root", installation), "the root secret"
    )
    return Keyring(master, RootKeys.of(installation, secret))


def _first_start(conn: sqlite3.Connection, place: KeyPlace) -> Keyring:
    for table in ("tenant_key", "seal", "chain"):
        if conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608 - fixed names
            raise VaultError(
                "the database holds data but the row that names its master key is gone; "
                "restore a backup, no new key is made over existing data"
            )
    master, made = place.first()
    secret, installation = new_key(), uuid4().hex
    wrapped = encrypt(derive(master.secret, "wrapping"), secret, _bound("root", installation))
    conn.execute(
        "INSERT INTO installation (one, id, master_id, wrapped_root, created_at)"
        " VALUES (1, ?, ?, ?, ?)",
        (installation, master.id, wrapped, _now()),
    )
    return Keyring(master, RootKeys.of(installation, secret), _notice(master, made))


def rotate_master(conn: sqlite3.Connection, ring: Keyring, new: MasterKey) -> Keyring:
    """Rewrap the root and every tenant key under ``new``; digests, stamps and seals stay valid.

    Keep the old key until backups made under it are gone.
    """
    old_wrapping, new_wrapping = (
        derive(ring.master.secret, "wrapping"),
        derive(new.secret, "wrapping"),
    )
    installation, wrapped = conn.execute("SELECT id, wrapped_root FROM installation").fetchone()
    bound = _bound("root", installation)
    root = decrypt(old_wrapping, wrapped, bound, "the root secret")
    conn.execute(
        "UPDATE installation SET master_id = ?, wrapped_root = ?",
        (new.id, encrypt(new_wrapping, root, bound)),
    )
    rows = conn.execute("SELECT tenant, wrapped FROM tenant_key WHERE wrapped IS NOT NULL")
    for tenant, key in rows.fetchall():
        bound = _bound("tenant", tenant)
        secret = decrypt(old_wrapping, key, bound, f"the key of tenant {tenant!r}")
        conn.execute(
            "UPDATE tenant_key SET wrapped = ? WHERE tenant = ?",
            (encrypt(new_wrapping, secret, bound), tenant),
        )
    return Keyring(new, ring.root)


def _refuse_lost_key(conn: sqlite3.Connection, tenant: str) -> None:
    for table in ("seal", "subject_key", "chain"):
        sql = f"SELECT 1 FROM {table} WHERE tenant = ? LIMIT 1"  # noqa: S608 - fixed names
        if conn.execute(sql, (tenant,)).fetchone():
            raise VaultError(
                f"tenant {tenant!r} has data but its key is gone; restore a backup, "
                "no new key is made over existing data"
            )


def _bound(kind: str, name: str) -> bytes:
    return pack(("memwarden key", kind, name))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _notice(master: MasterKey, made: bool) -> Message:
    verb_en, verb_zh = ("was made and lies in", "已生成，存放于") if made else ("is", "来自")
    return Message(
        en=(
            f"The master key {verb_en} {master.where} (id {master.id}). It opens every sealed "
            "original: keep a copy apart from the data. Whoever loses it loses the originals, "
            "the reviews that wait and the power to verify stamps; nobody can bring them back."
        ),
        zh=(
            f"主密钥{verb_zh} {master.where}（编号 {master.id}）。所有封存的原文都靠它打开，"
            "请在数据目录之外另存一份。密钥一旦丢失，封存的原文、待审的条目和印记的验证能力"
            "都将永久失去，任何人都无法恢复。"
        ),
    )
