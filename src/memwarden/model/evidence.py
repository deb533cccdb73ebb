"""What guards look at: evidence that the shell gathers, in batches, before they judge.

A guard declares what it needs; everything here is a value, so judging stays pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from memwarden.model.candidate import Span
from memwarden.model.words import Kind, Tier


class Need(StrEnum):
    """The closed list of evidence. The first three are local; the rest come from stores."""

    VIEWS = "views"
    ENCODING = "encoding"
    ENTITIES = "entities"
    NEIGHBOURS = "neighbours"
    RECENT = "recent"
    LESSONS = "lessons"


class View(Protocol):
    """One canonical reading of a part, with the way back to the original.

    ``layer`` tells how the reading was made ("original", "folded", "joined", "base64", ...).
    """

    @property
    def layer(self) -> str: ...

    @property
    def text(self) -> str: ...

    def span(self, start: int, end: int) -> Span:
        """The code points of the original part that ``text[start:end]`` was read from."""
        ...


@dataclass(frozen=True, slots=True)
class Views:
    """All readings of one part; ``segments`` are the sentences and clauses of the original."""

    readings: tuple[View, ...] = field(repr=False)
    segments: tuple[Span, ...]
    oddities: tuple[str, ...] = ()

    def segment(self, start: int, end: int) -> Span:
        """The smallest run of whole segments that covers the span."""
        touched = [s for s in self.segments if s[0] < max(end, start + 1) and s[1] > start]
        if not touched:
            return (start, end)
        return (min(start, touched[0][0]), max(end, touched[-1][1]))


@dataclass(frozen=True, slots=True)
class KnownExample:
    """A written sentence of known kind that ships with the models. Never a tenant's text."""

    lang: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class WindowReading:
    """What the encoder made of one window (``start``/``end`` in code points of the part).

    ``attack`` and the probabilities over kinds are calibrated. ``layer`` names the reading that
    the window was taken from; only windows of the original say what kind the memory is.
    ``nearest`` are the known commands most like a suspicious window, at most one in a language.
    """

    start: int
    end: int
    attack: float
    kinds: tuple[tuple[Kind, float], ...]
    vector: tuple[float, ...] = field(default=(), repr=False)
    model: str = ""
    layer: str = "original"
    nearest: tuple[KnownExample, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity found by a model or recognizer in one part."""

    type: str
    start: int
    end: int
    score: float
    recognizer: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored memory near the candidate."""

    memory_id: str
    similarity: float
    tier: Tier
    kind: Kind
    origin_digest: str
    decision_id: str = ""


@dataclass(frozen=True, slots=True)
class RecentWrite:
    """An earlier write of the same origin."""

    decision_id: str
    text_digest: str
    age_seconds: float


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a confirmed verdict taught about a stretch of the candidate that is like its text.

    ``exact``: the same words, however written; otherwise ``similarity`` is the cosine of sentence
    vectors. ``attack`` is what the models make of the stretch (0: they were not asked). ``bound``
    is the highest tier of the writers that it speaks to.
    """

    id: str
    hostile: bool
    kind: Kind
    part: str
    start: int
    end: int
    similarity: float = 1.0
    exact: bool = False
    attack: float = 0.0
    bound: Tier = Tier.AUTHORITATIVE


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything gathered for one candidate; mappings go from part path to evidence.

    ``missing`` names needs that could not be gathered. A guard whose need is missing is not
    asked; the ruling treats it as failed.
    """

    views: Mapping[str, Views] = field(default_factory=dict)
    encoding: Mapping[str, tuple[WindowReading, ...]] = field(default_factory=dict)
    entities: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)
    neighbours: tuple[Neighbour, ...] = ()
    recent: tuple[RecentWrite, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    missing: frozenset[Need] = frozenset()
