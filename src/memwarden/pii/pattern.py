"""A pattern as the data files state it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Edge(StrEnum):
    """What may not touch a match. Chinese text has no word boundaries, so ``\\b`` is of no use:
    ``邮箱是zhang@x.com`` has none before ``zhang``."""

    NONE = "none"
    LEFT = "left"
    DIGIT = "digit"
    WORD = "word"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class Scores:
    """How sure a match is.

    ``alone``: it looks right (and passes its check, where it has one). ``context``: and words
    around it say so. ``failed``/``failed_context``: the same where the check disagrees.
    ``record``: it stands as a field of its own beside other personal data.
    """

    alone: float = 0.0
    context: float = 0.0
    failed: float = 0.0
    failed_context: float = 0.0
    record: float = 0.0

    def of(self, *, passed: bool, context: bool) -> float:
        if passed:
            return max(self.context, self.alone) if context else self.alone
        return self.failed_context if context else self.failed


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the exact pieces that must be found in it (none for a near miss)."""

    text: str
    find: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """One RE2 pattern with its edges, check, context and scores.

    The match is the whole pattern, or its first group where it has one. ``context`` names the
    word lists that speak for it, ``against`` those that speak against it. ``soft`` marks a loose
    grammar whose finds give way to checked values.
    """

    id: str
    entity: str
    regex: str
    scores: Scores
    edge: Edge = Edge.WORD
    check: str = ""
    entropy: float = 0.0
    context: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    soft: bool = False
    languages: tuple[str, ...] = ("en", "zh")
    examples: tuple[Example, ...] = field(default=(), repr=False)
    near_misses: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class WordList:
    """Words of both languages that speak for a type of data.

    English words are compared token by token (``lic`` is not in ``duplicate``), Chinese ones
    by occurrence, for Chinese writes no spaces.
    """

    name: str
    en: frozenset[str]
    zh: tuple[str, ...]
