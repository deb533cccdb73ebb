"""The stretches of a text that can be like a lesson: whole fields, sentences, hidden layers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from memwarden.model import Part, Views
from memwarden.text import segments
from memwarden.text.folding import skeleton
from memwarden.text.scripts import CJK

FEWEST_SIGNS: Final = 8
"""Letters and digits that a stretch needs to say something; a Chinese character counts as two."""

_MOST: Final = 512
_CJK: Final = re.compile(f"[{CJK}]")
_GUESSED: Final = frozenset({"folded", "skeleton", "leet", "rot13", "reversed", "clean"})
"""Readings that the canonical form sees through by itself, or that only guess at letters."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a part in code points of the original, and its words."""

    part: str
    start: int
    end: int
    text: str = field(repr=False)


def canonical(text: str) -> str:
    """The words of a text without case, spacing, punctuation, width, look-alike letters and
    traditional variants: equal forms are the same words, however written."""
    return "".join(filter(str.isalnum, text.translate(skeleton())))


def telling(text: str) -> bool:
    """Whether a text has words enough to be taken for itself and not for any other."""
    signs = canonical(text)
    return len(signs) + len(_CJK.findall(signs)) >= FEWEST_SIGNS


def units_of(parts: Iterable[Part], views: Mapping[str, Views] | None = None) -> list[Unit]:
    """Every telling stretch: each part whole, its sentences, and those of what was decoded in it.

    Bounded: of a text with more stretches the first ones are taken.
    """
    found: dict[tuple[str, int, int, str], Unit] = {}
    for part in parts:
        for unit in _of_part(part, (views or {}).get(part.path)):
            if len(found) == _MOST:
                return list(found.values())
            if telling(unit.text):
                same = (unit.part, unit.start, unit.end, canonical(unit.text))
                found.setdefault(same, unit)
    return list(found.values())


def _of_part(part: Part, views: Views | None) -> Iterator[Unit]:
    text = part.text
    yield Unit(part.path, 0, len(text), text)
    sentences = segments(text)
    if len(sentences) > 1:
        for start, end in sentences:
            yield Unit(part.path, start, end, text[start:end])
    for view in views.readings[1:] if views else ():
        if view.layer.rpartition(">")[2] in _GUESSED:
            continue
        for start, end in segments(view.text):
            yield Unit(part.path, *view.span(start, end), view.text[start:end])
