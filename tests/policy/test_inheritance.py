"""What a policy says once every file it builds on has had its say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from memwarden.errors import PolicyError
from memwarden.model import (
    FACT,
    PREFERENCE,
    TASK,
    Action,
    Grant,
    Influence,
    Kind,
    Mode,
    Sensitivity,
    Severity,
    Tier,
    Treatment,
)
from memwarden.policy import PolicyBook

Open = Callable[..., PolicyBook]

ALLOW, HOLD, REJECT, SKIP = Action.ALLOW, Action.HOLD, Action.REJECT, Action.SKIP
TENANT = "tenant: t\n"

CELLS = {  # as written, and the action for each tier from untrusted to authoritative
    "allow": (ALLOW, ALLOW, ALLOW, ALLOW),
    "{else: skip}": (SKIP, SKIP, SKIP, SKIP),
    "{trusted: allow, else: hold}": (HOLD, HOLD, ALLOW, ALLOW),
    "{untrusted: hold, else: allow}": (HOLD, ALLOW, ALLOW, ALLOW),
    "{trusted: hold, else: reject}": (REJECT, REJECT, HOLD, HOLD),
    "{authoritative: allow, else: hold}": (HOLD, HOLD, HOLD, ALLOW),
    "{trusted: skip, authoritative: allow, else: hold}": (HOLD, HOLD, SKIP, ALLOW),
}


@pytest.mark.parametrize("written", CELLS)
def test_a_cell_covers_every_tier(written: str, opened: Open) -> None:
    policy = opened(t=TENANT + f"kinds: {{fact: {written}}}\n").tenant("t")
    assert tuple(policy.matrix[FACT][tier] for tier in Tier) == CELLS[written]


MERGED = {  # what a base says, what a tenant says, and what that makes, by tier
    ("allow", "{untrusted: hold}"): (HOLD, ALLOW, ALLOW, ALLOW),
    ("{trusted: allow, else: hold}", "{trusted: skip}"): (HOLD, HOLD, SKIP, SKIP),
    ("{trusted: allow, else: hold}", "{derived: allow}"): (HOLD, ALLOW, ALLOW, ALLOW),
    ("{trusted: allow, else: hold}", "reject"): (REJECT, REJECT, REJECT, REJECT),
}


@pytest.mark.parametrize(("below", "above"), MERGED)
def test_a_tenant_changes_only_the_tiers_it_names(below: str, above: str, opened: Open) -> None:
    middle = f"kinds: {{fact: {below}}}\n"
    policy = opened(
        middle=middle, t=TENANT + f"extends: middle\nkinds: {{fact: {above}}}\n"
    ).tenant("t")
    assert tuple(policy.matrix[FACT][tier] for tier in Tier) == MERGED[(below, above)]


def test_a_kind_that_says_little_is_held_for_the_rest(opened: Open) -> None:
    policy = opened(t=TENANT + "kinds: {event: {derived: allow}}\n").tenant("t")
    assert [policy.matrix[Kind("event")][tier] for tier in Tier] == [HOLD, ALLOW, HOLD, HOLD]


def test_what_a_tenant_does_not_say_it_inherits(opened: Open) -> None:
    policy = opened(t=TENANT + "sources: {crm: authoritative}\n").tenant("t")
    assert policy.sources == {
        "user": Tier.TRUSTED,
        "agent": Tier.DERIVED,
        "crm": Tier.AUTHORITATIVE,
    }
    assert policy.matrix[PREFERENCE][Tier.TRUSTED] is ALLOW
    assert policy.tier_of_source("crm") is Tier.AUTHORITATIVE
    assert policy.tier_of_source("nobody knows") is Tier.UNTRUSTED


def test_lists_are_replaced_and_settings_merged(opened: Open, packs: Callable[..., object]) -> None:
    base = "guards: {sanitizer: {packs: [en, zh], threshold: 0.25, mode: observe}}\n"
    policy = opened(base=base, t=TENANT + "guards: {sanitizer: {packs: [zh]}}\n").tenant("t")
    (setting,) = policy.guards
    assert packs(setting.guard) == (("zh",), 0.25)
    assert setting.mode is Mode.OBSERVE


def test_another_use_takes_nothing_over(opened: Open) -> None:
    base = "guards: {quiet: {}, x: {use: sanitizer, threshold: 0.25, mode: observe}}\n"
    policy = opened(base=base, t=TENANT + "guards: {x: {use: quiet}}\n").tenant("t")
    assert [(s.guard.name, s.mode) for s in policy.guards] == [
        ("quiet", Mode.ENFORCE),
        ("x", Mode.ENFORCE),
    ]


def test_guards_stand_in_the_order_of_their_names_and_off_ones_not_at_all(opened: Open) -> None:
    base = "guards: {sanitizer: {}, listed: {}, quiet: {on_error: allow}}\n"
    policy = opened(base=base, t=TENANT + "guards: {sanitizer: off, listed: observe}\n").tenant("t")
    assert [(s.guard.name, s.mode, s.on_error) for s in policy.guards] == [
        ("listed", Mode.OBSERVE, HOLD),
        ("quiet", Mode.ENFORCE, ALLOW),
    ]


def test_paranoia_reaches_the_guards_that_know_it(opened: Open, level: Callable[..., int]) -> None:
    base = "paranoia: 3\nguards: {quiet: {}, sanitizer: {}, own: {use: sanitizer, paranoia: 1}}\n"
    guards = {s.guard.name: s.guard for s in opened(base=base).tenant("local").guards}
    assert level(guards["sanitizer"]) == 3
    assert level(guards["own"]) == 1


PATTERN = "{pattern: ab+c, severity: high, reason: a reason, near_misses: [abd]}"


def test_a_pattern_is_replaced_whole(opened: Open) -> None:
    middle = f"patterns: {{a.x: {PATTERN}, a.y: {PATTERN}}}\n"
    above = "patterns: {a.x: {pattern: abd, severity: low, reason: 原因}, a.y: off}\n"
    policy = opened(middle=middle, t=TENANT + "extends: middle\n" + above).tenant("t")
    custom = next(s.guard for s in policy.guards if s.guard.name == "custom")
    (rule,) = custom.patterns  # type: ignore[attr-defined]
    assert (rule.id, rule.pattern, rule.severity) == ("a.x", "abd", Severity.LOW)
    assert (rule.reason.en, rule.reason.zh) == ("原因", "原因")


def test_the_guard_of_ones_own_patterns_can_be_watched(opened: Open) -> None:
    text = TENANT + f"patterns: {{a.x: {PATTERN}}}\nguards: {{custom: observe}}\n"
    policy = opened(t=text).tenant("t")
    assert [(s.guard.name, s.mode) for s in policy.guards] == [
        ("custom", Mode.OBSERVE),
        ("quiet", Mode.ENFORCE),
    ]


def test_waivers_are_inherited_and_taken_back(opened: Open) -> None:
    middle = """
