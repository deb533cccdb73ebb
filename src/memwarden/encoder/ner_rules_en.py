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
_ADDRESS: Final = 0.79
_SHORTEST: Final = 6
"""An address has at least this many code points."""

_WEAK: Final = 0.62
"""The score of a name that the network alone believes in."""

_SCORE: Final = 0.76
_SURE: Final = 0.82
"""The score of an entity of several words, which the network gets right more often."""

_POSSESSIVE: Final = re.compile(r"['’]s?$")
_NO_NAME: Final = re.compile(r"[0-9@/\\_#=<>{}\[\]|:;*~^$%&+]|\.[a-z]{2,3}$")


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
    """An address has a number in it; a street alone is a place."""
    value = text[start:end]
    long = end - start >= _SHORTEST and any(char.isdigit() for char in value)
    long = long and "|" not in value
    return Entity("ADDRESS", start, end, _ADDRESS, "linear") if long else None


def _is_person(value: str) -> bool:
    if _NO_NAME.search(value) or len(value) < 2:
        return False
    parts = value.split()
    if all(part.lower() in _not_people() for part in parts):
        return False
    return any(part[:1].isalpha() for part in parts)
