"""Whether decoded bytes are text that somebody may have meant to be read."""

from __future__ import annotations

import re
from typing import Final

_MIN_LENGTH: Final = 2
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
_COMMON_HAN: Final = re.compile(r"[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]")
_HAN_SHARE: Final = 0.7


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
    """ASCII in UTF-16: every other byte is zero."""
    for encoding, zeros in (("utf-16-le", data[1::2]), ("utf-16-be", data[0::2])):
        if len(data) % 2 == 0 and not any(zeros):
            text = data.decode(encoding, "replace")
            return None if _CONTROL.search(text) else text
    return None


def _gb18030(data: bytes) -> str | None:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    if _CONTROL.search(text) or len(_COMMON_HAN.findall(text)) < _HAN_SHARE * len(text):
        return None
    return text
