"""Letter-by-letter disguises of the whole text. All keep every character in its place."""

from __future__ import annotations

import re
from typing import Final

_ABC: Final = "abcdefghijklmnopqrstuvwxyz"
_ROT13: Final = str.maketrans(
    _ABC + _ABC.upper(), _ABC[13:] + _ABC[:13] + _ABC[13:].upper() + _ABC[:13].upper()
)
_LEET: Final = str.maketrans("03457@$", "oeastas")
_STROKE: Final = re.compile(r"[1!|](?=[a-z0-9@$!|])|(?<=[a-z@$1])1")


def rot13(text: str) -> str:
    """Every Latin letter moved by thirteen places."""
    return text.translate(_ROT13)


def unleet(text: str, stroke: str) -> str:
    """Digits and signs that stand for letters read as those letters; strokes as ``stroke``."""
    return _STROKE.sub(stroke, text).translate(_LEET)
