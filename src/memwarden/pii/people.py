"""What one found name says about the words around it: the others in a list, the surname again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memwarden.pii.found import Found
from memwarden.pii.names_en import not_people

_CAP: Final = r"[A-Z\u00c0-\u00de][a-z\u00df-\u024f]+(?:[-'’][A-Z][a-z]+)?"
_NEXT: Final = re.compile(rf"(?:,| and| or|, and| &) ({_CAP})(?=[,.;:!?]|\s|$|'s|’s)")
_BEFORE: Final = re.compile(rf"({_CAP})(?:,| and| or|, and| &) $")
_LISTED: Final = 0.66
_AGAIN: Final = 0.7
_MOST: Final = 32
"""Surnames that are looked for again in one text."""


def related(found: Iterable[Found], text: str) -> list[Found]:
    """More people: those coordinated with a found one, and later mentions of a found surname."""
    people = [one for one in found if one.entity == "PERSON"]
    more = [other for one in people for other in _listed(text, one)]
    surnames = dict.fromkeys(_surname(text[one.start : one.end]) for one in people)
    known = [name for name in surnames if name][:_MOST]
    return more + _again(text, known) if known else more


def _surname(name: str) -> str:
    """The last word of a full name, where it is one that can be looked for."""
    parts = name.split()
    last = parts[-1] if len(parts) > 1 else ""
    return last if len(last) > 2 and last.isalpha() and last[0].isupper() else ""


def _listed(text: str, one: Found) -> list[Found]:
    spans = []
    after = _NEXT.match(text, one.end)
    if after:
        spans.append(after.span(1))
    start = max(0, one.start - 40)
    before = _BEFORE.search(text[start : one.start])
    if before:
        spans.append((start + before.start(1), start + before.end(1)))
    return [
        Found("PERSON", "en.name.listed", *span, _LISTED, soft=True)
        for span in spans
        if text[slice(*span)].lower() not in not_people()
    ]


def _again(text: str, surnames: Sequence[str]) -> list[Found]:
    either = "|".join(map(re.escape, surnames))
    return [
        Found("PERSON", "en.name.again", *match.span(), _AGAIN, soft=True)
        for match in re.finditer(rf"(?<!\w)(?:{either})(?!\w)", text)
    ]
