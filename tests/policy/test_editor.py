"""The JSON Schema for editors accepts what the compiler accepts, shorthands included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from memwarden import bundled
from memwarden.policy import GivenGuards, cases_schema, policy_schema
from memwarden.policy.read import read_bytes
from memwarden.policy.tree import Plain, plain

SHIPPED = sorted(bundled.policies_dir().glob("*.yaml"))


def _plain(data: bytes) -> Plain:
    tree, mistakes = read_bytes(data, "t.yaml")
    assert tree is not None
    assert mistakes == []
    return plain(tree)


def _faults(schema: object, text: str) -> list[str]:
    validator = Draft202012Validator(schema)  # type: ignore[arg-type]
    return [error.message for error in validator.iter_errors(_plain(text.encode()))]


@pytest.mark.parametrize("schema", [policy_schema(), cases_schema()])
def test_they_are_schemas(schema: dict[str, object]) -> None:
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_shipped_files_are_valid(file: Path) -> None:
    schema = cases_schema() if file.stem.endswith("_test") else policy_schema()
    assert _faults(schema, file.read_text(encoding="utf-8")) == []


GOOD = [
    "kinds: {fact: allow, task: {trusted: allow, else: hold}}",
    "rules: {a.b: off, c.d: {mode: observe}}",
    "guards: {sanitizer: off, pii: {on_error: reject, anything: [1]}}",
    "patterns: {a.x: off, a.y: {pattern: a, severity: low, reason: r}}",
    "waivers: {w: off}",
    "retention: {tiers: forever, kinds: {task: 3d}}",
    "influence: {trusted: decide, else: reference}",
]
BAD = [
    "kinds: {fact: alow}",
    "kinds: {fact: {trustd: allow}}",
    "entites: {}",
    "paranoia: 5",
    "retention: {tiers: 3 days}",
    "patterns: {a.y: {pattern: a, reason: r}}",
    "mode: off",
    "limits: {max_text: '5'}",
]


@pytest.mark.parametrize("text", GOOD)
def test_shorthands_are_known(text: str) -> None:
    assert _faults(policy_schema(), text) == []


@pytest.mark.parametrize("text", BAD)
def test_slips_are_marked(text: str) -> None:
    assert _faults(policy_schema(), text) != []


def test_the_settings_of_named_guards_are_part_of_it(guards: GivenGuards) -> None:
    schema = policy_schema({"sanitizer": guards.find("sanitizer")})
    assert _faults(schema, "guards: {sanitizer: {paranoia: 3, floor: high, mode: observe}}") == []
    assert _faults(schema, "guards: {sanitizer: {by_tier: {trusted: 0.5}, window: 3d}}") == []
    assert _faults(schema, "guards: {sanitizer: observe, other: {x: 1}}") == []
    assert _faults(schema, "guards: {sanitizer: {paranoa: 3}}") != []
    assert _faults(schema, "guards: {sanitizer: {floor: hgh}}") != []


def test_the_schema_beside_the_shipped_policies_is_this_one() -> None:
    """Editors read ``policies/policy.schema.json``; `memwarden policy schema` prints it."""
    shipped = json.loads((bundled.policies_dir() / "policy.schema.json").read_text("utf-8"))
    assert shipped == policy_schema()
