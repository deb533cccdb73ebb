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

_Wanted = tuple[Finding, Treatment]


def slots_of(
    weighed: Iterable[Weighed], candidate: Candidate, policy: Policy, tier: Tier
) -> tuple[Slot, ...]:
    """The slots of a ruling: what policy replaces where it stores the rest."""
    if policy.mode is Mode.OBSERVE:
        return ()
    return _joined(
        (w.finding, treatment_of(w.finding, policy, tier))
        for w in weighed
        if w.finding.entity
        and w.action is Action.REDACT
        and not w.observed_only
        and candidate.part(w.finding.part).role is PartRole.TEXT
    )


def slots_for(
    candidate: Candidate, findings: Iterable[Finding], policy: Policy, tier: Tier
) -> tuple[Slot, ...]:
    """Slots for everything personal that policy does not keep.

    What policy holds or drops is sealed here: this is for showing a held candidate, and for
    storing one that a reviewer approved redacted.
    """
    return _joined(
        (finding, _as_replaced(treatment_of(finding, policy, tier)))
        for finding in findings
        if finding.entity
        and treatment_of(finding, policy, tier) is not Treatment.KEEP
        and candidate.part(finding.part).role is PartRole.TEXT
    )


def _as_replaced(treatment: Treatment) -> Treatment:
    return Treatment.SEAL if treatment in (Treatment.HOLD, Treatment.DROP) else treatment


def _joined(wanted: Iterable[_Wanted]) -> tuple[Slot, ...]:
    ordered = sorted(wanted, key=lambda w: (w[0].part, w[0].start, -w[0].end))
    slots: list[Slot] = []
    lead: Finding | None = None
    for finding, treatment in ordered:
        last = slots[-1] if slots else None
        if last is None or lead is None or last.part != finding.part or finding.start >= last.end:
            lead = finding
            slots.append(Slot(finding.part, finding.start, finding.end, finding.entity, treatment))
            continue
        lead = max(lead, finding, key=lambda f: (f.end - f.start, f.score, f.entity))
        slots[-1] = Slot(
            last.part,
            last.start,
            max(last.end, finding.end),
            lead.entity,
            max(last.treatment, treatment, key=_STRENGTH.index),
        )
    return tuple(slots)


_STRENGTH: Final = (
    Treatment.KEEP,
    Treatment.MASK,
    Treatment.PSEUDONYM,
    Treatment.REPLACE,
    Treatment.SEAL,
)
