"""A rule as the sanitizer uses it: typed, frozen, without a trace of the file it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from memwarden.model import Kind, Message, Severity


class Lang(StrEnum):
    """Which language a pattern is written for; ``ANY`` is for tokens of no language."""

    EN = "en"
    ZH = "zh"
    ANY = "any"


class Form(StrEnum):
    """The two ways a pattern is compiled: as it is written, or without spaces and word
    boundaries, for texts whose words were pulled apart and joined again."""

    EXACT = "exact"
    SQUEEZED = "squeezed"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of saying it. ``source`` is the pattern with its word lists already put in, as a
    sequence of fragments and gap names (see ``language``)."""

    lang: Lang
    source: tuple[str, ...]
    place: str = ""


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts that the rule must find and texts it must leave alone. They are its tests."""

    hit: tuple[str, ...] = field(default=(), repr=False)
    miss: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the sanitizer looks for, and what it reports when it finds it.

    ``below_trusted`` is the severity for origins that are not trusted: what may be a user's wish
    can be an attack in a web page. ``unless`` holds patterns that, in the same sentence, make the
    rule silent. ``mentions`` says that a quoted example in a text about attacks is reported as low
    instead.
    """

    id: str
    kind: Kind
    severity: Severity
    below_trusted: Severity
    paranoia: int
    score: float
    reason: Message
    references: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    unless: tuple[Pattern, ...] = ()
    mentions: bool = True
    examples: Examples = field(default_factory=Examples)


@dataclass(frozen=True, slots=True)
class Pack:
    """The rules of one file."""

    name: str
    rules: tuple[Rule, ...]
