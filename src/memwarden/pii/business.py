"""Telling the number and address of a venue from those of a person.

A restaurant's telephone is what a memory is for; a person's is not. A landline or address counts as
a business's only where the text speaks of a venue and of no person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from memwarden.pii.context import mentions
from memwarden.pii.found import Found
from memwarden.pii.load import document, listed, words
from memwarden.pii.pattern import WordList

_AROUND: Final = 300
"""Code points looked at on each side."""


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, WordList]:
    body = document("business")
    made = {}
    for name in body:
        entry = body[name]
        if isinstance(entry, dict):
            made[name] = WordList(name, frozenset(words(entry, "en")), words(entry, "zh"))
    return made


def told_apart(found: Iterable[Found], text: str) -> list[Found]:
    """The finds: those of a venue renamed, birthdays of public figures left out."""
    every = list(found)
    private = any(one.entity in _PRIVATE for one in every)
    return [kept for one in every if (kept := _told(one, text, private)) is not None]


_PRIVATE: Final = frozenset({"PHONE_NUMBER", "EMAIL_ADDRESS", "CN_ID_CARD", "US_SSN", "ADDRESS"})
"""Types that make a birthday beside them a private person's."""

_RENAMED: Final = {"PHONE_NUMBER": "BUSINESS_PHONE", "ADDRESS": "BUSINESS_ADDRESS"}


def _told(one: Found, text: str, private: bool) -> Found | None:
    if one.entity == "DATE_OF_BIRTH":
        public = not private and _speaks_of(text, one, "figure", "person", "near")
        return None if public else one
    may = one.entity == "ADDRESS" or one.rule in listed("business_lines")
    if may and one.entity in _RENAMED and _speaks_of(text, one, "venue", "person"):
        return replace(one, entity=_RENAMED[one.entity])
    return one


def _speaks_of(text: str, one: Found, topic: str, *others: str) -> bool:
    """Whether the text around speaks of ``topic`` and of none of the others."""
    lists = _lists()
    around = text[max(0, one.start - _AROUND) : one.end + _AROUND]
    return mentions(around, (lists[topic],)) and not mentions(around, [lists[o] for o in others])
