"""Signed writer capabilities: what lets a writer that is not the process owner claim a source.

A capability names its tenant, the sources it may claim, the principal it was given to, and when
it ends. It is signed with an HMAC; it can be revoked by id. Issuing and verifying are pure, given
the key; the list of revoked ids lives in the database.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memwarden.errors import ScopeError, UsageError

_PREFIX: Final = "mwc1"
_MAX_LENGTH: Final = 4096


@dataclass(frozen=True, slots=True)
class Capability:
    """What a token grants. ``principal`` is empty where any principal may use it."""

    id: str
    tenant: str
    sources: tuple[str, ...]
    expires: datetime
    principal: str = ""


def issue(key: bytes, capability: Capability) -> str:
    """The token to hand to the writer: ``mwc1.<content>.<signature>``, safe in a header."""
    if not (capability.id and capability.tenant and capability.sources):
        raise UsageError("a capability needs an id, a tenant and at least one source")
    if capability.expires.tzinfo is None:
        raise UsageError("a capability's end needs a time zone")
    content = json.dumps(
        {
            "id": capability.id,
            "tenant": capability.tenant,
            "sources": sorted(set(capability.sources)),
            "principal": capability.principal,
            "expires": int(capability.expires.timestamp()),
        },
        separators=(",", ":"),
        sort_keys=True,
    ).encode()
    return ".".join((_PREFIX, _encode(content), _encode(_mac(key, content))))


def parse(key: bytes, token: str) -> Capability:
    """The capability inside a token that this installation signed, expired or not.

    Raises ScopeError if the token is malformed, altered or signed by another installation.
    """
    pieces = token.split(".")
    if len(token) > _MAX_LENGTH or len(pieces) != 3 or pieces[0] != _PREFIX:
        raise ScopeError("this is not a memwarden writer capability; it must start with mwc1.")
    content, mac = _decode(pieces[1]), _decode(pieces[2])
    # Nothing of the content is looked at before the signature holds.
    if not hmac.compare_digest(_mac(key, content), mac):
        raise ScopeError(
            "the writer capability was altered, or was issued by another installation; "
            "ask for a new one"
        )
    return _read(content)


def verify(
    key: bytes,
    token: str,
    *,
    tenant: str,
    source: str,
    now: datetime,
    revoked: Callable[[str], bool],
    principal: str = "",
) -> Capability:
    """The capability if it lets this writer claim ``source`` in ``tenant`` now.

    ``revoked`` tells whether an id was revoked. Raises ScopeError saying which condition failed.
    """
    capability = parse(key, token)
    if capability.tenant != tenant:
        raise ScopeError(f"capability {capability.id} belongs to another tenant")
    if now >= capability.expires:
        raise ScopeError(
            f"capability {capability.id} ended on {capability.expires:%Y-%m-%d %H:%M} UTC"
        )
    if revoked(capability.id):
        raise ScopeError(f"capability {capability.id} was revoked")
    if source not in capability.sources:
        named = ", ".join(capability.sources)
        raise ScopeError(f"capability {capability.id} does not cover this source, only: {named}")
    if capability.principal and capability.principal != principal:
        raise ScopeError(f"capability {capability.id} was given to another principal")
    return capability


def revoke(conn: sqlite3.Connection, tenant: str, capability_id: str, now: datetime) -> bool:
    """Put an id on the list of revoked ones. False if it was there already."""
    cursor = conn.execute(
        "INSERT OR IGNORE INTO revoked_capability (id, tenant, revoked_at) VALUES (?, ?, ?)",
        (capability_id, tenant, round(now.timestamp() * 1000)),
    )
    return cursor.rowcount == 1


def is_revoked(conn: sqlite3.Connection, capability_id: str) -> bool:
    """Whether an id is on the list."""
    row = conn.execute("SELECT 1 FROM revoked_capability WHERE id = ?", (capability_id,)).fetchone()
    return row is not None


def _read(content: bytes) -> Capability:
    fields = json.loads(content)
    return Capability(
        id=str(fields["id"]),
        tenant=str(fields["tenant"]),
        sources=tuple(str(source) for source in fields["sources"]),
        expires=datetime.fromtimestamp(int(fields["expires"]), UTC),
        principal=str(fields["principal"]),
    )


def _mac(key: bytes, content: bytes) -> bytes:
    return hmac.digest(key, b"memwarden capability\n" + content, "sha256")


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _decode(text: str) -> bytes:
    try:
        raw = base64.b64decode(
            (text + "=" * (-len(text) % 4)).replace("-", "+").replace("_", "/"), validate=True
        )
    except (binascii.Error, ValueError):
        raise ScopeError("the writer capability is damaged; copy it whole") from None
    # Base64 may spell one value in several ways; only the way it was issued counts.
    if _encode(raw) != text:
        raise ScopeError("the writer capability is damaged; copy it whole")
    return raw
