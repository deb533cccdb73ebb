"""Ids that sort by time: 48 bits of milliseconds and 80 random bits, as 26 Crockford digits.

Neighbours in time lie beside each other in every index, which keeps appending cheap.
"""

from __future__ import annotations

import os
import time
from typing import Final

_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH: Final = 26


def new_id() -> str:
    """A fresh id. Two made in the same millisecond are in no particular order."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    digits = ""
    for _ in range(_LENGTH):
        value, digit = divmod(value, 32)
        digits = _DIGITS[digit] + digits
    return digits
