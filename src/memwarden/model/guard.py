"""The one shape of a guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from memwarden.model.candidate import Candidate
from memwarden.model.evidence import Evidence, Need
from memwarden.model.finding import Finding
from memwarden.model.words import Tier


@runtime_checkable
class Guard(Protocol):
    """A pure function of candidate and evidence, written as a frozen dataclass.

    The dataclass fields are the guard's settings; a policy sets them by name. ``judge`` reports
    and never edits, does no I/O, keeps no state and gives the same answer for the same input.
    ``tier`` is what the candidate's origin was found to be worth; a guard may word or weigh a
    finding by it, but what happens is the ruling's to say. ``memwarden.testing`` checks all this.
    """

    @property
    def name(self) -> str:
        """The name that policies and findings use; unique among guards."""
        ...

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        """Which evidence this guard wants for this candidate. Cheap and pure."""
        ...

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        """Report what is there."""
        ...
