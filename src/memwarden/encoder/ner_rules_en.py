"""English entities: the network's answers, decided about by the linear tagger, mended by rule.

Rules mend stray verbs, products, possessives and codes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memwarden.encoder.ner_en import Named, recogniser
from memwarden.encoder.ner_features_en import word_class
from memwarden.encoder.ner_linear_en import linear
from memwarden.model import Entity
from memwarden.pii.load import document, words

_TYPES: Final = {
    "PER": "PERSON",
    "ADDR": "ADDRESS",
    "ORG": "ORGANIZATION",
    "LOC": "LOCATION",
    "NORP": "NRP",
    "PERSON": "PERSON",
}
_ADDRESS: Final = 0.84
_SHORTEST: Final = 6
"""An address has at least this many code points."""

_WEAK: Final = 0.62
"""The score of a name that the network alone believes in."""

_SCORE: Final = 0.76
_SURE: Final = 0.82
"""The score of an entity of several words, which the network gets right more often."""

_POSSESSIVE: Final = re.compile(r"['’]s?$")
_NO_NAME: Final = re.compile(r"[0-9@/\\_#=<>{}\[\]|:;*~^$%&+]|\.[a-z]{2,3}$")


_NO_ADDRESS: Final = re.compile(
    r"[|=\[\]{}()*_<$€£%@\u3400-\u9fff]|[0-9][.,][0-9]|^[^0-9A-Za-z\u00c0-\u04ff#]"
)
_NUMBER: Final = re.compile("[0-9]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_BESIDE: Final = re.compile(r"([^\W\d_]*)[ ,]{0,2}\b([0-9]{1,6})[A-Za-z]?\b[ ,]{0,2}([^\W\d_]*)")
_BEHIND: Final = re.compile(r"([0-9]{5}(?:-[0-9]{4})?)[ ,\n]+([^\W\d_]+ [^\W\d_]+)$")
_YEAR: Final = re.compile(r"(?:1[0-9]|20)[0-9]{2}$")
_OF_STREETS: Final = frozenset("REA")
_COMMON: Final = frozenset("WNT")


@lru_cache(maxsize=1)
def _strong() -> frozenset[str]:
    """Words that are hardly ever anything but the end of a street's name."""
    return frozenset(words(document("places_en"), "strong"))


@lru_cache(maxsize=1)
def _leads() -> frozenset[str]:
    """Words that stand before a name and are not of it (Call, Dear, Ask)."""
    return frozenset(words(document("names_en"), "leads"))


@lru_cache(maxsize=1)
def _not_people() -> frozenset[str]:
    return frozenset(words(document("names_en"), "not_people"))


def entities(text: str) -> list[Entity]:
    """People, addresses, places, organisations and peoples in a clean English text."""
    named = recogniser().entities(text)
    decided = linear().entities(text, named)
    free = (one for one in named if not any(_meet(one, other) for other in decided))
    decided += [one for one in free if one.label == "NORP" or _is_full_name(text, one)]
    mended = (_mended(text, one.start, one.end, _TYPES[one.label]) for one in sorted(decided))
    return [one for one in mended if one is not None]


def _meet(one: Named, other: Named) -> bool:
    return one.start < other.end and other.start < one.end


def _is_full_name(text: str, one: Named) -> bool:
    """Whether the network's person begins with a first name and goes on with a surname."""
    parts = text[one.start : one.end].split()
    if one.label != "PERSON" or not 2 <= len(parts) <= 3:
        return False
    return "F" in word_class(parts[0]) and "L" in word_class(parts[-1])


def _mended(text: str, start: int, end: int, type_: str) -> Entity | None:
    value = text[start:end]
    if type_ == "ADDRESS":
        return _address(text, start, end)
    line = value.find("\n")
    if line > 0:
        value, end = value[:line], start + line
    if type_ in ("PERSON", "ORGANIZATION"):
        value = _POSSESSIVE.sub("", value)
        end = start + len(value)
        first = value.split(" ", 1)
        if len(first) == 2 and first[0].lower() in _leads():
            start, value = end - len(first[1]), first[1]
    if not value.strip() or (type_ == "PERSON" and not _is_person(value)):
        return None
    return Entity(type_, start, end, _SURE if " " in value else _SCORE, "linear")


def _address(text: str, start: int, end: int) -> Entity | None:
    """An address has a number, and a word of streets or a name of its own beside the number."""
    end = _before_a_person(text, start, end)
    value = text[start:end]
    if end - start < _SHORTEST or _NO_ADDRESS.search(value) or not _NUMBER.search(value):
        return None
    parts = _WORD.findall(value)
    street = any(word.lower() in _strong() for word in parts)
    classes = (word_class(word) for word in parts)
    if (
        street
        or any(not _OF_STREETS.isdisjoint(one) for one in classes)
        or _names_a_street(text, value)
    ):
        return Entity("ADDRESS", start, end, _ADDRESS, "linear")
    return None


def _before_a_person(text: str, start: int, end: int) -> int:
    """Where an address ends that runs on into a name behind its code (IL 62704 Ann Lee)."""
    behind = _BEHIND.search(text[start:end])
    if behind is None:
        return end
    first, last = behind[2].split()
    named = "F" in word_class(first) and "L" in word_class(last)
    return start + behind.end(1) if named else end


def _names_a_street(text: str, value: str) -> bool:
    """Whether an uncommon word touches a number that is no year (Dašická 688)."""
    low = text.islower()
    for before, number, after in _BESIDE.findall(value):
        for word in (before, after):
            named = len(word) > 3 and (low or word[:1].isupper())
            if named and _COMMON.isdisjoint(word_class(word)) and not _YEAR.match(number):
                return True
    return False


def _is_person(value: str) -> bool:
    if _NO_NAME.search(value) or len(value) < 2:
        return False
    parts = value.split()
    if all(part.lower() in _not_people() for part in parts):
        return False
    return any(part[:1].isalpha() for part in parts)
