"""Chinese names that rules can be sure of: behind a label, before a title, after 我叫, in a record.

A model finds the others. What is found here is soft: a checked value that overlaps it wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from memwarden.pii.engine import pack_engine
from memwarden.pii.found import Found
from memwarden.pii.load import document, words

PACK: Final = "names_zh_rules"
_SHORT: Final = "zh.name.short"
_LABELLED: Final = "zh.name.labelled"
_INTRODUCED: Final = "zh.name.introduced"
_DIVIDERS: Final = frozenset(":=是为叫 \"'")
_FOLLOWERS: Final = frozenset(
    "的是在说和与今住来从于有也都先女男电手身邮地联生年这那您你我他她"
    "，。、；：！？,.;:!?()「」\"' \n\t<>|/-"
)
"""Signs that commonly stand right behind a name."""

_NEVER_LAST: Final = frozenset("的是在说和与今住来从于有")


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Single surnames."""
    return frozenset(name for name in words(document("names_zh"), "surnames") if len(name) == 1)


@lru_cache(maxsize=1)
def compounds() -> frozenset[str]:
    """Surnames of two signs."""
    return frozenset(words(document("names_zh"), "compound"))


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Two-sign words that begin like a name and are none."""
    return frozenset(words(document("names_zh"), "words"))


@lru_cache(maxsize=1)
def _given() -> frozenset[str]:
    return frozenset(words(document("names_zh"), "given"))


@lru_cache(maxsize=1)
def titles() -> tuple[str, ...]:
    """Forms of address that follow a name."""
    return tuple(sorted(words(document("names_zh"), "titles"), key=len, reverse=True))


def find(text: str, *, titled: bool = False) -> list[Found]:
    """Names in a clean reading. ``titled`` adds surname and title alone (张总, 王老师)."""
    if text.isascii():
        return []
    found = []
    for one in pack_engine(PACK).find(text):
        if one.rule == _SHORT and not titled:
            continue
        if one.rule == _SHORT or _holds(text, one):
            start, end = _cut(text, one.start, one.end)
            if end > start:
                found.append(one.at(start, end))
    return found


def _holds(text: str, one: Found) -> bool:
    """Whether a pattern's match is a name and not the words of a sentence (学生都喊, 和大小姐)."""
    name = text[one.start : one.end]
    if "·" in name:
        return True
    if not _plausible(name):
        return False
    if one.rule == _INTRODUCED:
        return _of_given_signs(name)
    divided = one.rule == _LABELLED and text[one.start - 1 : one.start] in _DIVIDERS
    if divided or name[0] not in _words_of("everyday"):
        return True
    return len(name) > 2 and _of_given_signs(name)


def _of_given_signs(name: str) -> bool:
    given = name[2:] if name[:2] in compounds() else name[1:]
    return given[:1] in _given()


@lru_cache(maxsize=8)
def _words_of(key: str) -> frozenset[str]:
    return frozenset(words(document("names_zh"), key))


def _plausible(name: str) -> bool:
    return name[:2] not in common_words() and not any(name.startswith(t) for t in titles())


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Take off a last sign that belongs to the next word (我叫王明今年 is not 王明今)."""
    name = text[start:end]
    if "·" in name:
        return _foreign(text, start, end)
    if end - start < 3 or (name[:2] in compounds() and end - start < 4):
        return (start, end)
    followed = end == len(text) or text[end] in _FOLLOWERS
    strange = not followed and name[-1] not in _given()
    titled = any(text.startswith(title, end) for title in titles())
    return (start, end - 1) if name[-1] in _NEVER_LAST or (strange and not titled) else (start, end)


def _foreign(text: str, start: int, end: int) -> tuple[int, int]:
    """The signs around the dots that foreign names are written with (客户迪力·买买提下周来)."""
    known = _words_of("foreign")
    first, last = text.index("·", start, end), text.rindex("·", start, end)
    head = first
    while head > start and text[head - 1] in known:
        head -= 1
    tail = last + 1
    while tail < end and text[tail] in known:
        tail += 1
    return (head, tail) if first - head > 1 and tail - last > 2 else (start, start)


def is_name(field: str) -> bool:
    """Whether a field of a record consists of nothing but a Chinese name."""
    if not 2 <= len(field) <= 4 or not all("一" <= char <= "龥" for char in field):
        return False
    if field[:2] in compounds():
        return len(field) >= 3
    if field[0] not in surnames() or not _plausible(field) or len(field) == 4:
        return False
    return all(char in _given() for char in field[1:]) or len(field) == 2 or field[2] in _given()


@lru_cache(maxsize=1)
def _pairs() -> tuple[frozenset[str], frozenset[str]]:
    pairs = document("pairs_zh")
    return frozenset(words(pairs, "heads")) | common_words(), frozenset(words(pairs, "tails"))


def maybe_name(text: str) -> bool:
    """The cheap look: whether a surname stands in ``text`` that is not part of a common pair."""
    heads, tails = _pairs()
    known = surnames()
    for at, char in enumerate(text[:-1]):
        begins = char in known and text[at : at + 2] not in heads and text[at + 1] > "\u3400"
        if begins and (not at or text[at - 1 : at + 1] not in tails):
            return True
    return "·" in text
