"""The policies that ship: they compile, and they say what the documentation promises."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from memwarden import bundled
from memwarden.fence.styles import STYLES
from memwarden.model import (
    COMMAND_KINDS,
    KINDS,
    MEMORY_KINDS,
    OTHER,
    PREFERENCE,
    UNSTATED,
    Action,
    Influence,
    Severity,
    Tier,
    Treatment,
)
from memwarden.policy import GivenGuards, PolicyBook, load_cases

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture(scope="module")
def book() -> PolicyBook:
    """The shipped folder with the guards that the project declares."""
    declared = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["entry-points"]
    classes = {}
    for name, target in declared["memwarden.guards"].items():
        module, _, attribute = target.partition(":")
        classes[name] = getattr(importlib.import_module(module), attribute)
    return PolicyBook.open(bundled.policies_dir(), guards=GivenGuards(classes))


def test_they_compile(book: PolicyBook) -> None:
    assert book.tenants == ("acme-shop", "xinghe-bank")
    revisions = {book.tenant(name).revision for name in (*book.tenants, "local")}
    assert len(revisions) == 3


def test_ordinary_memories_of_users_pass(book: PolicyBook) -> None:
    base = book.tenant("local")
    tier = base.tier_of_source("user")
    for kind in (*MEMORY_KINDS, OTHER):
        assert base.matrix[kind][tier] is Action.ALLOW, kind


def test_what_steers_does_not_come_from_outside(book: PolicyBook) -> None:
    base = book.tenant("local")
    for source in ("web", "document", "tool", UNSTATED, "never heard of"):
        tier = base.tier_of_source(source)
        assert tier is Tier.UNTRUSTED
        for kind in ("profile", "preference", "task", "procedure", *COMMAND_KINDS):
            assert base.matrix[kind][tier].blocks, kind  # type: ignore[index]
        assert base.influence[tier] is Influence.REFERENCE


def test_commands_are_nobodys_memory(book: PolicyBook) -> None:
    for name in (*book.tenants, "local"):
        policy = book.tenant(name)
        assert all(policy.matrix[kind][tier].blocks for kind in COMMAND_KINDS for tier in Tier)


def test_every_kind_and_severity_has_its_cells(book: PolicyBook) -> None:
    base = book.tenant("local")
    assert set(KINDS) <= set(base.matrix)
    for severity in Severity:
        expected = severity >= Severity.MEDIUM
        assert all(base.severities[severity][tier].blocks is expected for tier in Tier)
    assert base.severities[Severity.CRITICAL][Tier.UNTRUSTED] is Action.REJECT
    assert base.severities[Severity.CRITICAL][Tier.TRUSTED] is Action.HOLD


def test_more_trust_never_means_less(book: PolicyBook) -> None:
    """From tier to tier no cell of the whitelist gets stricter."""
    for name in (*book.tenants, "local"):
        for row in (*book.tenant(name).matrix.values(), *book.tenant(name).severities.values()):
            actions = [row[tier] for tier in Tier if row[tier] is not Action.SKIP]
            assert actions == sorted(actions, reverse=True)


def test_names_stay_readable_and_numbers_do_not(book: PolicyBook) -> None:
    base = book.tenant("local")
    assert base.entities["PERSON"][Tier.TRUSTED] is Treatment.KEEP
    for entity in ("EMAIL_ADDRESS", "PHONE_NUMBER", "CN_ID_CARD", "CREDIT_CARD", "PASSWORD"):
        assert base.entities[entity][Tier.TRUSTED] is Treatment.SEAL
    assert base.default_treatment is Treatment.SEAL


def test_the_bank_is_stricter_and_speaks_chinese(book: PolicyBook) -> None:
    bank, base = book.tenant("xinghe-bank"), book.tenant("local")
    assert bank.language == bank.fence.language == "zh"
    assert bank.matrix[OTHER][Tier.TRUSTED] is Action.SKIP
    assert bank.matrix[PREFERENCE][Tier.DERIVED] is Action.HOLD
    assert bank.entities["PERSON"][Tier.TRUSTED] is Treatment.PSEUDONYM
    assert bank.retention[Tier.UNTRUSTED] is not None
    assert not bank.cut.enabled
    assert base.cut.enabled


def test_their_cases_can_be_read(book: PolicyBook) -> None:
    cases = load_cases(bundled.policies_dir())
    assert {case.tenant for case in cases} == {"acme-shop", "xinghe-bank"}


def test_a_folder_can_build_on_the_base_that_ships(tmp_path: Path, book: PolicyBook) -> None:
    (tmp_path / "base.yaml").write_text("extends: bundled\nkinds: {other: hold}\n")
    (tmp_path / "a.yaml").write_text("tenant: a\n")
    own = PolicyBook.open(tmp_path, guards=book._guards)
    assert own.tenant("a").matrix[OTHER][Tier.TRUSTED] is Action.HOLD
    assert own.tenant("a").matrix[PREFERENCE] == book.tenant("local").matrix[PREFERENCE]
    assert own.effective("a").chain[0].endswith("policies/base.yaml")


def test_a_folder_without_a_base_gets_the_one_that_ships(tmp_path: Path, book: PolicyBook) -> None:
    (tmp_path / "a.yaml").write_text("tenant: a\n")
    own = PolicyBook.open(tmp_path, guards=book._guards)
    assert own.tenant("a").revision == book.tenant("local").revision


def test_without_a_folder_there_is_only_the_base(book: PolicyBook) -> None:
    alone = PolicyBook.open(guards=book._guards)
    assert alone.tenants == ()
    assert alone.tenant("local").revision == book.tenant("local").revision


@pytest.mark.parametrize("style", sorted(STYLES))
def test_every_style_of_the_fence_can_be_chosen(
    style: str, tmp_path: Path, book: PolicyBook
) -> None:
    (tmp_path / "a.yaml").write_text(f"tenant: a\nfence: {{style: {style}}}\n")
    assert PolicyBook.open(tmp_path, guards=book._guards).tenant("a").fence.style == style
