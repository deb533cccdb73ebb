"""Policies tried out: their tests run, two of them compared over the same texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memwarden.model import Candidate, Decision, Origin, Policy
from memwarden.policy import effective

if TYPE_CHECKING:
    from memwarden.evaluation import Row
    from memwarden.policy import Case, Effective, Expectation
    from memwarden.warden import Chain


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
class Change:
    """A text that two policies decide differently."""

    row: Row = field(repr=False)
    before: Decision = field(repr=False)
    after: Decision = field(repr=False)


def changes(
    before: Chain, after: Chain, tenant: str, rows: Iterable[Row], source: str
) -> Iterator[Change]:
    """The rows that the second chain decides otherwise than the first."""
    for row in rows:
        candidate = Candidate(row.text, origin=Origin(source=source, principal="comparison"))
        (old,) = before.preview([candidate], tenant=tenant)
        (new,) = after.preview([candidate], tenant=tenant)
        if (old.action, old.text) != (new.action, new.text):
            yield Change(row, old, new)


def differences(
    before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[tuple[str, object, object]]:
    """Settings that differ, by dotted path; None where one side does not have it."""
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            yield path, old, new


_WRITTEN: Final = {
    "matrix": "kinds",
    "kind_sensitivity": "sensitivity.kinds",
    "entity_sensitivity": "sensitivity.entities",
    "retention": "retention.tiers",
    "kind_retention": "retention.kinds",
}
"""Sections of a compiled policy that a file writes under another key."""


def as_written(policy: Policy) -> dict[str, object]:
    """The effective settings of a policy under the paths that its files use."""
    tree = dict(effective(policy))
    guards = tree.pop("guards")
    assert isinstance(guards, list)
    flat: dict[str, object] = {}
    for section, value in tree.items():
        flat.update(flattened(value, _WRITTEN.get(section, section)))
    for guard in guards:
        assert isinstance(guard, dict)
        flat.update(flattened(guard, f"guards.{guard['name']}"))
    return flat


def origin_of(found: Effective, path: str) -> str:
    """Where a setting was written; a shorthand is written one level up."""
    while path and path not in found.origins:
        path = path.rpartition(".")[0]
    return found.origin(path)


def flattened(tree: object, path: str = "") -> dict[str, object]:
    """A nested mapping as dotted paths to its leaves."""
    if not isinstance(tree, Mapping):
        return {path: tree}
    flat: dict[str, object] = {}
    for key, value in tree.items():
        flat.update(flattened(value, f"{path}.{key}" if path else str(key)))
    return flat
