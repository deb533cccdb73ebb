"""Keys from keys, digests from keys: HKDF, AES-GCM wrapping, keyed digests. Pure.

Every derived key has one purpose, named in HKDF's info, so that no key serves two ends.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from memwarden.errors import VaultError

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
DIGEST_HEX: Final = 32
"""Keyed digests are cut to 128 bits: enough against chance and cheap to index."""


def new_key() -> bytes:
    """A fresh random key."""
    return os.urandom(KEY_BYTES)


def derive(secret: bytes, purpose: str) -> bytes:
    """The 32-byte key for one purpose. ``secret`` is uniform, so expanding is enough."""
    return HKDFExpand(SHA256(), KEY_BYTES, b"memwarden/1/" + purpose.encode()).derive(secret)


def pack(fields: Iterable[str]) -> bytes:
    """Fields as bytes, each with its length before it: no two lists of fields pack alike."""
    out = bytearray()
    for field in fields:
        # Lone surrogates occur in hostile text and must be digested like anything else.
        raw = field.encode("utf-8", "surrogatepass")
        out += len(raw).to_bytes(8, "big") + raw
    return bytes(out)


def keyed_digest(key: bytes, *fields: str) -> str:
    """HMAC-SHA-256 of the packed fields, as 32 hex digits."""
    return hmac.digest(key, pack(fields), "sha256").hex()[:DIGEST_HEX]


def encrypt(key: bytes, plain: bytes, bound_to: bytes) -> bytes:
    """AES-256-GCM under a random nonce, which stands before the ciphertext."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound_to)


def decrypt(key: bytes, blob: bytes, bound_to: bytes, what: str) -> bytes:
    """The plaintext. Raises VaultError naming ``what`` if key, blob or binding do not fit."""
    try:
        return AESGCM(key).decrypt(blob[:NONCE_BYTES], blob[NONCE_BYTES:], bound_to)
    except (InvalidTag, ValueError) as error:
        raise VaultError(
            f"{what} does not open: the key is another one, or it was altered where it is stored"
        ) from error


def fingerprint(secret: bytes) -> str:
    """A name for a key that says nothing about it: 16 hex digits."""
    return sha256(derive(secret, "fingerprint")).hexdigest()[:16]
