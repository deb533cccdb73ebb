"""Word and number boundaries that hold beside Chinese.

A word boundary of the usual kind counts Chinese characters as word characters, so that in
``邮箱是zhang@x.com`` nothing begins where the address begins. Here a script written without
spaces always bounds its neighbour, and a combining mark belongs to the letter before it.
"""

from __future__ import annotations

import re
from typing import Final

import unicodedata2

from memwarden.text.scripts import CJK

_UNSPACED: Final = re.compile(f"[{CJK}]")


def whole_word(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is not a piece of a longer word."""
    if start >= end:
        return False
    return not _continues(text, start) and not _continues(text, end)


def digits_alone(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` has no digit of any script directly before or after it."""
    before = start > 0 and text[start - 1].isdecimal()
    after = end < len(text) and text[end].isdecimal()
    return not before and not after


def _continues(text: str, position: int) -> bool:
    """Whether the characters left and right of ``position`` belong to one word."""
    if position <= 0 or position >= len(text):
        return False
    left, right = text[position - 1], text[position]
    if unicodedata2.category(right) in ("Mn", "Me", "Mc"):
        return not left.isspace()
    return _in_word(left) and _in_word(right)


def _in_word(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char == "_"
    kind = unicodedata2.category(char)
    return kind[0] in "LMN" and not _UNSPACED.match(char)
