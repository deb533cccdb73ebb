"""Broken files beside the exact complaint: place, message, hint."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Wrong = Callable[..., list[str]]

TABLE = {
    "unknown key": (
        "entites:\n  PERSON: keep\n",
        ["t:1:1: unknown key `entites` (did you mean `entities`?)"],
    ),
    "unknown key inside a section": (
        "limits:\n  max_txt: 10\n",
        ["t:2:3: unknown key `max_txt` (did you mean `max_text`?)"],
    ),
    "unknown key with nothing like it": (
        "cut: {colour: red}\n",
        ["t:1:7: unknown key `colour` (one of: enabled, min_severity, min_tier)"],
    ),
    "unknown tier": (
        "kinds:\n  fact: {trustd: allow, else: hold}\n",
        ["t:2:10: unknown key `trustd` (did you mean `trusted`?)"],
    ),
    "wrong word": (
        "kinds:\n  fact: hodl\n",
        ["t:2:9: `hodl` is not an action (did you mean `hold`?)"],
    ),
    "wrong word under else, told once": (
        "kinds:\n  fact: {trusted: allow, else: nope}\n",
        ["t:2:32: `nope` is not an action (one of: allow, hold, redact, reject, skip)"],
    ),
    "wrong treatment": (
        "entities: {PERSON: encrypt}\n",
        [
            (
                "t:1:20: `encrypt` is not a treatment "
                "(one of: drop, hold, keep, mask, pseudonym, replace, seal)"
            )
        ],
    ),
    "an entity in lower case": (
        "entities: {person: keep}\n",
        ["t:1:12: `person` is not an entity (entities look like EMAIL_ADDRESS)"],
    ),
    "a kind with a space": (
        "kinds: {price change: hold}\n",
        ["t:1:9: `price change` is not a kind (kinds look like price_change)"],
    ),
    "unknown kind": (
        "kinds: {preferance: allow}\n",
        ["t:1:9: unknown kind `preferance` (did you mean `preference`?)"],
    ),
    "unknown kind elsewhere": (
        "sensitivity: {kinds: {facts: public}}\nretention: {kinds: {tsk: 3d}}\n",
        [
            "t:1:23: unknown kind `facts` (did you mean `fact`?)",
            "t:2:21: unknown kind `tsk` (did you mean `task`?)",
        ],
    ),
    "a kind of one's own without examples": (
        "kinds: {gossip: skip}\n",
        [
            (
                "t:1:9: unknown kind `gossip` (a kind of your own needs a line under `kinds`, "
                "and examples or a pattern that gives it)"
            )
        ],
    ),
    "too few examples": (
        "kinds:\n  gossip:\n    else: skip\n    examples: [a, b, b]\n",
        [
            (
                "t:4:5: `kinds.gossip` needs at least 10 different examples "
                "(write sentences as people would say them)"
            )
        ],
    ),
    "examples for a built-in kind": (
        "kinds:\n  fact:\n    examples: [a]\n",
        ["t:3:5: `fact` is a built-in kind and takes no examples (give your kind its own name)"],
    ),
    "yes is no boolean": (
        "cut: {enabled: yes}\n",
        [
            (
                "t:1:16: `cut.enabled` should be true or false, not text "
                "(only true and false are booleans)"
            )
        ],
    ),
    "a quoted number": (
        "limits: {max_text: '5000'}\n",
        ["t:1:20: `limits.max_text` should be a whole number, not text (remove the quotes)"],
    ),
    "a number with underscores": (
        "limits: {max_text: 65_536}\n",
        [
            (
                "t:1:20: `limits.max_text` should be a whole number, not text "
                "(write the number without `_`)"
            )
        ],
    ),
    "a fraction": (
        "limits: {max_text: 1.5}\n",
        ["t:1:20: `limits.max_text` should be a whole number, not a number"],
    ),
    "octal or decimal": (
        "limits: {max_text: 012}\n",
        [
            (
                "t:1:20: `012` is read differently by different versions of YAML "
                "(write 12 for a number, '012' in quotes for text)"
            ),
        ],
    ),
    "not finite": (
        "limits: {judge_seconds: .inf}\n",
        [
            "t:1:25: `.inf` is not a finite number (write a number, or quote it as text)",
        ],
    ),
    "out of range": (
        "paranoia: 5\nlimits: {judge_seconds: 0}\n",
        [
            "t:1:11: `paranoia` should be less than or equal to 4",
            "t:2:25: `limits.judge_seconds` should be greater than 0",
        ],
    ),
    "a time is no number": (
        "retention: {tiers: 12:30:00}\n",
        ["t:1:20: `retention.tiers` should be a duration (such as 12h, 90d, 2w, 1y, or forever)"],
    ),
    "not one of a few": (
        "mode: off\non_refused: rise\n",
        [
            "t:1:7: `mode` cannot be `off` (one of: enforce, observe)",
            "t:2:13: `on_refused` cannot be `rise` (did you mean `raise`?)",
        ],
    ),
    "a list for a mapping": (
        "sources: [user]\n",
        ["t:1:10: `sources` should be a mapping of `key: value` lines, not a list"],
    ),
    "a word for a mapping": (
        "limits: small\n",
        ["t:1:9: `limits` should be a mapping of `key: value` lines, not text"],
    ),
    "a word for a list": (
        "guards: {sanitizer: {packs: en}}\n",
        [
            (
                "t:1:29: `guards.sanitizer.packs` should be a list, not text "
                "(write it as [...] or as lines that begin with `- `)"
            )
        ],
    ),
    "nothing where something should be": (
        "kinds:\nentities:\n  PERSON:\n",
        [
            "t:1:1: `kinds` has no value (give it one, or remove the line)",
            "t:3:3: `entities.PERSON` has no value (give it one, or remove the line)",
        ],
    ),
    "nothing is no way to switch a guard off": (
        "guards:\n  quiet:\n",
        ["t:2:3: `guards.quiet` has no value (write `{}` for a guard's own settings, or `off`)"],
    ),
    "duplicate keys": (
        "mode: enforce\nkinds:\n  fact: allow\n  fact: hold\nmode: observe\n",
        [
            "t:4:3: duplicate key `fact` (it already stands in line 3)",
            "t:5:1: duplicate key `mode` (it already stands in line 1)",
        ],
    ),
    "an unstated origin cannot be raised": (
        "sources: {unstated: trusted}\n",
        ["t:1:21: an origin that nobody stated is always untrusted (remove the line)"],
    ),
    "a reserved tenant": (
        "tenant: local\n",
        [
            (
                "t:1:9: the tenant `local` is reserved: it is the base policy, "
                "for the command line (choose another name)"
            )
        ],
    ),
    "a tenant with a slash": (
        "tenant: acme/eu\n",
        ["t:1:9: the name contains U+002F; letters, digits, `-`, `_` and `.` are allowed"],
    ),
    "a tenant that is not in normal form": (
        "tenant: cafe\u0301\n",
        ["t:1:9: the name is not in Unicode normal form C"],
    ),
    "a waiver for ever and for no reason": (
        "waivers:\n  w: {rule: a.b}\n",
        [
            "t:2:3: `waivers.w` needs `expires` (add `expires:`)",
            "t:2:3: `waivers.w` needs `reason` (add `reason:`)",
        ],
    ),
    "a waiver that ends some time": (
        (
            "waivers:\n  w: {rule: a.b, reason: because, expires: soon}\n"
            "  v: {rule: a.b, reason: because, expires: 2027-01-01T12:00:00}\n"
        ),
        [
            (
                "t:2:44: `waivers.w.expires` should be a date "
                "(such as 2027-06-30, or 2027-06-30T12:00:00+08:00)"
            ),
            (
                "t:3:44: `waivers.v.expires` is a time without an offset "
                "(add Z, or an offset such as +08:00)"
            ),
        ],
    ),
    "actions with a gap": (
        "rules:\n  a.b:\n    actions: {trusted: allow}\n",
        [
            (
                "t:3:5: `rules.a.b.actions` does not say what happens for untrusted, derived "
                "(add `else:`)"
            )
        ],
    ),
    "an unknown guard": (
        "guards: {sanitiser: {}}\n",
        ["t:1:10: no guard `sanitiser` is installed (did you mean `sanitizer`?)"],
    ),
    "an unknown use": (
        "guards: {x: {use: quit}}\n",
        ["t:1:19: no guard `quit` is installed (did you mean `quiet`?)"],
    ),
    "a guard's own settings": (
        (
            "guards:\n  sanitizer:\n    paranoa: 3\n    threshold: '0.4'\n    strict: on\n"
            "    floor: hgh\n    by_tier: {trusted: 1, untrustd: 2}\n    window: 3 days\n"
        ),
        [
            "t:3:5: unknown key `paranoa` (did you mean `paranoia`?)",
            "t:4:16: `guards.sanitizer.threshold` should be a number, not text (remove the quotes)",
            (
                "t:5:13: `guards.sanitizer.strict` should be true or false, not text "
                "(only true and false are booleans)"
            ),
            "t:6:12: `hgh` is not a severity (did you mean `high`?)",
            "t:7:27: `untrustd` is not a tier (did you mean `untrusted`?)",
            (
                "t:8:13: `guards.sanitizer.window` should be a duration "
                "(such as 12h, 90d, 2w, 1y, or forever)"
            ),
        ],
    ),
    "settings that the guard itself refuses": (
        "guards:\n  sanitizer: {threshold: 7}\n",
        [
            (
                "t:2:3: the guard `sanitizer` refuses its settings: threshold is between 0 and 1 "
                "(ValueError)"
            )
        ],
    ),
    "a class that is no guard": (
        "guards:\n  thawed: {}\n",
        ["t:2:3: the guard `thawed` is not frozen (see docs/policy.md)"],
    ),
    "no guard at all": (
        "guards: {quiet: off}\n",
        [
            (
                "t:1:1: no guard is switched on, so every write would be held "
                "(name guards under `guards:`, or `extends: base`)"
            )
        ],
    ),
    "a setting for a guard that takes none": (
        "guards: {quiet: {use: listed, name: x}}\n",
        ["t:1:31: unknown key `name` (it takes no settings)"],
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_every_mistake_has_its_place_and_a_hint(name: str, wrong: Wrong) -> None:
    text, expected = TABLE[name]
    assert wrong(t=text) == expected


def test_rules_are_checked_where_every_guard_lists_its_own(wrong: Wrong) -> None:
    base = "guards: {listed: {}}\n"
    text = (
        "rules: {en.overide.ignore: off}\n"
        "waivers: {w: {rule: zh.x, reason: r, expires: 2027-01-01}}\n"
    )
    assert wrong(base=base, t=text) == [
        "t:1:9: no guard has a rule `en.overide.ignore` (did you mean `en.override.ignore`?)",
        "t:2:21: no guard has a rule `zh.x`",
    ]
    assert wrong(base=base, t="rules: {en.override.ignore: off, listed.failed: observe}\n") == []


def test_rules_of_guards_that_list_nothing_are_taken_on_trust(wrong: Wrong) -> None:
    assert wrong(t="rules: {anything.at.all: off}\n") == []
