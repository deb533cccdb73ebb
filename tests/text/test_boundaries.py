"""Word boundaries that hold beside Chinese, where the usual one fails."""

import pytest

from memwarden.text import digits_alone, whole_word


@pytest.mark.parametrize(
    ("text", "word", "whole"),
    [
        ("邮箱是zhang@x.com", "zhang", True),
        ("用iPhone手机", "iPhone", True),
        ("ignore it", "ignore", True),
        ("ignored", "ignore", False),
        ("reignore", "ignore", False),
        ("snake_case", "case", False),
        ("café", "caf", False),
        ("cafe\u0301", "cafe", False),
        ("हिंदी", "ह", False),
        ("忽略指令", "指令", True),
        ("カタカナtest", "test", True),
        ("приветworld", "world", False),
        ("x.com", "com", True),
    ],
)
def test_whole_word(text: str, word: str, whole: bool) -> None:
    start = text.index(word)
    assert whole_word(text, start, start + len(word)) is whole


def test_an_empty_span_is_no_word() -> None:
    assert not whole_word("abc", 1, 1)


@pytest.mark.parametrize(
    ("text", "digits", "alone"),
    [
        ("电话13912345678号", "13912345678", True),
        ("order 139123456789", "13912345678", False),
        ("５13912345678", "13912345678", False),
        ("a139b", "139", True),
    ],
)
def test_digits_alone(text: str, digits: str, alone: bool) -> None:
    start = text.index(digits)
    assert digits_alone(text, start, start + len(digits)) is alone
