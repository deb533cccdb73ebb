"""Policies tried out: their tests run, two of them compared over the same texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memwarden.model import Candidate, Decision, Origin

if TYPE_CHECKING:
    from memwarden.evaluation import Row
    from memwarden.policy import Case, Expectation
    from memwarden.warden.chain import Chain


def complaint(expected: Expectation, decision: Decision) -> str:
    """How a decision differs from what a case demands; empty where it does not."""
    found = {finding.rule for finding in decision.findings}
    stored = decision.text or ""
    checks = (
        (
            not expected.actions or decision.action in expected.actions,
            f"action {decision.action.label}, wanted "
            + " or ".join(action.label for action in expected.actions),
        ),
        (
            not expected.kind or decision.kind == expected.kind,
            f"kind {decision.kind}, wanted {expected.kind}",
        ),
        (
            expected.tier is None or decision.tier is expected.tier,
            f"tier {decision.tier.label}",
        ),
        (
            expected.sensitivity is None or decision.sensitivity is expected.sensitivity,
            f"sensitivity {decision.sensitivity.label}",
        ),
        (expected.text is None or decision.text == expected.text, f"stored {stored!r}"),
        (
            not any(word in stored for word in expected.lacks),
            f"stored {stored!r}, which must lack {', '.join(expected.lacks)}",
        ),
        (
            all(rule in found for rule in expected.rules),
            f"rules {', '.join(sorted(found)) or 'none'}, wanted {', '.join(expected.rules)}",
        ),
    )
    return "; ".join(words for fine, words in checks if not fine)


def run_case(chain: Chain, case: Case) -> str:
    """Judge a case; return what is wrong, or an empty string."""
    candidate = Candidate(case.text, origin=Origin(source=case.source, principal="test"))
    (decision,) = chain.preview([candidate], tenant=case.tenant)
    return complaint(case.expect, decision)


@dataclass(frozen=True, slots=True)
class Turned:
    """A candidate that two policies decide differently."""

    at: int
    candidate: Candidate = field(repr=False)
    before: Decision = field(repr=False)
    after: Decision = field(repr=False)


def compared(
    before: Chain, after: Chain, tenant: str, candidates: Iterable[Candidate]
) -> Iterator[Turned]:
    """The candidates that the second chain decides otherwise than the first."""
    for at, candidate in enumerate(candidates):
        (old,) = before.preview([candidate], tenant=tenant)
        (new,) = after.preview([candidate], tenant=tenant)
        if (old.action, old.text) != (new.action, new.text):
            yield Turned(at, candidate, old, new)


@dataclass(frozen=True, slots=True)
class Change:
    """A text that two policies decide differently."""

    row: Row = field(repr=False)
    before: Decision = field(repr=False)
    after: Decision = field(repr=False)


def changes(
    before: Chain, after: Chain, tenant: str, rows: Iterable[Row], source: str
) -> Iterator[Change]:
    """The rows that the second chain decides otherwise than the first."""
    kept: list[Row] = []

    def candidates() -> Iterator[Candidate]:
        for row in rows:
            kept.append(row)
            yield Candidate(row.text, origin=Origin(source=source, principal="comparison"))

    for turned in compared(before, after, tenant, candidates()):
        yield Change(kept[turned.at], turned.before, turned.after)
