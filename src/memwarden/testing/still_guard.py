"""The smallest guard that obeys the laws: it needs nothing and finds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memwarden.model import Candidate, Evidence, Finding, Need, Tier


@dataclass(frozen=True, slots=True)
class StillGuard:
    """Finds nothing. Stands where a test needs a policy with a guard in it."""

    name: str = "still"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset()

    def judge(
        self,
        candidate: Candidate,
        evidence: Evidence,
        tier: Tier,
    ) -> Sequence[Finding]:
        return ()
