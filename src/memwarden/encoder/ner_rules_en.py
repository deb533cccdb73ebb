"""What rules mend in the English network's answers: stray verbs, products, possessives, codes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memwarden.encoder.ner_en import recogniser
from memwarden.model import Entity
from memwarden.pii.load import document, words

_TYPES: Final = {
    "PERSON": "PERSON",
    "ORG": "ORGANIZATION",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "NORP": "NRP",
}
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
    """People, places, organisations and peoples in a clean English text."""
    found = []
    for start, end, label in recogniser().entities(text):
        if label in _TYPES:
            one = _mended(text, start, end, _TYPES[label])
            if one is not None:
                found.append(one)
    return found


def _mended(text: str, start: int, end: int, type_: str) -> Entity | None:
    value = text[start:end]
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
    return Entity(type_, start, end, _SURE if " " in value else _SCORE, "spacy-sm")


def _is_person(value: str) -> bool:
    if _NO_NAME.search(value) or len(value) < 2:
        return False
    parts = value.split()
    if all(part.lower() in _not_people() for part in parts):
        return False
    return any(part[:1].isalpha() for part in parts)
