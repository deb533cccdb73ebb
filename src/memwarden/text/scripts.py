"""Character classes that the other files share, as regular-expression class bodies."""

from __future__ import annotations

from typing import Final

HAN: Final = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Chinese characters, radicals included."""

CJK: Final = HAN + "\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\uac00-\ud7a3\uff66-\uff9f"
"""Scripts written without spaces between words: Han, kana, bopomofo, and Hangul beside them."""

INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that are not seen: default-ignorables and format controls (Unicode 16)."""

EMOJI: Final = "\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
"""Arrows, dingbats and emoji: what may be strewn between letters to break a word."""
