"""English names that rules can be sure of: behind a label or a title, a speaker's line, a record.

A model finds the others; common first names are a net beneath it. All of it is soft.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from memwarden.pii.engine import pack_engine
from memwarden.pii.found import Found
from memwarden.pii.load import document, words

PACK: Final = "names_en_rules"
_FIRST: Final = "en.name.first"
_SPEAKER: Final = "en.name.speaker"
_LOWER: Final = 0.55
_CAPITAL: Final = re.compile("[A-Z]")
_WORD: Final = re.compile(r"(?<![\w@.])[a-z]{3,}(?![\w@])")


@lru_cache(maxsize=1)
def not_people() -> frozenset[str]:
    """Words that are no names, in lower case."""
    names = document("names_en")
    lists = ("not_people", "leads", "starters")
    return frozenset(word for name in lists for word in words(names, name))


@lru_cache(maxsize=1)
def firsts() -> frozenset[str]:
    """Common first names in lower case."""
    return frozenset(words(document("names_en"), "firsts"))


@lru_cache(maxsize=1)
def _ambiguous() -> frozenset[str]:
    return frozenset(words(document("names_en"), "ambiguous"))


def find(text: str) -> list[Found]:
    """Names in a clean reading."""
    found = []
    raw = pack_engine(PACK).find(text)
    dialogue = len({one.start for one in raw if one.rule == _SPEAKER}) > 1
    for one in raw:
        if one.rule == _SPEAKER and not dialogue:
            continue
        kept = _known(text, one) if one.rule == _FIRST else _plausible(text, one)
        if kept is not None:
            found.append(kept)
    return found if _CAPITAL.search(text) else found + _in_lower_case(text)


def _in_lower_case(text: str) -> list[Found]:
    """Common first names in a text that somebody wrote without any capital letter."""
    return [
        Found("PERSON", "en.name.lower", *match.span(), _LOWER, soft=True)
        for match in _WORD.finditer(text)
        if match.group() in firsts() and match.group() not in _ambiguous()
    ]


def lower_case_name(text: str) -> bool:
    """The cheap look at a text without capitals: whether a common first name stands in it."""
    found = (match.group() for match in _WORD.finditer(text))
    return any(word in firsts() and word not in _ambiguous() for word in found)


def _plausible(text: str, one: Found) -> Found | None:
    parts = text[one.start : one.end].lower().split()
    if any(part in not_people() for part in parts):
        return None
    return one


def _known(text: str, one: Found) -> Found | None:
    """A run of capitalised words, from the first that is a common first name on."""
    at = one.start
    for word in text[one.start : one.end].split(" "):
        low, rest = word.lower(), text[at + len(word) + 1 : one.end]
        if low in firsts():
            named = bool(rest) and rest.split(" ")[0].lower() not in not_people()
            if low in _ambiguous() and not named:
                return None
            end = one.end if named or not rest else at + len(word)
            return replace(one, start=at, end=end, score=one.score + (0.02 if named else 0.0))
        at += len(word) + 1
    return None


def is_name(field: str) -> bool:
    """Whether a field of a record consists of nothing but an English name."""
    parts = field.replace(".", "").split()
    while parts and parts[0] in words(document("names_en"), "titles"):
        parts = parts[1:]
    if not 2 <= len(parts) <= 3 or not all(p[:1].isupper() and p.isalpha() for p in parts):
        return False
    return parts[0].lower() in firsts()
