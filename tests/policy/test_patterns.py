"""Patterns of a tenant's own: what RE2 cannot match in linear time is refused when it is loaded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Wrong = Callable[..., list[str]]

HEAD = "patterns:\n  a.x:\n    severity: high\n    reason: a reason\n"

TABLE = {
    "look-ahead": (
        "(?=x)y",
        (
            "5:14: the pattern cannot be used: invalid perl operator: (?= (look-around cannot be "
            "matched in linear time; use near_misses and whole_words)"
        ),
    ),
    "look-behind": (
        "(?<!x)y",
        (
            "5:14: the pattern cannot be used: invalid perl operator: (?<! (look-around "
            "cannot be matched in linear time; use near_misses and whole_words)"
        ),
    ),
    "a back-reference": (
        r"(a)\1",
        (
            r"5:14: the pattern cannot be used: invalid escape sequence: \1 "
            "(back-references cannot be matched in linear time)"
        ),
    ),
    "a repetition of repetitions": (
        "((a{1,100}){1,100}){1,100}",
        (
            "5:14: the pattern cannot be used: invalid repetition size: {1,100} "
            "(repeat fewer times: at most 1000, and not a repetition inside another)"
        ),
    ),
    "a program too large": (
        r"(\pL{1,500}){2}x{1,1000}",
        (
            "5:14: the pattern cannot be used: pattern too large - compile failed (repeat fewer "
            "times: at most 1000, and not a repetition inside another)"
        ),
    ),
    "an open bracket": (
        "[a",
        "5:14: the pattern cannot be used: missing ]: [a (the syntax is that of RE2)",
    ),
    "a word boundary": (
        r"\bfoo\b",
        r"5:14: `\b` is wrong beside Chinese text (use `whole_words: true`)",
    ),
    "the empty text": (
        "(a|b)*",
        "5:14: the pattern matches the empty text, and so everything (make some of it required)",
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_pattern_that_cannot_be_used_is_a_mistake(name: str, wrong: Wrong) -> None:
    pattern, expected = TABLE[name]
    assert wrong(t=f"{HEAD}    pattern: '{pattern}'\n") == [f"t:{expected}"]


GOOD = [
    r"(a+)+$x",  # catastrophic for an engine that backtracks, and linear here
    r"\\bin",  # a backslash, and then the word
    r"\p{Han}{2,4}银行",
    r"(?i)total|合计",
    r"AC-\d{8}",
]


@pytest.mark.parametrize("pattern", GOOD)
def test_a_pattern_that_re2_takes_is_fine(pattern: str, wrong: Wrong) -> None:
    assert wrong(t=f"{HEAD}    pattern: '{pattern}'\n") == []


def test_the_examples_of_a_pattern_are_tried(wrong: Wrong) -> None:
    text = f"""{HEAD}    pattern: 'XH\\d{{8}}'
    whole_words: true
    examples:
      - 客户号XH20260117已开通
      - 客户号ＸＨ２０２６０１１７已开通
      - xh20260117
      - XH2026
    near_misses: [MXH20260117, XH20260117]
"""
    assert wrong(t=text) == [
        "t:11:9: this text is not matched by `patterns.a.x` (change the pattern or the text)",
        "t:12:32: this text is matched by `patterns.a.x` (change the pattern or the text)",
    ]


def test_case_counts_where_it_is_said_to(wrong: Wrong) -> None:
    text = f"{HEAD}    pattern: ACME\n    case_sensitive: true\n    near_misses: [acme]\n"
    assert wrong(t=text) == []


def test_an_incomplete_pattern(wrong: Wrong) -> None:
    assert wrong(t="patterns: {a.x: {pattern: a, reason: {}}}\n") == [
        "t:1:12: `patterns.a.x` needs `severity` (add `severity:`)",
    ]
    assert wrong(t="patterns: {a.x: {pattern: a, severity: low, reason: {}}}\n") == [
        "t:1:45: `patterns.a.x` needs a reason (write a sentence that a reviewer understands)",
    ]


def test_a_pattern_gives_a_kind_that_exists(wrong: Wrong) -> None:
    text = f"{HEAD}    pattern: abc\n    kind: price_chnge\n"
    assert wrong(t=text) == ["t:6:11: unknown kind `price_chnge` (did you mean `price_change`?)"]
