"""What the recognizers report, and the closed shapes they share."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Found:
    """One piece of personal data: ``start``/``end`` are code points of the text looked at.

    ``rule`` names the pattern or recognizer, ``entity`` the type of data. ``score`` is how sure
    the recognizer is, between 0 and 1. ``soft`` marks a guess of a model or of a loose grammar,
    which gives way where a checked value overlaps it.
    """

    entity: str
    rule: str
    start: int
    end: int
    score: float
    soft: bool = False
    layer: str = "original"

    def at(self, start: int, end: int) -> Found:
        """The same find in other coordinates."""
        return replace(self, start=start, end=end)

    def overlaps(self, other: Found) -> bool:
        return self.start < other.end and other.start < self.end

    def covers(self, other: Found) -> bool:
        return self.start <= other.start and other.end <= self.end


SHIELD = ""
"""The entity of what only looks like personal data (a GUID, an ISBN, an order number).

A shield takes part in the contest over a span and is never reported."""
