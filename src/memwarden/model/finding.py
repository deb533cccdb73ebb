"""A guard's report."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.model.candidate import Span
from memwarden.model.words import UNSAID, Kind, Severity


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence in both languages."""

    en: str
    zh: str

    def in_language(self, lang: str) -> str:
        return self.zh if lang.startswith("zh") else self.en


@dataclass(frozen=True, slots=True)
class Finding:
    """What a guard found in one span of one part. It says what is there, never what to do.

    ``start`` and ``end`` are code points of the original part. ``score`` is between 0 and 1.
    ``kind`` is the kind of memory the finding says the text is (empty: says nothing of it).
    ``entity`` is the type of personal data or secret found (empty: none). ``segment`` is the
    sentence or clause around the span, which a policy that cuts takes out whole. ``references``
    are ids in public taxonomies (OWASP ASI06, MITRE ATLAS AML.T0080). ``requested`` says that a
    trusted writer asked in the same breath for this to be remembered.
    """

    guard: str
    rule: str
    part: str
    start: int
    end: int
    score: float
    severity: Severity
    reason: Message
    kind: Kind = UNSAID
    entity: str = ""
    segment: Span | None = None
    references: tuple[str, ...] = ()
    layer: str = "original"
    requested: bool = False
