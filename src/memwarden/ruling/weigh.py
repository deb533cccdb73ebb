"""What each finding asks for under a policy at a tier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memwarden.model import (
    COMMAND_KINDS,
    OTHER,
    UNSAID,
    Action,
    Candidate,
    Finding,
    Kind,
    Mode,
    PartRole,
    Policy,
    Severity,
    Tier,
    Treatment,
)

_TREATMENT_ACTION: Final[Mapping[Treatment, Action]] = {
    Treatment.KEEP: Action.ALLOW,
    Treatment.MASK: Action.REDACT,
    Treatment.REPLACE: Action.REDACT,
    Treatment.PSEUDONYM: Action.REDACT,
    Treatment.SEAL: Action.REDACT,
    Treatment.DROP: Action.SKIP,
    Treatment.HOLD: Action.HOLD,
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """A finding, what it asks for, and whether policy only watches it."""

    finding: Finding
    action: Action
    observed_only: bool


def weigh_all(
    findings: Iterable[Finding],
    candidate: Candidate,
    policy: Policy,
    tier: Tier,
    now: datetime,
    text_digest: str = "",
) -> list[Weighed]:
    """Weigh every finding that no waiver and no switched-off rule sets aside."""
    return [
        Weighed(finding, _asks(finding, candidate, policy, tier), watched(policy, finding))
        for finding in findings
        if not _waived(finding, candidate, policy, now, text_digest)
    ]


def _waived(
    finding: Finding, candidate: Candidate, policy: Policy, now: datetime, text_digest: str
) -> bool:
    setting = policy.rules.get(finding.rule)
    if setting is not None and setting.mode is Mode.OFF:
        return True
    return any(
        waiver.rule == finding.rule
        and now < waiver.expires
        and waiver.source in ("", candidate.origin.source)
        and waiver.text_digest in ("", text_digest)
        for waiver in policy.waivers
    )


def watched(policy: Policy, finding: Finding) -> bool:
    setting = policy.rules.get(finding.rule)
    if setting is not None and setting.mode is Mode.OBSERVE:
        return True
    return any(
        used.guard.name == finding.guard and used.mode is Mode.OBSERVE for used in policy.guards
    )


def _asks(finding: Finding, candidate: Candidate, policy: Policy, tier: Tier) -> Action:
    setting = policy.rules.get(finding.rule)
    if setting is not None and setting.actions is not None:
        return setting.actions.get(tier, Action.HOLD)
    if finding.entity:
        return _entity_action(finding, candidate, policy, tier)
    if finding.kind == UNSAID:
        return _severity_action(policy, finding.severity, tier)
    if finding.kind in COMMAND_KINDS:
        if finding.severity < Severity.MEDIUM:
            return _severity_action(policy, finding.severity, tier)
        return max(
            cell(policy, finding.kind, tier), _severity_action(policy, finding.severity, tier)
        )
    return cell(policy, finding.kind, tier)


def _entity_action(finding: Finding, candidate: Candidate, policy: Policy, tier: Tier) -> Action:
    action = _TREATMENT_ACTION[treatment_of(finding, policy, tier)]
    if action is Action.REDACT and candidate.part(finding.part).role is not PartRole.TEXT:
        return Action.HOLD
    return action


def treatment_of(finding: Finding, policy: Policy, tier: Tier) -> Treatment:
    """What policy does with a find; consent speaks first where the writer asked to keep it."""
    rows = policy.entities
    if finding.requested and finding.entity in policy.consent:
        rows = policy.consent
    return rows.get(finding.entity, {}).get(tier, policy.default_treatment)


def cell(policy: Policy, kind: Kind, tier: Tier) -> Action:
    return policy.matrix.get(kind, {}).get(tier, Action.HOLD)


def _severity_action(policy: Policy, severity: Severity, tier: Tier) -> Action:
    return policy.severities.get(severity, {}).get(tier, Action.HOLD)


def claims(weighed: Iterable[Weighed]) -> list[Weighed]:
    """Findings that say what kind the candidate is; a weak hint of a command is not one."""
    return [
        w
        for w in weighed
        if w.finding.kind != UNSAID
        and not (w.finding.kind in COMMAND_KINDS and w.finding.severity < Severity.MEDIUM)
    ]


def names_a_kind(weighed: Iterable[Weighed]) -> bool:
    return bool(claims(weighed))


def kind_of(weighed: Iterable[Weighed]) -> Kind:
    """The kind of the strongest claim: what policy minds most, then severity, then score."""
    claimed = claims(weighed)
    if not claimed:
        return OTHER
    strongest = max(
        claimed,
        key=lambda w: (w.action, w.finding.severity, w.finding.score, w.finding.kind),
    )
    return strongest.finding.kind
