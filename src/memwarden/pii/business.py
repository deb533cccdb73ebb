"""Telling the number and address of a venue from those of a person.

A restaurant's telephone is what a memory is for; a person's is not. A landline or address counts as
a business's only where the text speaks of a venue and of no person.
"""

from __future__ import annotations

from collections.abc import Iterable
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
def _lists() -> tuple[WordList, WordList]:
    body = document("business")
    made = []
    for name in ("venue", "person"):
        entry = body[name]
        if isinstance(entry, dict):
            made.append(WordList(name, frozenset(words(entry, "en")), words(entry, "zh")))
    return (made[0], made[1])


def told_apart(found: Iterable[Found], text: str) -> list[Found]:
    """The finds, those that belong to a venue renamed. Spans are of ``text``."""
    return [
        replace(one, entity=_RENAMED[one.entity])
        if one.entity in _RENAMED and _may(one) and _is_venue(text, one)
        else one
        for one in found
    ]


_RENAMED: Final = {"PHONE_NUMBER": "BUSINESS_PHONE", "ADDRESS": "BUSINESS_ADDRESS"}


def _may(one: Found) -> bool:
    return one.entity == "ADDRESS" or one.rule in listed("business_lines")


def _is_venue(text: str, one: Found) -> bool:
    venue, person = _lists()
    around = text[max(0, one.start - _AROUND) : one.end + _AROUND]
    return mentions(around, (venue,)) and not mentions(around, (person,))
