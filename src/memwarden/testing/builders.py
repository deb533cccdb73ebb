"""Short ways to build values in tests of guards and adapters. Every builder has safe defaults."""

from __future__ import annotations

from collections.abc import Mapping

from memwarden.model import (
    COMMAND_KINDS,
    MEMORY_KINDS,
    OTHER,
    UNSAID,
    Action,
    ByTier,
    Candidate,
    Finding,
    GuardSetting,
    Influence,
    Kind,
    Message,
    Mode,
    Origin,
    Policy,
    Severity,
    Span,
    Tier,
    Treatment,
)
from memwarden.model.candidate import MAIN_PATH
from memwarden.testing.still_guard import StillGuard


def everywhere(action: Action) -> ByTier:
    """The same action at every tier."""
    return dict.fromkeys(Tier, action)


def from_tier(floor: Tier, *, else_: Action = Action.HOLD) -> ByTier:
    """Allow from ``floor`` upwards, ``else_`` below it."""
    return {tier: Action.ALLOW if tier >= floor else else_ for tier in Tier}


MATRIX: Mapping[Kind, ByTier] = {
    **dict.fromkeys(MEMORY_KINDS, everywhere(Action.ALLOW)),
    **dict.fromkeys(COMMAND_KINDS, everywhere(Action.HOLD)),
    OTHER: everywhere(Action.ALLOW),
}
"""Memories are allowed, commands held, whoever writes."""

SEVERITIES: Mapping[Severity, ByTier] = {
    Severity.INFO: everywhere(Action.ALLOW),
    Severity.LOW: everywhere(Action.ALLOW),
    Severity.MEDIUM: everywhere(Action.HOLD),
    Severity.HIGH: everywhere(Action.HOLD),
    Severity.CRITICAL: everywhere(Action.REJECT),
}


def a_policy(
    *,
    tenant: str = "acme",
    mode: Mode = Mode.ENFORCE,
    guards: tuple[GuardSetting, ...] | None = None,
    matrix: Mapping[Kind, ByTier] | None = None,
    entities: Mapping[str, Mapping[Tier, Treatment]] | None = None,
) -> Policy:
    """A small complete policy: one guard that finds nothing, memories allowed, commands held."""
    return Policy(
        tenant=tenant,
        revision="test",
        mode=mode,
        guards=(GuardSetting(StillGuard()),) if guards is None else guards,
        sources={"user": Tier.TRUSTED, "agent": Tier.DERIVED, "web": Tier.UNTRUSTED},
        matrix=MATRIX if matrix is None else matrix,
        severities=SEVERITIES,
        rules={},
        entities=entities or {},
        entity_sensitivity={},
        kind_sensitivity={},
        influence={
            Tier.UNTRUSTED: Influence.REFERENCE,
            Tier.DERIVED: Influence.INFORM,
            Tier.TRUSTED: Influence.DECIDE,
            Tier.AUTHORITATIVE: Influence.DECIDE,
        },
        retention={},
    )


def a_candidate(text: str = "Sam likes green tea.", *, source: str = "user") -> Candidate:
    return Candidate(text, origin=Origin(source=source, principal="tester"))


def a_finding(
    rule: str = "test.rule",
    *,
    guard: str = "still",
    part: str = MAIN_PATH,
    span: Span = (0, 1),
    severity: Severity = Severity.HIGH,
    kind: Kind = UNSAID,
    entity: str = "",
    segment: Span | None = None,
    score: float = 1.0,
) -> Finding:
    return Finding(
        guard,
        rule,
        part,
        *span,
        score,
        severity,
        Message("a finding made for a test", "测试用的发现"),
        kind=kind,
        entity=entity,
        segment=segment,
    )
