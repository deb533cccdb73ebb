"""Chinese addresses, from the province down to the room."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

import re2

from memwarden.pii.edges import is_word
from memwarden.pii.engine import pack_engine
from memwarden.pii.found import Found
from memwarden.pii.load import document, listed, words

PACK: Final = "address_zh"
_MIN: Final = 6
"""An address has at least this many code points."""

_LEAD: Final = 20
"""Code points in which a province must stand to begin an address."""

_VAGUE: Final = 0.6
"""The score of an address without a digit."""

_LOOK: Final = re2.compile(
    r"[路街巷弄道村镇乡苑楼栋幢座室号厦区园城][0-9A-Za-z一二三四五六七八九十]"
    r"|[0-9A-Za-z一二三四五六七八九十][号弄栋幢座室组队层单]|省|自治区"
    r"|[市区县][^ -~,。]{2,16}[路街村巷]"
)


def find(text: str) -> list[Found]:
    """Addresses in a clean reading. A text without a unit of an address costs one cheap look."""
    if text.isascii() or _LOOK.search(text) is None:
        return []
    found = []
    for one in pack_engine(PACK).find(text):
        start, end = _led(text, one.start), _trimmed(text, one.start, one.end)
        if end - start >= _MIN:
            exact = any("0" <= char <= "9" for char in text[start:end])
            score = one.score if exact else _VAGUE
            found.append(replace(one, start=start, end=end, score=score))
    return found


@lru_cache(maxsize=1)
def _province() -> re.Pattern[str]:
    """A province or large town behind signs that are of no address (司地址福建省…)."""
    names = "|".join(words(document("places_zh"), "provinces"))
    ends = "省|市|[壮回]?族?(?:维吾尔)?自治区|特别行政区"
    return re.compile(f"([^省市区县镇乡村路街道号]{{1,9}}?)(?:{names})(?:{ends})")


def _led(text: str, start: int) -> int:
    """Where the address itself begins, behind words such as 老家 and 住址."""
    inner = _province().match(text[start : start + _LEAD])
    if inner is not None:
        return start + len(inner[1])
    leads = (lead for lead in listed("address_leads") if text.startswith(lead, start))
    return start + max(map(len, leads), default=0)


def _trimmed(text: str, start: int, end: int) -> int:
    """Leave off a number that goes on behind the match: it is something else."""
    if end < len(text) and is_word(text[end]) and is_word(text[end - 1]):
        while end > start and is_word(text[end - 1]):
            end -= 1
        return len(text[:end].rstrip(" -("))
    return end
