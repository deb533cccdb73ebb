"""What sort of sign a character is, for the rules about neighbours."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import unicodedata2

from memwarden.text.scripts import CJK, INVISIBLE

DIGIT: Final = "d"
LETTER: Final = "l"
UNSPACED: Final = "h"
"""A sign of a script written without spaces between words."""

_CJK: Final = re.compile(f"[{CJK}]")
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")


@cache
def kind_of(char: str) -> str:
    """DIGIT, LETTER or UNSPACED; empty for what only separates."""
    if char.isdecimal():
        return DIGIT
    if _CJK.match(char):
        return UNSPACED if char.isalnum() else ""
    return LETTER if char.isalnum() else ""


@cache
def unseen(char: str) -> bool:
    """Whether ``char`` is invisible or only a mark on the letter before it."""
    if char.isascii():
        return not char.isprintable() and not char.isspace()
    return bool(_INVISIBLE.match(char)) or unicodedata2.category(char) in ("Mn", "Me", "Cf", "Cs")