waivers:
  a: {rule: x.y, reason: a test, expires: 2027-06-30}
  b: {rule: x.z, reason: a test, expires: 2027-06-30T12:00:00+08:00, source: web}
"""
    book = opened(middle="tenant: m\n" + middle, t=TENANT + "extends: middle\nwaivers: {a: off}\n")
    first, second = book.tenant("m").waivers
    assert (first.rule, first.source) == ("x.y", "")
    assert first.expires == datetime(2027, 7, 1, tzinfo=UTC), "a date is valid to its end"
    assert second.expires == datetime(2027, 6, 30, 4, tzinfo=UTC)
    assert book.tenant("t").waivers == (second,)


def test_a_rule_can_be_a_mode_or_actions(opened: Open) -> None:
    text = """
rules:
  a.off: off
  a.watch: {mode: observe}
  a.act: {actions: {untrusted: reject, else: hold}}
"""
    rules = opened(t=TENANT + text).tenant("t").rules
    assert rules["a.off"].mode is Mode.OFF
    assert rules["a.watch"].actions is None
    assert rules["a.act"].actions is not None
    assert [rules["a.act"].actions[tier] for tier in Tier] == [REJECT, HOLD, HOLD, HOLD]


def test_entities_fall_back_on_the_default_treatment(opened: Open) -> None:
    text = """
default_treatment: mask
entities: {PERSON: {trusted: keep}}
consent: {HEALTH: {trusted: keep}, PERSON: {untrusted: keep}}
"""
    policy = opened(t=TENANT + text).tenant("t")
    keep, mask = Treatment.KEEP, Treatment.MASK
    assert policy.default_treatment is mask
    assert [policy.entities["PERSON"][tier] for tier in Tier] == [mask, mask, keep, keep]
    assert [policy.consent["HEALTH"][tier] for tier in Tier] == [mask, mask, keep, keep]
    assert [policy.consent["PERSON"][tier] for tier in Tier] == [keep, mask, keep, keep]


def test_durations(opened: Open) -> None:
    text = """
retention:
  tiers: {untrusted: 12h, derived: 2w, else: forever}
  kinds: {task: 90d, fact: forever}
"""
    policy = opened(t=TENANT + text).tenant("t")
    assert [policy.retention[tier] for tier in Tier] == [
        timedelta(hours=12),
        timedelta(weeks=2),
        None,
        None,
    ]
    assert policy.kind_retention == {TASK: timedelta(days=90)}


def test_sections_with_fixed_keys(opened: Open) -> None:
    text = """
