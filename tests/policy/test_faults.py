"""Whatever is in a policy file: a policy, or a PolicyError that says where. Nothing else."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden.errors import PolicyError
from memwarden.policy import PolicyBook

Open = Callable[..., PolicyBook]

_calm = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
LINES = """\
tenant: t
extends: base
mode: observe
paranoia: 2
sources: {user: trusted, unstated: untrusted}
guards: {sanitizer: {threshold: 0.25, packs: [en, zh], by_tier: {trusted: 1}}, quiet: off}
severities: {info: allow, critical: {trusted: hold, else: reject}}
kinds: {fact: allow, task: {trusted: allow, else: hold}, own: {examples: [a], else: hold}}
rules: {a.b: off, c.d: {actions: {untrusted: reject, else: hold}}}
entities: {PERSON: keep, EMAIL_ADDRESS: {trusted: seal, else: hold}}
retention: {tiers: {untrusted: 30d, else: forever}, kinds: {task: 90d}}
limits: {max_text: 500, judge_seconds: 1.5}
patterns: {a.x: {pattern: 'a[bc]+', severity: low, reason: {en: r, zh: 原因}, kind: own}}
waivers: {w: {rule: a.x, reason: because, expires: 2027-01-01}}
sensitivity: {kinds: {fact: public}}
read: {ceiling: internal, max_origin_share: 0.5}
""".splitlines()
SYNTAX = [": ", "{", "}", "[", "]", "\n", "  ", "- ", "*a", "&a ", "!x ", "<<", "|", "'", '"', "#"]
SCALARS = ["~", "off", "true", "012", "1e999", "-1", "9" * 30, "9999-12-31", "999999y", "(?=", "\\"]
CHARACTERS = ["else", "trusted", "\t", "中", "\u2028", "\ufeff", "\x85", "e\u0301"]
PIECES = st.sampled_from([*SYNTAX, *SCALARS, *CHARACTERS])


def _only_policy_errors(opened: Open, text: str) -> None:
    try:
        book = opened(t=text)
    except PolicyError as error:
        mistakes = error.mistakes
        assert mistakes, "an error without a mistake"
    else:
        mistakes = ()
        assert all(len(book.tenant(tenant).revision) == 64 for tenant in book.tenants)
    for mistake in mistakes:
        assert mistake.line >= 1
        assert mistake.column >= 1
        assert len(str(mistake)) < 1_000


@given(text=st.text(max_size=200))
@_calm
def test_any_text(text: str, opened: Open) -> None:
    _only_policy_errors(opened, text.encode("utf-8", "replace").decode())


@given(pieces=st.lists(st.one_of(PIECES, st.sampled_from(LINES)), max_size=12))
@_calm
def test_any_soup_of_yaml(pieces: list[str], opened: Open) -> None:
    _only_policy_errors(opened, "".join(pieces))


@given(data=st.data())
@_calm
def test_any_policy_with_a_slip(data: st.DataObject, opened: Open) -> None:
    text = "\n".join(data.draw(st.permutations(LINES)))
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 12)))
    _only_policy_errors(opened, text[:start] + data.draw(PIECES) + text[end:])


VALUES = st.recursive(
    st.sampled_from(["1", "-1", "1.5", "true", "off", "''", "allow", "keep", "forever", "a b"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(
            st.sampled_from(["trusted", "else", "x", "use", "kinds"]), inner, max_size=3
        ).map(lambda items: "{" + ", ".join(f"{k}: {v}" for k, v in items.items()) + "}"),
    ),
    max_leaves=6,
)
KEYS = sorted(
    {line.split(":")[0] for line in LINES} | {"fence", "scrub", "cut", "consent", "influence"}
)


@given(key=st.sampled_from(KEYS), value=VALUES)
@_calm
def test_any_value_under_any_key(key: str, value: str, opened: Open) -> None:
    _only_policy_errors(opened, f"{key}: {value}\n")
