"""Chinese addresses, from the province down to the room.

The grammar is written largest unit first, as people write it: region, road and number, building,
flat. An address must hold something fine (a road with a number, a building with a room, a village
with a number); a province and a city alone are a place, not an address.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import re2

from memwarden.pii.edges import is_word
from memwarden.pii.found import Found
from memwarden.pii.load import document, words

_STOPS: Final = "在于到去从往是为的了住至给和与离经有走近沿我你他她们这那把由来请您跟让叫被说问想要很就也还及或"
_HAN: Final = (
    rf"(?:[^\P{{Han}}{_STOPS}]|和[平谐兴义睦美顺]|来[广安宾凤]|经[济一二三四五六七纬]|沿[江河海湖]|从化|自由)"
)
_NUMERAL: Final = "[0-9一二三四五六七八九十百]"
_ROAD: Final = (
    rf"{_HAN}{{1,7}}(?:大道|大街|公路|胡同|环路|路|街|巷|弄|道)"
    r"(?:[东西南北中内外]?(?:[一二三四五六七八九十]{1,2}|[0-9]{1,2})?(?:段|条|里|巷|弄|路|街))?"
)
_NUMBER: Final = (
    rf"(?:(?:甲|乙|丙)?{_NUMERAL}{{1,6}}(?:[\-之]{_NUMERAL}{{1,4}})?(?:号|弄|巷)(?:院|楼|馆|附[0-9]+号)?)"
)
_BUILDING: Final = (
    rf"{_HAN}{{1,10}}?(?:小区|花园|大厦|公寓|广场|家园|大楼|中心|新村|新城|国际|宿舍|工业园|科技园|"
    r"产业园|商城|名苑|花苑|雅苑|苑|佳园|嘉园|庄园|府|湾|城|园|社区|写字楼|商务楼|现代城|软件园)"
)
_FLAT: Final = (
    r"(?:[0-9A-Za-z一二三四五六七八九十甲乙丙丁]{1,5}(?:号楼|号院|栋|幢|座|单元|室|层|楼|房间|号房|房|户|门|"
    r"号|期|区|铺))"
)
_VILLAGE: Final = rf"{_HAN}{{1,7}}(?:村|屯|寨|庄|社区)"
_TOWN: Final = rf"{_HAN}{{1,8}}(?:镇|乡|街道|苏木|开发区|高新区|工业区)"
_DISTRICT: Final = rf"{_HAN}{{1,8}}?(?:新区|区|县|旗|市)"
_GAP: Final = "[ ,,]?"
_TAIL: Final = (
    rf"(?:{_GAP}(?:{_NUMBER}|{_FLAT}|{_BUILDING}|{_VILLAGE}[0-9]{{1,4}}[组队号]|[0-9]{{1,2}}[组队]))"
)
_ROOM: Final = r"(?:[\- ]?[0-9]{1,4}(?:[\-/][0-9]{1,4}){0,3})?"
_FINE: Final = rf"(?:{_ROAD}{_GAP}{_NUMBER}|{_ROAD}{_GAP}{_FLAT}|{_VILLAGE}{_GAP}(?:[0-9]{{1,4}}|{_NUMERAL}{{1,3}})[组队号社]|{_BUILDING}{_GAP}{_FLAT})"
_POSTCODE: Final = r" ?\(?[0-9]{6}\)?"
_MIN_LENGTH: Final = 6


@lru_cache(maxsize=1)
def _grammar() -> re2._Regexp:
    places = document("places_zh")
    province = "|".join(words(places, "provinces"))
    city = "|".join(words(places, "cities"))
    region = (
        rf"(?:(?:{province})(?:省|市|回族自治区|壮族自治区|维吾尔自治区|自治区|特别行政区)?{_GAP}"
        rf"(?:{_DISTRICT}{_GAP}){{0,3}}|(?:{city})(?:市|州|地区|盟|自治州)?{_GAP}(?:{_DISTRICT}{_GAP}){{0,2}})"
    )
    local = rf"(?:{_DISTRICT}{_GAP}){{1,2}}"
    pattern = (
        rf"(?:{region}|{local})?(?:{_TOWN}{_GAP})?(?:{_VILLAGE}{_GAP})?{_FINE}{_TAIL}{{0,6}}"
        rf"|{region}(?:{_TOWN}{_GAP})?(?:{_VILLAGE}|{_ROAD}|{_BUILDING}){_TAIL}{{0,5}}"
    )
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    return re2.compile(rf"(?:{pattern})(?:{_POSTCODE}|{_ROOM})", options)


_LOOK: Final = re2.compile(r"[路街巷弄道村镇乡苑楼栋幢座室号厦区园城][0-9A-Za-z一二三四五六七八九十]|[0-9A-Za-z一二三四五六七八九十][号弄栋幢座室组队层单]|省|自治区")


def find(text: str) -> list[Found]:
    """Addresses in a clean reading. A text without a unit of an address costs one cheap look."""
    if text.isascii() or _LOOK.search(text) is None:
        return []
    found = []
    for match in _grammar().finditer(text):
        start, end = match.span()
        end = _trimmed(text, start, end)
        if end - start >= _MIN_LENGTH:
            score = 0.85 if any("0" <= char <= "9" for char in text[start:end]) else 0.6
            found.append(Found("ADDRESS", "cn.address", start, end, score, soft=True))
    return found


def _trimmed(text: str, start: int, end: int) -> int:
    """Leave off a number that goes on behind the match: it is something else."""
    if end < len(text) and is_word(text[end]) and is_word(text[end - 1]):
        while end > start and is_word(text[end - 1]):
            end -= 1
        return len(text[:end].rstrip(" -("))
    return end
