"""Files that cannot be read, chains that lead nowhere, and many mistakes at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.errors import PolicyError
from memwarden.policy import GivenGuards, PolicyBook

Wrong = Callable[..., list[str]]

FILES = {
    "empty": ("", ["t:1:1: the file is empty (start with `extends: base`)"]),
    "only a comment": ("# hm\n", ["t:1:1: the file is empty (start with `extends: base`)"]),
    "a list": ("- a\n", ["t:1:1: the file should be a mapping of `key: value` lines"]),
    "two documents": (
        "mode: observe\n---\nmode: enforce\n",
        ["t:2:1: a second document begins here (use one file each)"],
    ),
    "a tab": (
        "kinds:\n\tfact: allow\n",
        [
            (
                "t:2:1: not readable as YAML: found character that cannot start any token "
                "(indent with spaces, and quote a value that begins with @, ` or %)"
            )
        ],
    ),
    "a colon too many": (
        "mode: observe: enforce\n",
        [
            (
                "t:1:14: not readable as YAML: mapping values are not allowed in this context "
                "(quote a value that contains `: `)"
            )
        ],
    ),
    "a NUL": ("mode: \0\n", ["t:1:7: the character U+0000 is not allowed in YAML (remove it)"]),
    "an escape": (
        "# ok\nmode: ob\x1bserve\n",
        ["t:2:9: the character U+001B is not allowed in YAML (remove it)"],
    ),
    "a merge key": (
        "x: &x {fact: allow}\nkinds:\n  <<: *x\n",
        [
            "t:1:1: unknown key `x`",
            "t:3:3: merge keys (`<<`) are not supported (use `extends`)",
        ],
    ),
    "a tag": (
        "mode: !!python/object:os.system x\n",
        [
            "t:1:7: the tag `!!python/object:os.system` is not supported (remove it)",
        ],
    ),
    "an alias to nothing": (
        "mode: *m\n",
        ["t:1:7: `*m` names no anchor (define `&m` before it)"],
    ),
    "an alias inside itself": (
        "kinds: &k\n  fact: *k\n",
        ["t:2:9: `*k` refers to itself (write the value out)"],
    ),
    "a mapping as a key": (
        "? {a: b}\n: c\n",
        ["t:1:3: a list or mapping cannot be a key (write plain text)"],
    ),
    "too deep": (
        "mode: " + "[" * 40 + "]" * 40,
        ["t:1:22: nested deeper than 16 levels (flatten it)"],
    ),
    "far too deep": (
        "mode: " + "[" * 200,
        ["t:1:22: nested deeper than 16 levels (flatten it)"],
    ),
    "a billion laughs": (
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]\n"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        ["t:5:20: the file unfolds to more than 50000 values (shorten it)"],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_policy_at_all_says_why(name: str, wrong: Wrong) -> None:
    text, expected = FILES[name]
    assert wrong(t=text) == expected


def test_aliases_are_fine_in_moderation(wrong: Wrong) -> None:
    assert wrong(t="kinds:\n  fact: &open {trusted: allow, else: hold}\n  event: *open\n") == []


def test_a_file_that_is_not_utf_8(tmp_path: Path, guards: GivenGuards) -> None:
    (tmp_path / "t.yaml").write_bytes("mode: enforce\n# 中文\n".encode("gbk"))
    with pytest.raises(PolicyError) as caught:
        PolicyBook.open(tmp_path / "t.yaml", guards=guards)
    assert "t.yaml:2:1: the file is not UTF-8 text (save it as UTF-8)" in str(caught.value)


def test_a_file_that_is_too_large(tmp_path: Path, guards: GivenGuards) -> None:
    (tmp_path / "t.yaml").write_text("# " + "x" * 1_048_576)
    with pytest.raises(PolicyError) as caught:
        PolicyBook.open(tmp_path / "t.yaml", guards=guards)
    assert "t.yaml:1:1: the file is larger than 1048576 bytes" in str(caught.value)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path, wrong: Wrong) -> None:
    assert wrong(t="\ufeffmode: observe\n") == []


def test_all_mistakes_of_all_files_are_told_together_and_sorted(wrong: Wrong) -> None:
    assert wrong(
        b="extends: nowhere\ntenant: b\n",
        a="tenant: b\nkinds: {fact: hodl}\nguards: {sanitizer: {paranoa: 1}}\n",
        c="mode: [\n",
    ) == [
        "a:2:15: `hodl` is not an action (did you mean `hold`?)",
        "a:3:22: unknown key `paranoa` (did you mean `paranoia`?)",
        "b:1:10: `extends` names no file: `nowhere.yaml` (one of: a, base, bundled)",
        "b:2:9: the tenant `b` already has a policy (it is a.yaml)",
        (
            "c:2:1: not readable as YAML: did not find expected node content "
            "(while parsing a flow node)"
        ),
    ]


def test_a_mistake_in_a_base_is_told_once_however_many_build_on_it(wrong: Wrong) -> None:
    base = "guards: {sanitizer: {paranoa: 1}}\n"
    assert wrong(base=base, a="tenant: a\n", b="tenant: b\n") == [
        "base:1:22: unknown key `paranoa` (did you mean `paranoia`?)"
    ]


CHAINS = {
    "a circle": (
        {"a": "extends: b\ntenant: a\n", "b": "extends: a\n"},
        [
            "a:1:10: `extends` goes in a circle: b -> a -> b (break it)",
            "b:1:10: `extends` goes in a circle: a -> b -> a (break it)",
        ],
    ),
    "itself": (
        {"a": "extends: a\n"},
        ["a:1:10: `extends` goes in a circle: a -> a (break it)"],
    ),
    "a slip of the pen": (
        {"a": "extends: bse\n"},
        ["a:1:10: `extends` names no file: `bse.yaml` (did you mean `base`?)"],
    ),
    "a path": (
        {"a": "extends: ../base\n"},
        ["a:1:10: the name begins with `.`"],
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_that_leads_nowhere_says_so(name: str, wrong: Wrong) -> None:
    files, expected = CHAINS[name]
    assert wrong(**files) == expected


def test_two_endings_for_one_name(tmp_path: Path, guards: GivenGuards, wrong: Wrong) -> None:
    (tmp_path / "a.yml").write_text("mode: observe\n")
    assert wrong(a="mode: observe\n") == [
        "a.yml:1:1: a.yaml has the same name but for its ending (keep one of them)"
    ]


def test_the_shipped_base_keeps_its_name(wrong: Wrong) -> None:
    assert wrong(bundled="mode: observe\n") == [
        "bundled:1:1: the name `bundled` is reserved (give the file another name)"
    ]
