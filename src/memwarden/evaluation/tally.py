"""Counting decisions by source, language, label and kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from memwarden.evaluation.rows import Row
from memwarden.model import Action

Group = tuple[str, str, str, str]
"""Source, language, label, kind."""


@dataclass(frozen=True, slots=True)
class WriteTally:
    """What was decided of the rows of one group. ``cut`` is part of ``redact``."""

    source: str
    lang: str
    label: str
    kind: str
    n: int
    allow: int
    redact: int
    cut: int
    skip: int
    hold: int
    reject: int

    @property
    def blocked(self) -> int:
        """Rows that were not stored as they came: for a hostile row a cut counts as blocked."""
        return self.hold + self.reject + (self.cut if self.label == "malicious" else 0)


@dataclass(slots=True)
class Tally:
    """A running count. Mutable on purpose: a million rows are counted in bounded memory."""

    _counts: dict[Group, dict[str, int]] = field(default_factory=dict)

    def add(self, row: Row, action: Action, *, cut: bool) -> None:
        group = self._counts.setdefault((row.source, row.lang, row.label, row.kind), {})
        group[action.label] = group.get(action.label, 0) + 1
        if cut:
            group["cut"] = group.get("cut", 0) + 1

    def groups(self) -> tuple[WriteTally, ...]:
        return tuple(
            WriteTally(
                *key,
                n=sum(counts.get(action.label, 0) for action in Action),
                allow=counts.get("allow", 0),
                redact=counts.get("redact", 0),
                cut=counts.get("cut", 0),
                skip=counts.get("skip", 0),
                hold=counts.get("hold", 0),
                reject=counts.get("reject", 0),
            )
            for key, counts in sorted(self._counts.items())
        )
