"""A compiled policy as its files would write it: dotted paths, and where each was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from memwarden.model import Policy
from memwarden.policy.compile import Effective
from memwarden.policy.revision import effective


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
