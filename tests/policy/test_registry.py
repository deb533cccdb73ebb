"""Guards are found by name, loaded when named, and never because they are installed."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from memwarden.errors import PolicyError
from memwarden.policy import InstalledGuards, PolicyBook, registry
from memwarden.testing.still_guard import StillGuard

POINTS = (
    EntryPoint("still", "memwarden.testing.still_guard:StillGuard", registry.GROUP),
    EntryPoint("still", "memwarden.testing.still_guard:StillGuard", registry.GROUP),
    EntryPoint("twice", "one.package:Guard", registry.GROUP),
    EntryPoint("twice", "another.package:Guard", registry.GROUP),
    EntryPoint("broken", "no_such_module_anywhere:Guard", registry.GROUP),
    EntryPoint("function", "memwarden.testing.builders:a_policy", registry.GROUP),
)


@pytest.fixture(autouse=True)
def _points(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(*, group: str) -> tuple[EntryPoint, ...]:
        assert group == "memwarden.guards"
        return POINTS

    monkeypatch.setattr(registry, "entry_points", entry_points)


def _wrong(folder: Path, guards: str) -> list[str]:
    (folder / "base.yaml").write_text(f"guards: {guards}\n")
    with pytest.raises(PolicyError) as caught:
        PolicyBook.open(folder)
    return [str(m).replace(f"{folder}/base.yaml:", "") for m in caught.value.mistakes]


def test_by_entry_point() -> None:
    assert InstalledGuards().find("still") is StillGuard


def test_by_module_and_class() -> None:
    assert InstalledGuards().find("memwarden.testing.still_guard:StillGuard") is StillGuard


def test_nothing_is_loaded_that_no_policy_names(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("guards: {still: {}}\n")
    assert PolicyBook.open(tmp_path).tenant("local").guards[0].guard == StillGuard()


TABLE = {
    "{stil: {}}": ["1:10: no guard `stil` is installed (did you mean `still`?)"],
    "{twice: {}}": [
        (
            "1:10: several packages offer a guard `twice` "
            "(name one: another.package:Guard, one.package:Guard)"
        )
    ],
    "{broken: {}}": [
        (
            "1:10: the guard `broken` cannot be loaded: ModuleNotFoundError: "
            "No module named 'no_such_module_anywhere' "
            "(`python -c 'import no_such_module_anywhere'` shows where)"
        )
    ],
    "{function: {}}": [
        "1:10: `memwarden.testing.builders:a_policy` is not a class (a guard is a frozen dataclass)"
    ],
    "{x: {use: 'os:sep; import os'}}": [
        "1:19: `os:sep; import os` is not `module:Class` (such as acme.guards:Tone)"
    ],
    "{x: {use: 'os:nothing'}}": [
        (
            "1:19: the guard `os:nothing` cannot be loaded: AttributeError: "
            "module 'os' has no attribute 'nothing' (`python -c 'import os'` shows where)"
        )
    ],
    "{x: {use: 'pathlib:Path'}}": ["1:10: the guard `x` is not a dataclass (see docs/policy.md)"],
    "{x: {use: 'memwarden.model:Origin'}}": [
        "1:10: the guard `x` has no `needs` method (see docs/policy.md)"
    ],
}


@pytest.mark.parametrize("guards", TABLE)
def test_what_cannot_be_had_is_a_mistake(guards: str, tmp_path: Path) -> None:
    assert _wrong(tmp_path, guards) == TABLE[guards]


def test_a_guard_that_is_off_need_not_be_there(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("guards: {still: {}, gone: off}\n")
    assert len(PolicyBook.open(tmp_path).tenant("local").guards) == 1
