"""Whether decoded bytes are text that somebody may have meant to be read."""

from __future__ import annotations

import re
from typing import Final

_MIN_LENGTH: Final = 2
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
_COMMON: Final = re.compile(r"[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef\x20-\x7e\n]")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_GB_COMMON: Final = re.compile(rb"(?:[\xb0-\xd7][\xa1-\xfe]|[\xa1\xa3][\xa1-\xfe]|[\x20-\x7e\n])+")
_COMMON_SHARE: Final = 0.95


def readable(data: bytes) -> str | None:
    """Decode bytes as UTF-8, UTF-16 or GB 18030 if they make a readable text, else None."""
    if len(data) < _MIN_LENGTH:
        return None
    return _utf8(data) or _utf16(data) or _gb18030(data)


def _utf8(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _utf16(data: bytes) -> str | None:
    """UTF-16 of ASCII (every other byte is zero) or of Chinese."""
    if len(data) % 2:
        return None
    for encoding, high in (("utf-16-le", data[1::2]), ("utf-16-be", data[0::2])):
        text = data.decode(encoding, "replace")
        if not any(high):
            return None if _CONTROL.search(text) else text
        if _chinese(text):
            return text
    return None


def _gb18030(data: bytes) -> str | None:
    """Only the common characters: nearly any bytes are some rare one's code."""
    if not _GB_COMMON.fullmatch(data):
        return None
    text = data.decode("gb18030")
    return text if _chinese(text) else None


def _chinese(text: str) -> bool:
    """Whether nearly every character is a common Chinese one or ASCII, and some are Chinese."""
    if _CONTROL.search(text) or not _HAN.search(text):
        return False
    return len(_COMMON.findall(text)) >= _COMMON_SHARE * len(text)
