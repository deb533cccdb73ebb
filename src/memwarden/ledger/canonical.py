"""Canonical JSON (RFC 8785): the one way in which a record is written and hashed.

Records hold only null, booleans, integers, strings, lists and objects with ASCII keys. On this
subset the standard library's encoder, told to sort keys and add no space, writes exactly what
RFC 8785 asks for, eight times as fast; a property test holds the two against each other.
"""

from __future__ import annotations

import json
from typing import Final

from memwarden.errors import UsageError

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""What a record may hold. No floats: scores are written in thousandths, times in milliseconds."""

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
)

GENESIS: Final = bytes(32)
"""What the first record of a chain names as the hash before it."""


def canonical_text(value: Json) -> str:
    """The RFC 8785 form of ``value`` as text."""
    return _ENCODER.encode(value)


def utf8(text: str) -> bytes:
    """The bytes that are hashed. A lone surrogate has no UTF-8 form and no place in a record."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UsageError("a record would hold a lone surrogate; digest such text instead") from None


def record_bytes(tenant: str, seq: int, kind: str, at: int, prev: bytes, body: str) -> bytes:
    """The canonical bytes of a whole record, whose body is canonical JSON already."""
    return utf8(
        f'{{"at":{at},"body":{body},"prev":"{prev.hex()}","seq":{seq},'
        f'"tenant":{_ENCODER.encode(tenant)},"type":"{kind}","v":1}}'
    )
