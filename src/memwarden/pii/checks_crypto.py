"""Checks of wallet addresses: Base58Check, Bech32 and the shapes of Ethereum addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def base58_check(value: str) -> bool:
    """Bitcoin, Litecoin, Dogecoin, Tron: the last four bytes are a double SHA-256."""
    number = 0
    for char in value:
        place = _BASE58.find(char)
        if place < 0:
            return False
        number = number * 58 + place
    raw = number.to_bytes(25, "big") if number < 1 << 200 else b""
    digest = hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()
    return len(raw) == 25 and digest[:4] == raw[-4:]


def bech32(value: str) -> bool:
    """BIP 173 and 350: the polymod of the whole address is 1 or the Bech32m constant."""
    human, _, data = value.lower().rpartition("1")
    if not human or any(char not in _BECH32 for char in data):
        return False
    values = [ord(char) >> 5 for char in human] + [0] + [ord(char) & 31 for char in human]
    return _polymod(values + [_BECH32.index(char) for char in data]) in {1, 0x2BC830A3}


def _polymod(values: list[int]) -> int:
    total = 1
    for value in values:
        top = total >> 25
        total = (total & 0x1FFFFFF) << 5 ^ value
        for place, part in enumerate(_GENERATOR):
            total ^= part if (top >> place) & 1 else 0
    return total


def ethereum(value: str) -> bool:
    """Forty hex digits that are not one digit repeated (the zero address is nobody's)."""
    return len(set(value[2:].lower())) > 4


CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "base58_check": base58_check,
    "bech32": bech32,
    "ethereum": ethereum,
}
