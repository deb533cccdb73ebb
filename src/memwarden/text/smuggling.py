"""Text written in characters that nobody sees: tags, variation selectors, zero-width bits."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from memwarden.text.mapping import Replacement
from memwarden.text.readable import readable

_TAGS: Final = re.compile("[\U000e0001-\U000e007f]{3,}")
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_BITS: Final = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u00ad]{16,}")
_FLAG: Final = "\U0001f3f4"


def smuggled(text: str) -> list[Replacement]:
    """Return the runs of invisible characters that spell something, in order, disjoint."""
    found = [*_tags(text), *_selectors(text), *_bits(text)]
    found.sort(key=lambda run: run.start)
    return found


def _tags(text: str) -> list[Replacement]:
    """Tag characters mirror ASCII; after a black flag they spell a region and are no payload."""
    runs = []
    for run in _TAGS.finditer(text):
        if run.start() > 0 and text[run.start() - 1] == _FLAG and run.end() - run.start() <= 7:
            continue
        plain = "".join(chr(ord(c) - 0xE0000) for c in run[0] if 0xE0020 <= ord(c) <= 0xE007E)
        if plain.strip():
            runs.append(Replacement(run.start(), run.end(), plain, "tags"))
    return runs


def _selectors(text: str) -> list[Replacement]:
    """Each of the 256 variation selectors stands for one byte."""
    runs = []
    for run in _SELECTORS.finditer(text):
        data = bytes(_selector_byte(ord(c)) for c in run[0])
        plain = readable(data)
        if plain:
            runs.append(Replacement(run.start(), run.end(), plain, "selectors"))
    return runs


def _selector_byte(code: int) -> int:
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16


def _bits(text: str) -> list[Replacement]:
    """Two invisible characters as the digits of binary bytes, whichever is the one."""
    runs = []
    for run in _BITS.finditer(text):
        common = [char for char, _ in Counter(run[0]).most_common(2)]
        if len(common) < 2:
            continue
        for one, zero in (common, common[::-1]):
            digits = "".join("1" if c == one else "0" for c in run[0] if c in (one, zero))
            whole = digits[: len(digits) // 8 * 8]
            plain = readable(int(whole, 2).to_bytes(len(whole) // 8)) if whole else None
            if plain:
                runs.append(Replacement(run.start(), run.end(), plain, "bits"))
                break
    return runs
