"""From candidates to rulings: needs, evidence in one batch, guards, rule, and the cut.

Everything here is pure but for the gathering, which is handed in. One candidate or ten
thousand, sync or async, run this same code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

from memwarden.model import (
    Action,
    Candidate,
    Evidence,
    Finding,
    Guard,
    Message,
    Mode,
    Need,
    Policy,
    Ruling,
    Tier,
)
from memwarden.ruling import remainder, rule
from memwarden.warden.bounds import check_bounds


@dataclass(frozen=True, slots=True)
class Presented:
    """A candidate with the tier its origin was found to be worth."""

    candidate: Candidate
    tier: Tier
    text_digest: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A ruling, and the candidate it speaks of: the original, or what a cut left of it."""

    candidate: Candidate
    ruling: Ruling


class Gather(Protocol):
    """Fetches evidence for many candidates at once. What cannot be had is named in
    ``Evidence.missing``; it never raises for one candidate's sake."""

    def __call__(
        self, wanted: Sequence[tuple[Presented, frozenset[Need]]], policy: Policy
    ) -> Sequence[Evidence]: ...


def judge(
    presented: Sequence[Presented], policy: Policy, gather: Gather, now: datetime
) -> list[Judged]:
    """Judge candidates; positions are kept. A hostile segment that may be cut is cut once."""
    first = _rule_all(presented, policy, gather, now)
    rests: dict[int, Candidate] = {}
    for position, (one, ruling) in enumerate(zip(presented, first, strict=True)):
        rest = remainder(one.candidate, ruling.cuts) if ruling.cuts else None
        if rest is not None:
            rests[position] = rest
    again = [
        Presented(rest, presented[at].tier, presented[at].text_digest) for at, rest in rests.items()
    ]
    second = dict(zip(rests, _rule_all(again, policy, gather, now), strict=True))
    return [
        _joined(one.candidate, ruling, rests.get(at), second.get(at))
        for at, (one, ruling) in enumerate(zip(presented, first, strict=True))
    ]


def _joined(
    original: Candidate, first: Ruling, rest: Candidate | None, second: Ruling | None
) -> Judged:
    if rest is None or second is None:
        return Judged(original, replace(first, cuts=()))
    if second.cuts:
        return Judged(original, replace(first, cuts=(), rest_findings=second.findings))
    if not second.action.stores:
        return Judged(
            original,
            replace(first, action=second.action, cuts=(), rest_findings=second.findings),
        )
    kept = replace(
        second,
        action=Action.REDACT,
        findings=first.findings,
        rest_findings=second.findings,
        cuts=first.cuts,
        critical=first.critical,
    )
    return Judged(rest, kept)


def _rule_all(
    presented: Sequence[Presented], policy: Policy, gather: Gather, now: datetime
) -> list[Ruling]:
    if not presented:
        return []
    bounds = [check_bounds(one.candidate, policy.limits) for one in presented]
    wanted = [
        (one, frozenset[Need]() if limits else _needs(one.candidate, policy))
        for one, limits in zip(presented, bounds, strict=True)
    ]
    evidence = gather(wanted, policy)
    return [
        _rule_one(one, replace(seen, missing=seen.missing | _unasked(needs)), limits, policy, now)
        for (one, needs), seen, limits in zip(wanted, evidence, bounds, strict=True)
    ]


def _needs(candidate: Candidate, policy: Policy) -> frozenset[Need]:
    needs: set[Need] = set()
    for used in policy.guards:
        if used.mode is not Mode.OFF:
            needs |= _asked(used.guard, candidate)
    return frozenset(needs)


def _unasked(needs: frozenset[Need]) -> frozenset[Need]:
    """What was not gathered is as good as missing: a guard that asks for it only when it judges,
    because asking failed before, must not take its absence for an answer."""
    return frozenset(Need) - needs


def _asked(guard: Guard, candidate: Candidate) -> frozenset[Need]:
    try:
        return guard.needs(candidate)
    except Exception:  # noqa: BLE001 a guard's own failure shows when it judges
        return frozenset()


def _rule_one(
    one: Presented,
    evidence: Evidence,
    bounds: tuple[Finding, ...],
    policy: Policy,
    now: datetime,
) -> Ruling:
    findings = list(bounds)
    failures: dict[str, Message] = {}
    if not bounds:
        for used in policy.guards:
            if used.mode is not Mode.OFF:
                _ask(used.guard, one, evidence, findings, failures)
    return rule(
        one.candidate,
        findings,
        policy,
        tier=one.tier,
        now=now,
        failures=failures,
        text_digest=one.text_digest,
    )


def _ask(
    guard: Guard,
    one: Presented,
    evidence: Evidence,
    findings: list[Finding],
    failures: dict[str, Message],
) -> None:
    """Let one guard judge; whatever goes wrong is its failure and never a pass."""
    try:
        lacking = guard.needs(one.candidate) & evidence.missing
        if lacking:
            failures[guard.name] = _no_evidence(lacking)
            return
        found = tuple(guard.judge(one.candidate, evidence, one.tier))
        fault = contract_fault(guard, one.candidate, found)
    except Exception as error:  # noqa: BLE001 fail closed: any error of a guard holds the write
        failures[guard.name] = _raised(error)
        return
    if fault:
        failures[guard.name] = Message(
            f"the guard broke its contract: {fault}", f"防护违反约定：{fault}"
        )
        return
    findings.extend(found)


def _no_evidence(lacking: frozenset[Need]) -> Message:
    names = ", ".join(sorted(lacking))
    return Message(
        f"the guard could not judge: no {names} could be gathered",
        f"防护无法判断：无法取得 {names}",
    )


def _raised(error: Exception) -> Message:
    kind = type(error).__name__
    return Message(f"the guard raised {kind} and did not judge", f"防护抛出 {kind}，未能判断")


_NO_FAULT: Final = ""


def contract_fault(guard: Guard, candidate: Candidate, found: Sequence[Finding]) -> str:
    """Say how findings break the contract of guards, or return an empty string."""
    lengths: Mapping[str, int] = {part.path: len(part.text) for part in candidate.parts}
    for finding in found:
        if not isinstance(finding, Finding):
            return f"it returned a {type(finding).__name__} where findings belong"
        if finding.guard != guard.name:
            return f"a finding says guard {finding.guard!r}, the guard is {guard.name!r}"
        if finding.part not in lengths:
            return f"a finding of {finding.rule} names a part that the candidate does not have"
        if not 0 <= finding.start <= finding.end <= lengths[finding.part]:
            return f"the span of {finding.rule} lies outside its part"
        if finding.segment is not None and not (
            0 <= finding.segment[0] <= finding.segment[1] <= lengths[finding.part]
        ):
            return f"the segment of {finding.rule} lies outside its part"
        if not 0.0 <= finding.score <= 1.0:
            return f"the score of {finding.rule} is not between 0 and 1"
    return _NO_FAULT
