"""Chinese names that rules can be sure of: behind a label, before a title, after 我叫, in a record.

A model finds the others. What is found here is soft: a checked value that overlaps it wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import re2

from memwarden.pii.found import Found
from memwarden.pii.load import document, words

_FOLLOWERS: Final = frozenset(
    "的是在说和与今住来从于有也都先女男电手身邮地联生年这那您你我他她，。、；：！？,.;:!?()「」\"' \n\t<>|/-"
)
"""Signs that commonly stand right behind a name."""


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


@lru_cache(maxsize=1)
def _patterns() -> tuple[re2._Regexp, re2._Regexp, re2._Regexp]:
    options = re2.Options()
    options.log_errors = False
    labels = "|".join(sorted(words(document("names_zh"), "labels"), key=len, reverse=True))
    one, two = "".join(sorted(surnames())), "|".join(sorted(compounds()))
    sign = r"[^\P{Han}的是说和与今住在来从于有也都叫去了]"
    minority = rf"{sign}{{2,6}}(?:[·•・.]{sign}{{2,6}}){{1,3}}"
    led = (
        rf"(?:(?:{labels})[ \"']{{0,2}}(?:[::=]|是|为)?[ \"']{{0,2}}"
        r"|(?:我|他|她|人|名字|大名|也|就|名)(?:叫做|叫|姓名是|名叫)|名字是|本人)"
    )
    behind = rf"{led}((?:{minority})|(?:{two})\p{{Han}}{{1,2}}|[{one}]\p{{Han}}{{1,2}})"
    before = (
        rf"((?:{two})\p{{Han}}{{0,2}}|[{one}]\p{{Han}}{{0,2}})"
        rf"(?:{'|'.join(titles())}|总(?:说|的|[,，。、]))"
    )
    return (
        re2.compile(behind, options),
        re2.compile(before, options),
        re2.compile(minority, options),
    )


def find(text: str, *, titled: bool = False) -> list[Found]:
    """Names in a clean reading. ``titled`` adds surname and title alone (张总, 王老师)."""
    if text.isascii():
        return []
    behind, before, minority = _patterns()
    found = [
        Found("PERSON", "zh.name.labelled", *_cut(text, *match.span(1)), 0.9, soft=True)
        for match in behind.finditer(text)
        if _plausible(text[slice(*match.span(1))])
    ]
    found += [
        Found("PERSON", "zh.name.minority", *match.span(), 0.8, soft=True)
        for match in minority.finditer(text)
        if "." not in match.group()
    ]
    for match in before.finditer(text):
        start, end = match.span(1)
        if end - start >= 2 and _plausible(text[start:end]):
            found.append(Found("PERSON", "zh.name.titled", start, end, 0.75, soft=True))
        elif titled and end - start == 1:
            stop = match.end() if text[match.end() - 1] not in "说的,，。、" else match.end() - 1
            found.append(Found("PERSON", "zh.name.short", start, stop, 0.6, soft=True))
    return found


def _plausible(name: str) -> bool:
    return name[:2] not in common_words() and not any(name.startswith(t) for t in titles())


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Take off a last sign that belongs to the next word (我叫王明今年 is not 王明今)."""
    name = text[start:end]
    if "·" in name or end - start < 3 or name[:2] in compounds() and end - start < 4:
        return (start, end)
    if end < len(text) and text[end] not in _FOLLOWERS and name[-1] not in _given():
        return (start, end - 1)
    if name[-1] in "的是在说和与今住来从于有":
        return (start, end - 1)
    return (start, end)


def is_name(field: str) -> bool:
    """Whether a field of a record consists of nothing but a Chinese name."""
    if not 2 <= len(field) <= 4 or not all("一" <= char <= "龥" for char in field):
        return False
    if field[:2] in compounds():
        return len(field) >= 3
    if field[0] not in surnames() or not _plausible(field) or len(field) == 4:
        return False
    return all(char in _given() for char in field[1:]) or len(field) == 2 or field[2] in _given()


def maybe_name(text: str) -> bool:
    """The cheap look: whether a surname stands in ``text`` that does not begin a common word."""
    usual, known = common_words(), surnames()
    return any(
        char in known and text[at : at + 2] not in usual for at, char in enumerate(text[:-1])
    )
