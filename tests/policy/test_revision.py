"""The revision names what decides, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden.policy import GivenGuards, PolicyBook, effective
from memwarden.testing.still_guard import StillGuard

Open = Callable[..., PolicyBook]

FULL = """\
tenant: t
mode: enforce
paranoia: 2
sources: {user: trusted, web: untrusted, crm: authoritative}
guards: {sanitizer: {threshold: 0.25, packs: [en, zh], mode: observe}, quiet: {}}
severities: {info: allow, critical: {trusted: hold, else: reject}}
kinds: {fact: allow, task: {trusted: allow, else: hold}, other: skip}
rules: {a.b: off, c.d: {actions: {untrusted: reject, else: hold}}}
entities: {PERSON: keep, EMAIL_ADDRESS: {trusted: seal, else: hold}}
retention: {tiers: {untrusted: 30d, else: forever}, kinds: {task: 90d}}
limits: {max_text: 500, max_parts: 5}
patterns: {a.x: {pattern: abc, severity: low, reason: r}}
waivers: {w: {rule: a.x, reason: because, expires: 2027-01-01}}
"""

SAME = {
    "a tier that was covered anyway": (
        "kinds: {fact: allow",
        "kinds: {fact: {trusted: allow, else: allow}",
    ),
    "a default spelt out": ("mode: enforce", "mode: enforce\non_refused: raise"),
    "another tenant": ("tenant: t", "tenant: u"),
    "a comment": ("tenant: t", "# hello\ntenant: t"),
    "quotes": ("fact: allow", '"fact": "allow"'),
    "a duration in another unit": ("30d", "720h"),
}
DIFFERENT = {
    "one cell": ("fact: allow", "fact: {untrusted: hold, else: allow}"),
    "the mode": ("mode: enforce", "mode: observe"),
    "paranoia": ("paranoia: 2", "paranoia: 3"),
    "a guard's setting": ("threshold: 0.25", "threshold: 0.5"),
    "a guard's mode": ("mode: observe}", "mode: enforce}"),
    "the order of a list": ("[en, zh]", "[zh, en]"),
    "a source": ("web: untrusted", "web: derived"),
    "a pattern": ("pattern: abc", "pattern: abd"),
    "a reason that reviewers see": ("reason: r}", "reason: s}"),
    "the end of a waiver": ("2027-01-01", "2027-01-02"),
    "a limit": ("max_text: 500", "max_text: 501"),
    "a rule": ("a.b: off", "a.b: observe"),
}


def _revision(opened: Open, text: str) -> str:
    book = opened(t=text)
    return book.tenant(book.tenants[0]).revision


@pytest.mark.parametrize("name", SAME)
def test_what_decides_alike_has_one_revision(name: str, opened: Open) -> None:
    old, new = SAME[name]
    assert old in FULL
    assert _revision(opened, FULL.replace(old, new)) == _revision(opened, FULL)


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_decides_otherwise_has_another(name: str, opened: Open) -> None:
    old, new = DIFFERENT[name]
    assert old in FULL
    assert _revision(opened, FULL.replace(old, new)) != _revision(opened, FULL)


@given(lines=st.permutations(FULL.splitlines()))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_order_of_keys_does_not_matter(lines: list[str], opened: Open) -> None:
    assert _revision(opened, "\n".join(lines)) == _revision(opened, FULL)


@given(above=st.sets(st.integers(1, len(FULL.splitlines()) - 1)))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_it_does_not_matter_which_file_says_it(above: set[int], opened: Open) -> None:
    """Any split of the settings between a layer and the tenant makes the same policy."""
    lines = FULL.splitlines()
    middle = "\n".join(line for at, line in enumerate(lines) if at > 0 and at not in above)
    tenant = "\n".join(["tenant: t", "extends: middle", *(lines[at] for at in sorted(above))])
    book = opened(middle=middle or "mode: enforce", t=tenant)
    assert book.tenant("t").revision == _revision(opened, FULL)


@dataclass(frozen=True, slots=True)
class Packed(StillGuard):
    name: str = "packed"
    version: str = "1"

    @property
    def fingerprint(self) -> str:
        return f"pack-{PACK['version']}"


PACK = {"version": "1"}


def test_another_rule_pack_is_another_revision(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("guards: {packed: {}}\n")
    book = PolicyBook.open(tmp_path, guards=GivenGuards({"packed": Packed}))
    before = book.tenant("local").revision
    PACK["version"] = "2"
    book.reload()
    assert book.tenant("local").revision != before


def test_it_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Sets are sorted: the order in which Python walks them changes from process to process."""
    (tmp_path / "base.yaml").write_text(
        "guards: {g: {use: 'holder:Holder', words: [a, b, c, d, e, f, g, h]}}\n"
    )
    (tmp_path / "holder.py").write_text(
        "from dataclasses import dataclass\n"
        "from memwarden.testing.still_guard import StillGuard\n"
        "@dataclass(frozen=True)\n"
        "class Holder(StillGuard):\n"
        "    words: frozenset[str] = frozenset()\n"
    )
    show = (
        "from memwarden.policy import PolicyBook\n"
        "print(PolicyBook.open('.').tenant('local').revision)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", show],
            cwd=tmp_path,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(seen) == 1
    assert len(seen.pop().strip()) == 64


def test_the_effective_policy_is_json(opened: Open) -> None:
    shown = json.loads(json.dumps(effective(opened(t=FULL).tenant("t"))))
    assert shown["matrix"]["task"]["trusted"] == "allow"
    assert shown["retention"]["untrusted"] == 2_592_000.0
    assert [guard["name"] for guard in shown["guards"]] == ["custom", "quiet", "sanitizer"]
    assert shown["guards"][2]["settings"]["packs"] == ["en", "zh"]