language: zh
mode: observe
influence: {trusted: inform, else: reference}
sensitivity: {kinds: {fact: public}, entities: {PERSON: confidential}}
cut: {min_tier: authoritative}
limits: {max_text: 100, judge_seconds: 2}
fence: {style: markdown}
scrub: {min_length: 2}
read: {ceiling: internal, out_of_scope: empty}
on_refused: report
"""
    policy = opened(t=TENANT + text).tenant("t")
    assert policy.mode is Mode.OBSERVE
    assert policy.language == policy.fence.language == "zh"
    assert policy.influence[Tier.TRUSTED] is Influence.INFORM
    assert policy.influence[Tier.DERIVED] is Influence.REFERENCE
    assert policy.kind_sensitivity == {FACT: Sensitivity.PUBLIC}
    assert policy.entity_sensitivity == {"PERSON": Sensitivity.CONFIDENTIAL}
    assert policy.cut.enabled
    assert policy.cut.min_tier is Tier.AUTHORITATIVE
    assert (policy.limits.max_text, policy.limits.judge_seconds) == (100, 2.0)
    assert policy.limits.max_parts == 256
    assert policy.fence.style == "markdown"
    assert policy.scrub.min_length == 2
    assert policy.read.ceiling is Sensitivity.INTERNAL
    assert policy.read.out_of_scope == "empty"
    assert policy.on_refused == "report"


READ = """
read:
  reader: required
  audience: {crm: everyone, user: writer}
  ceilings: {marketing: public}
  with_consent: restricted
  grants:
    a: {reader: billing, of: support}
    b: {reader: desk, of: "*", namespace: [tickets, open]}
    c: {reader: nobody, of: support, enabled: false}
  honeytokens:
    payroll: {text: the payroll of 2019}
    row: {id: "17"}
"""


def test_what_a_recall_may_return_and_to_whom(opened: Open) -> None:
    read = opened(t=TENANT + READ).tenant("t").read
    assert read.reader == "required"
    assert read.shared == {"crm"}
    assert read.ceilings == {"marketing": Sensitivity.PUBLIC}
    assert read.with_consent is Sensitivity.RESTRICTED
    assert read.grants == (
        Grant("billing", "support"),
        Grant("desk", "*", ("tickets", "open")),
    )
    assert [(bait.name, bait.text, bait.id) for bait in read.honeytokens] == [
        ("payroll", "the payroll of 2019", ""),
        ("row", "", "17"),
    ]
    assert "2019" not in repr(read)


@pytest.mark.parametrize("bait", ["{}", "{text: long enough, id: x}"], ids=["neither", "both"])
def test_a_honeytoken_is_known_by_text_or_id(opened: Open, bait: str) -> None:
    with pytest.raises(PolicyError, match="by its text or by its id"):
        opened(t=TENANT + f"read: {{honeytokens: {{x: {bait}}}}}\n")


def test_a_kind_of_ones_own_carries_its_examples(opened: Open) -> None:
    examples = [f"the lease of flat {number} ends in May" for number in range(9)] + ["租约五月到期"]
    text = "kinds:\n  lease:\n    trusted: allow\n    near_misses: [a lovely flat]\n    examples:\n"
    text += "".join(f"      - {example}\n" for example in examples)
    policy = opened(t=TENANT + text).tenant("t")
    (kind,) = policy.custom_kinds
    assert kind.name == "lease"
    assert kind.examples == tuple(examples)
    assert kind.near_misses == ("a lovely flat",)
    assert "flat" not in repr(kind)
    assert policy.matrix[kind.name][Tier.TRUSTED] is ALLOW


def test_a_pattern_can_give_a_kind_of_ones_own(opened: Open) -> None:
    text = "kinds: {lease: hold}\npatterns:\n"
    text += "  a.x: {pattern: lease, severity: low, reason: r, kind: lease}\n"
    assert opened(t=TENANT + text).tenant("t").custom_kinds == ()


def test_yaml_1_1_words_mean_what_they_say(opened: Open) -> None:
    """`no` and `on` are text, and `off` is a mode."""
    text = "sources: {no: trusted, on: derived}\nguards: {sanitizer: off}\n"
    sources = opened(t=TENANT + text).tenant("t").sources
    assert sources["no"] is Tier.TRUSTED
    assert sources["on"] is Tier.DERIVED


def test_every_setting_knows_the_line_it_came_from(opened: Open) -> None:
    effective = opened(
        middle="kinds:\n  fact: hold\n  event: allow\n",
        t="extends: middle\ntenant: t\nkinds:\n  fact: {untrusted: reject}\n",
    ).effective("t")
    names = {path: place.rsplit("/", 1)[-1] for path, place in effective.origins.items()}
    assert names["kinds.fact.untrusted"] == "t.yaml:4"
    assert names["kinds.fact.trusted"] == "middle.yaml:2"
    assert names["kinds.event.trusted"] == "middle.yaml:3"
    assert names["kinds.preference.trusted"] == "base.yaml:3"
    assert names["sources.user"] == "base.yaml:4"
    assert effective.origin("limits.max_text") == "built in"
    assert [file.rsplit("/", 1)[-1] for file in effective.chain] == [
        "base.yaml",
        "middle.yaml",
        "t.yaml",
    ]
