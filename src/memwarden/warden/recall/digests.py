"""Texts by digest, for this process's own memory: what was seen of a text is kept, not the text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from memwarden.model import Part


def parts_digest(parts: Sequence[Part]) -> bytes:
    """A digest of parts with their paths and roles; lengths keep the pieces apart."""
    pieces = "".join(
        [
            f"{len(part.path)}:{part.path}{len(part.role)}:{part.role}{len(part.text)}:{part.text}"
            for part in parts
        ]
    )
    return hashlib.blake2b(pieces.encode("utf-8", "surrogatepass"), digest_size=20).digest()
