"""Findings and policy in, one ruling out. Pure: no text is changed here and nothing is read.

The action is the maximum over all findings after policy, so the order of guards cannot change
it. What a finding asks for is the strongest of what its parts ask for:

- a finding of personal data asks for what policy does with that entity at this tier;
- a finding that names a kind asks for the cell of the kind x tier matrix (no cell: hold);
- a finding that names a command kind, or neither, also asks for its severity's action;
- a rule that policy overrides asks for exactly that.

When no finding names a kind, the candidate is ``other`` and that cell is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from memwarden.model import (
    OTHER,
    Action,
    Candidate,
    Finding,
    Influence,
    Kind,
    Message,
    Mode,
    Policy,
    Ruling,
    Sensitivity,
    Severity,
    Tier,
    Treatment,
)
from memwarden.ruling.cuts import cuts_of
from memwarden.ruling.slots import slots_of
from memwarden.ruling.weigh import (
    Weighed,
    cell,
    kind_of,
    names_a_kind,
    treatment_of,
    watched,
    weigh_all,
)

NO_GUARDS: Final = Message(
    "no guard is configured for this tenant, so nothing vouches for the text",
    "该租户没有配置任何防护，因此没有任何依据放行这段文本",
)


def rule(
    candidate: Candidate,
    findings: Sequence[Finding],
    policy: Policy,
    *,
    tier: Tier,
    now: datetime,
    failures: Mapping[str, Message] | None = None,
    text_digest: str = "",
) -> Ruling:
    """Return what policy does with a candidate given everything found in it.

    ``failures`` maps the name of each guard that could not judge to the reason; its effect is
    the guard's ``on_error``. ``now`` is only compared with the expiry of waivers, ``text_digest``
    (the tenant's keyed digest of the whole candidate) with waivers for one text.
    """
    failed = _failure_findings(failures or {}, policy)
    weighed = [
        *weigh_all(findings, candidate, policy, tier, now, text_digest),
        *(Weighed(f, _on_error(policy, f.guard), watched(policy, f)) for f in failed),
    ]
    kind = kind_of(weighed)
    base = Action.ALLOW if names_a_kind(weighed) else cell(policy, OTHER, tier)
    asked = max((w.action for w in weighed), default=Action.ALLOW)
    enforced = max((w.action for w in weighed if not w.observed_only), default=Action.ALLOW)
    action = max(base, enforced)
    would_be = max(base, asked)
    if policy.mode is Mode.OBSERVE:
        action = Action.ALLOW
    return Ruling(
        action=action,
        kind=kind,
        tier=tier,
        sensitivity=_sensitivity(weighed, kind, policy, tier),
        influence=_influence(policy, tier, kind),
        findings=tuple(sorted((w.finding for w in weighed), key=_position)),
        slots=slots_of(weighed, candidate, policy, tier) if action.stores else (),
        cuts=cuts_of(weighed, base, action, candidate, policy, tier),
        observed=would_be if would_be > action else Action.ALLOW,
        critical=any(w.finding.severity is Severity.CRITICAL and w.action.blocks for w in weighed),
    )


def _failure_findings(failures: Mapping[str, Message], policy: Policy) -> list[Finding]:
    found = [
        Finding(name, f"{name}.failed", "", 0, 0, 1.0, Severity.HIGH, reason)
        for name, reason in failures.items()
    ]
    if not policy.guards:
        found.append(Finding("ruling", "ruling.no-guards", "", 0, 0, 1.0, Severity.HIGH, NO_GUARDS))
    return found


def _on_error(policy: Policy, guard: str) -> Action:
    for setting in policy.guards:
        if setting.guard.name == guard:
            return setting.on_error
    return Action.HOLD


def _sensitivity(weighed: Iterable[Weighed], kind: Kind, policy: Policy, tier: Tier) -> Sensitivity:
    """At least the kind's; raised by personal data that stays readable."""
    levels = [policy.kind_sensitivity.get(kind, Sensitivity.INTERNAL)]
    levels += [
        policy.entity_sensitivity.get(w.finding.entity, Sensitivity.INTERNAL)
        for w in weighed
        if w.finding.entity and treatment_of(w.finding, policy, tier) is Treatment.KEEP
    ]
    return max(levels)


def _influence(policy: Policy, tier: Tier, kind: Kind) -> Influence:
    """The tier's; what no guard could name may inform an answer at most."""
    given = policy.influence.get(tier, Influence.REFERENCE)
    return min(given, Influence.INFORM) if kind == OTHER else given


def _position(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.part, finding.start, finding.end, finding.guard, finding.rule)
