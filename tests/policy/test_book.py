"""The set of tenants: exact names, one base, and a reload that never leaves a hole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.errors import PolicyError, UnknownTenant
from memwarden.model import FACT, Action, Tier
from memwarden.policy import GivenGuards, PolicyBook

Open = Callable[..., PolicyBook]


def test_tenants_are_those_that_files_name(opened: Open) -> None:
    book = opened(layer="mode: observe\n", one="tenant: b\n", two="tenant: a\nextends: layer\n")
    assert book.tenants == ("a", "b")
    assert book.tenant("a").tenant == "a"
    assert book.tenant("a").mode == "observe"


def test_local_has_the_base_policy_and_is_no_tenant(opened: Open) -> None:
    book = opened(one="tenant: a\nkinds: {fact: hold}\n")
    assert book.tenant("local").matrix[FACT][Tier.TRUSTED] is Action.ALLOW
    assert "local" not in book.tenants


UNKNOWN = ["", "A", "a ", " a", "a/b", "a.b", "acme-corp", "cafe\u0301", "a\x00", "x" * 5_000]


@pytest.mark.parametrize("name", UNKNOWN)
def test_names_are_exact(name: str, opened: Open) -> None:
    book = opened(one="tenant: a\n", two="tenant: acme\n", three="tenant: caf\u00e9\n")
    with pytest.raises(UnknownTenant) as caught:
        book.tenant(name)
    assert len(str(caught.value)) < 300


def test_a_missing_tenant_is_an_error_and_not_a_default(opened: Open) -> None:
    with pytest.raises(UnknownTenant, match="there is no default"):
        opened().tenant(None)  # type: ignore[arg-type]


def test_a_tenant_may_have_a_chinese_name(opened: Open) -> None:
    assert opened(one="tenant: 星河银行\n").tenant("星河银行").tenant == "星河银行"


def test_reload_takes_what_is_new(opened: Open, tmp_path: Path) -> None:
    book = opened(one="tenant: a\n")
    (tmp_path / "two.yaml").write_text("tenant: b\nkinds: {fact: hold}\n")
    book.reload()
    assert book.tenants == ("a", "b")
    assert book.tenant("b").matrix[FACT][Tier.TRUSTED] is Action.HOLD


def test_a_failed_reload_keeps_what_was_in_force(opened: Open, tmp_path: Path) -> None:
    book = opened(one="tenant: a\n")
    before = book.tenant("a")
    (tmp_path / "one.yaml").write_text("tenant: a\nkinds: {fact: hodl}\n")
    with pytest.raises(PolicyError):
        book.reload()
    assert book.tenant("a") is before
    (tmp_path / "one.yaml").write_text("tenant: a\nkinds: {fact: hold}\n")
    book.reload()
    assert book.tenant("a").matrix[FACT][Tier.TRUSTED] is Action.HOLD


def test_a_folder_that_vanishes_keeps_what_was_in_force(opened: Open, tmp_path: Path) -> None:
    book = opened(one="tenant: a\n")
    for file in tmp_path.iterdir():
        file.unlink()
    tmp_path.rmdir()
    with pytest.raises(PolicyError, match="cannot be read"):
        book.reload()
    assert book.tenants == ("a",)


def test_a_policy_cannot_be_changed(opened: Open) -> None:
    policy = opened(one="tenant: a\n").tenant("a")
    with pytest.raises(TypeError):
        policy.matrix[FACT] = {}  # type: ignore[index]
    with pytest.raises(TypeError):
        policy.matrix[FACT][Tier.UNTRUSTED] = Action.ALLOW  # type: ignore[index]
    with pytest.raises(TypeError):
        policy.sources["web"] = Tier.TRUSTED  # type: ignore[index]


def test_equal_guards_are_made_once(opened: Open) -> None:
    book = opened(one="tenant: a\n", two="tenant: b\n")
    assert book.tenant("a").guards[0].guard is book.tenant("b").guards[0].guard


def test_one_file_brings_what_it_builds_on(
    tmp_path: Path, opened: Open, guards: GivenGuards
) -> None:
    opened(middle="kinds: {fact: hold}\n", one="tenant: a\nextends: middle\n", two="tenant: b\n")
    (tmp_path / "broken.yaml").write_text("tenant: [\n")
    book = PolicyBook.open(tmp_path / "one.yaml", guards=guards)
    assert book.tenants == ("a",)
    assert book.tenant("a").matrix[FACT][Tier.TRUSTED] is Action.HOLD


def test_files_that_are_no_policies_are_left_alone(tmp_path: Path, opened: Open) -> None:
    for name in ("notes.txt", ".hidden.yaml", "a_test.yaml", "policy.schema.json"):
        (tmp_path / name).write_text("tenant: [\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "x.yaml").write_text("tenant: [\n")
    assert opened(one="tenant: a\n").tenants == ("a",)


@pytest.mark.parametrize("missing", ["nowhere", "nowhere/policy.yaml"])
def test_a_path_that_is_not_there(missing: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        PolicyBook.open(tmp_path / missing)
    assert f"{missing}:1:1: cannot be read: No such file or directory" in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    assert opened(one="tenant: a\n").tenants == ("a",)
