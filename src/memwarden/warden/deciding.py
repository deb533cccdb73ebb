"""From a ruling to a decision: numbers for the placeholders, the final text, how long it lives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.model import Candidate, Decision, Policy, Ruling
from memwarden.redaction import NumberFor, Redacted, redact


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling with everything a decision needs but the placeholder numbers.

    ``candidate`` is the original with its attested origin; ``kept`` is what a cut left of it, or
    the original itself.
    """

    id: str
    candidate: Candidate
    kept: Candidate
    ruling: Ruling
    decided_at: datetime
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision and what was taken out of the text on the way, by redaction."""

    decision: Decision
    redacted: Redacted


def decide(
    verdict: Verdict,
    policy: Policy,
    number_for: NumberFor,
    *,
    models: tuple[str, ...] = (),
    seal: str = "",
) -> Decided:
    """Render the final text and return the decision. Pure but for ``number_for``."""
    ruling = verdict.ruling
    slots = ruling.slots if ruling.action.stores else ()
    redacted = redact(verdict.kept.parts, slots, number_for, seal=seal)
    decision = Decision(
        id=verdict.id,
        tenant=policy.tenant,
        action=ruling.action,
        kind=ruling.kind,
        tier=ruling.tier,
        sensitivity=ruling.sensitivity,
        influence=ruling.influence,
        findings=ruling.findings,
        rest_findings=ruling.rest_findings,
        policy_revision=policy.revision,
        decided_at=verdict.decided_at,
        parts=redacted.parts if ruling.action.stores else None,
        redactions=redacted.redactions,
        cuts=ruling.cuts,
        observed=ruling.observed,
        valid_until=_valid_until(ruling, policy, verdict.decided_at),
        models=models,
        critical=ruling.critical,
        elapsed_ms=verdict.elapsed_ms,
    )
    return Decided(decision, redacted)


def _valid_until(ruling: Ruling, policy: Policy, now: datetime) -> datetime | None:
    """The nearer of what the tier and what the kind allow; None lives on."""
    if not ruling.action.stores:
        return None
    spans = [policy.retention.get(ruling.tier), policy.kind_retention.get(ruling.kind)]
    limits = [span for span in spans if span is not None]
    return now + min(limits) if limits else None
