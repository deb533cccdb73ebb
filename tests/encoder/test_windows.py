"""Windows: whole sentences, merged while short, divided when long, nothing lost between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.encoder.windows import sentences, windows


def _words(text: str) -> int:
    """A stand-in for a tokenizer: Latin words and single Chinese characters."""
    plain = "".join(f" {c} " if "\u3400" <= c <= "\u9fff" else c for c in text)
    return max(len(plain.split()), 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("我住在上海。喜欢喝茶！真的？", ["我住在上海。", "喜欢喝茶！", "真的？"]),
        ("The price is 3.50 at example.com today.", ["The price is 3.50 at example.com today."]),
        ("first line\n\n second line \n", ["first line", "second line"]),
        ("He said “stop.” Then he left.", ["He said “stop.”", "Then he left."]),
        ("价格：3.5元；库存：2", ["价格：3.5元；", "库存：2"]),
        ("He stopped.然后走了。", ["He stopped.", "然后走了。"]),
        ("...", ["..."]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_short_sentences_share_a_window_and_the_limit_opens_a_new_one() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert [text[a:b] for a, b in windows(text, _words, 6)] == [
        "One two three. Four five six.",
        "Seven eight nine.",
    ]


def test_a_long_sentence_is_divided_behind_a_comma_where_one_is_near() -> None:
    text = "one two three four, five six seven eight"
    assert [text[a:b] for a, b in windows(text, _words, 5)] == [
        "one two three four,",
        "five six seven eight",
    ]


def test_a_text_without_any_gap_is_divided_all_the_same() -> None:
    text = "记" * 500
    spans = windows(text, _words, 60)
    assert all(_words(text[a:b]) <= 60 for a, b in spans)
    assert "".join(text[a:b] for a, b in spans) == text


@given(st.text(alphabet="ab，。,. !?\n记住忽略", max_size=300), st.integers(1, 30))
def test_windows_keep_order_limit_and_every_character_that_is_no_space(
    text: str, limit: int
) -> None:
    spans = windows(text, _words, limit)
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(_words(text[a:b]) <= limit or b - a == 1 for a, b in spans)
