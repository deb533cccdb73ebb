"""Spans to replace: overlaps joined so that no half of a value is left behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memwarden.model import (
    Action,
    Candidate,
    Finding,
    Mode,
    PartRole,
    Policy,
    Slot,
    Tier,
    Treatment,
)
from memwarden.ruling.weigh import Weighed, treatment_of


def slots_of(
    weighed: Iterable[Weighed], candidate: Candidate, policy: Policy, tier: Tier
) -> tuple[Slot, ...]:
    """Spans to replace, overlaps joined so that no half of a value is left behind."""
    if policy.mode is Mode.OBSERVE:
        return ()
    wanted = [
        w.finding
        for w in weighed
        if w.finding.entity
        and w.action is Action.REDACT
        and not w.observed_only
        and candidate.part(w.finding.part).role is PartRole.TEXT
    ]
    wanted.sort(key=lambda f: (f.part, f.start, -f.end))
    slots: list[Slot] = []
    best: list[Finding] = []
    for finding in wanted:
        treatment = treatment_of(finding.entity, policy, tier)
        fresh = Slot(finding.part, finding.start, finding.end, finding.entity, treatment)
        if slots and slots[-1].part == fresh.part and fresh.start < slots[-1].end:
            lead = max(best[-1], finding, key=lambda f: (f.end - f.start, f.score, f.entity))
            best[-1] = lead
            slots[-1] = Slot(
                fresh.part,
                slots[-1].start,
                max(slots[-1].end, fresh.end),
                lead.entity,
                _stronger(slots[-1].treatment, treatment),
            )
        else:
            slots.append(fresh)
            best.append(finding)
    return tuple(slots)


_STRENGTH: Final = (
    Treatment.KEEP,
    Treatment.MASK,
    Treatment.PSEUDONYM,
    Treatment.REPLACE,
    Treatment.SEAL,
)


def _stronger(one: Treatment, other: Treatment) -> Treatment:
    return max(one, other, key=_STRENGTH.index)
