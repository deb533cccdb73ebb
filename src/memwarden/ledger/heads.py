"""Signed heads: what proves, to whoever kept one, how long the history was and what it said."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from memwarden.errors import LedgerCorrupt, LedgerUnavailable
from memwarden.ledger.canonical import Json, canonical_text, utf8
from memwarden.ledger.chain import head_of
from memwarden.ledger.reading import Fields, moment, parse
from memwarden.ledger.writing import milliseconds

Sign = Callable[[bytes], bytes]
"""Signs a message with the installation's Ed25519 key."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A tenant's tree at one size, signed. Worth as much as the place where it is kept."""

    tenant: str
    size: int
    root: bytes
    at: datetime
    signature: bytes
    key: bytes

    def holds(self) -> bool:
        """Whether the signature fits the head and the key that it names."""
        message = _message(self.tenant, self.size, self.root, milliseconds(self.at))
        return signature_holds(self.key, self.signature, message)


def sign_heads(conn: sqlite3.Connection, sign: Sign, now: datetime, *, limit: int = 1024) -> int:
    """Sign every head that has moved since it was signed last; says how many.

    Meant for ``Database.before_commit``: then no committed record is ever without a signature.
    """
    rows = conn.execute(
        "SELECT tenant FROM chain INDEXED BY chain_unsigned WHERE signed_size < size LIMIT ?",
        (limit,),
    ).fetchall()
    at = milliseconds(now)
    for (tenant,) in rows:
        head = head_of(conn, tenant)
        signature = sign(_message(tenant, head.size, head.root, at))
        conn.execute(
            "UPDATE chain SET signed_size = ?, signed_at = ?, signature = ? WHERE tenant = ?",
            (head.size, at, signature, tenant),
        )
    return len(rows)


def signed_head(conn: sqlite3.Connection, tenant: str, public_key: bytes) -> SignedHead | None:
    """The latest signed head as the file has it, if it covers the whole chain."""
    row = conn.execute(
        "SELECT size, signed_size, signed_at, signature FROM chain WHERE tenant = ?", (tenant,)
    ).fetchone()
    if row is None or row[0] != row[1] or row[3] is None:
        return None
    head = head_of(conn, tenant)
    return SignedHead(tenant, head.size, head.root, moment(row[2]), row[3], public_key)


def signature_holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether Ed25519 says so; False also for what is no key or signature at all."""
    try:
        _loaded(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=32)
def _loaded(public_key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public_key)


def _message(tenant: str, size: int, root: bytes, at: int) -> bytes:
    content: Json = {"at": at, "root": root.hex(), "size": size, "tenant": tenant}
    return b"memwarden head v1\n" + utf8(canonical_text(content))


def head_line(head: SignedHead) -> str:
    """A head as one line of an anchor."""
    return canonical_text(
        {
            "at": milliseconds(head.at),
            "key": head.key.hex(),
            "root": head.root.hex(),
            "signature": head.signature.hex(),
            "size": head.size,
            "tenant": head.tenant,
            "v": 1,
        }
    )


def read_head_line(line: str) -> SignedHead:
    """A head from a line of an anchor. Raises LedgerCorrupt if the line is no signed head."""
    fields = Fields(parse(line))
    try:
        return SignedHead(
            tenant=fields.text("tenant"),
            size=fields.number("size"),
            root=bytes.fromhex(fields.text("root")),
            at=moment(fields.number("at")),
            signature=bytes.fromhex(fields.text("signature")),
            key=bytes.fromhex(fields.text("key")),
        )
    except ValueError as error:
        raise LedgerCorrupt("a line of the anchor is not a signed head") from error


def export_anchor(path: Path, heads: Iterable[SignedHead]) -> int:
    """Append heads to an anchor file, flushed to disk; says how many.

    The file is worth something only where the ledger's operator cannot rewrite it: another
    machine, write-once storage, a mailbox.
    """
    lines = [head_line(head) + "\n" for head in heads]
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise LedgerUnavailable(f"{path}: {error.strerror}: the anchor was not written") from error
    return len(lines)


def read_anchor(path: Path) -> tuple[SignedHead, ...]:
    """The heads of an anchor file, oldest first. A torn last line is passed over."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise LedgerUnavailable(f"{path}: {error.strerror}: the anchor cannot be read") from error
    except UnicodeDecodeError as error:
        raise LedgerCorrupt(f"{path}: the anchor holds something else than signed heads") from error
    whole, _, _ = text.rpartition("\n")
    heads: list[SignedHead] = []
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            heads.append(read_head_line(line))
        except (LedgerCorrupt, json.JSONDecodeError) as error:
            raise LedgerCorrupt(f"{path}:{number}: this line is not a signed head") from error
    return tuple(heads)
