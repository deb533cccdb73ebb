"""Street addresses written in Latin letters: number, street, unit, town, state and code."""

from __future__ import annotations

import re
from typing import Final

from memwarden.pii.engine import pack_engine
from memwarden.pii.found import Found

PACK: Final = "address_en"
_DIGIT: Final = re.compile("[0-9]")
_DECIMAL: Final = re.compile(r"\.[0-9]")
_MIN: Final = 6
"""An address has at least this many code points."""


def find(text: str) -> list[Found]:
    """Addresses in a clean reading. Without a digit there is none, and no pattern is tried."""
    if _DIGIT.search(text) is None:
        return []
    found = []
    for one in pack_engine(PACK).find(text):
        end = one.end
        while end > one.start and not text[end - 1].isalnum():
            end -= 1
        while end < len(text) and _DIGIT.match(text[end - 1 : end]) and _DIGIT.match(text[end]):
            end += 1  # a code of six digits is not cut at five
        if end - one.start >= _MIN and not _DECIMAL.match(text, end):
            found.append(one.at(one.start, end))
    return found
