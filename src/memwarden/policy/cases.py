"""Policy tests: ``*_test.yaml`` files that say what a policy must do with which text.

::

    policy: acme-shop
    cases:
      - name: a preference of a customer is kept
        text: I like oolong tea
        source: user
        expect: {action: allow, kind: preference}

Reading them is pure; running them takes a Warden, and so is the command line's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Annotated, Final

from pydantic import Field, ValidationError

from memwarden.errors import Mistake, PolicyError
from memwarden.model import UNSTATED, Action, Sensitivity, Tier
from memwarden.policy.complain import complaints, tidy
from memwarden.policy.read import MAX_BYTES, read_bytes
from memwarden.policy.sections import Section
from memwarden.policy.shelf import SUFFIXES, TEST_SUFFIX
from memwarden.policy.tree import Branch, Leaf, Node, Path, Row, dotted, place_of, plain
from memwarden.policy.vocabulary import (
    ActionWord,
    KindName,
    Name,
    SensitivityWord,
    TierWord,
)

_EXPECT: Final = "expect"


class ExpectEntry(Section):
    """What must come out. What is not said may be anything."""

    action: tuple[ActionWord, ...]
    kind: KindName | None = None
    tier: TierWord | None = None
    sensitivity: SensitivityWord | None = None
    text: str | None = Field(None, description="exactly what is stored")
    lacks: tuple[str, ...] = Field((), description="what must not be in the stored text")
    rules: tuple[str, ...] = Field((), description="rules that must be among the findings")


class CaseEntry(Section):
    """One case."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    text: str
    source: Name = UNSTATED
    expect: ExpectEntry = Field(description="an action, a list of actions, or a mapping")


class CaseFile(Section):
    """A file of policy tests."""

    policy: Name = Field(description="the tenant whose policy is tested, or local for the base")
    cases: tuple[CaseEntry, ...]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a case demands. ``actions`` are the ones that will do; empty or None: anything."""

    actions: tuple[Action, ...]
    kind: str = ""
    tier: Tier | None = None
    sensitivity: Sensitivity | None = None
    text: str | None = field(default=None, repr=False)
    lacks: tuple[str, ...] = field(default=(), repr=False)
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One policy test; ``place`` is its ``file:line``."""

    name: str
    tenant: str
    text: str = field(repr=False)
    source: str
    expect: Expectation
    place: str


def load_cases(path: str | FilePath) -> tuple[Case, ...]:
    """Read one file of cases, or every ``*_test.yaml`` in a folder, in order.

    Raises PolicyError with every mistake in every file.
    """
    files, mistakes = _files(FilePath(path))
    cases: list[Case] = []
    for file in files:
        found, wrong = _read(file)
        cases += found
        mistakes += wrong
    if mistakes:
        raise PolicyError(tidy(mistakes))
    return tuple(cases)


def _files(path: FilePath) -> tuple[list[FilePath], list[Mistake]]:
    try:
        if path.is_file():
            return [path], []
        return sorted(f for f in path.iterdir() if _is_cases(f)), []
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return [], [Mistake(str(path), 1, 1, f"cannot be read: {reason}")]


def _is_cases(file: FilePath) -> bool:
    return file.suffix in SUFFIXES and file.stem.endswith(TEST_SUFFIX) and file.is_file()


def _read(file: FilePath) -> tuple[list[Case], list[Mistake]]:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return [], [Mistake(str(file), 1, 1, f"cannot be read: {reason}")]
    root, mistakes = read_bytes(data, str(file))
    if root is None:
        return [], mistakes
    tree = _unfold(root)
    try:
        entry = CaseFile.model_validate_json(json.dumps(plain(tree)))
    except ValidationError as error:
        return [], mistakes + complaints(error, tree, CaseFile)[0]
    mistakes += [*_same_names(entry.cases, tree), *_empty(entry, tree)]
    cases = [
        _case(entry.policy, case, str(place_of(tree, ("cases", at))))
        for at, case in enumerate(entry.cases)
    ]
    return cases, mistakes


def _case(tenant: str, case: CaseEntry, place: str) -> Case:
    wanted = case.expect
    expect = Expectation(
        wanted.action,
        wanted.kind or "",
        wanted.tier,
        wanted.sensitivity,
        wanted.text,
        wanted.lacks,
        wanted.rules,
    )
    return Case(case.name, tenant, case.text, case.source, expect, place)


def _same_names(cases: Sequence[CaseEntry], tree: Branch) -> list[Mistake]:
    seen: set[str] = set()
    mistakes: list[Mistake] = []
    for at, case in enumerate(cases):
        if case.name in seen:
            place = place_of(tree, ("cases", at, "name"))
            mistakes.append(place.mistake(f"two cases are called `{case.name}`", "rename one"))
        seen.add(case.name)
    return mistakes


def _empty(file: CaseFile, tree: Branch) -> list[Mistake]:
    """Lists without which nothing would be tested."""
    paths: list[Path] = [] if file.cases else [("cases",)]
    paths += [
        ("cases", at, _EXPECT, "action")
        for at, case in enumerate(file.cases)
        if not case.expect.action
    ]
    return [
        place_of(tree, path, key=True).mistake(f"`{dotted(path)}` is empty", "nothing is tested")
        for path in paths
    ]


def _unfold(root: Branch) -> Branch:
    """``expect: hold`` and ``expect: [hold, reject]`` as mappings; single words as lists."""
    cases = root.items.get("cases")
    if not isinstance(cases, Row):
        return root
    return root.having("cases", Row(tuple(_unfold_case(case) for case in cases.items), cases.place))


def _unfold_case(case: Node) -> Node:
    if not isinstance(case, Branch) or _EXPECT not in case.items:
        return case
    expect = case.items[_EXPECT]
    if not isinstance(expect, Branch):
        expect = Branch({"action": expect}, expect.place)
    for key in ("action", "lacks", "rules"):
        node = expect.items.get(key)
        if isinstance(node, Leaf):
            expect = expect.having(key, Row((node,), node.place))
    return case.having(_EXPECT, expect)
