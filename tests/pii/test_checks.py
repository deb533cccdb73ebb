"""Checksums against published numbers and against one wrong digit."""

from __future__ import annotations

import pytest

from memwarden.pii.checks import CHECKS

VALID = [
    ("cn_id18", "11010519491231002X"),
    ("cn_id18", "440524188001010014"),
    ("cn_uscc", "91110000600037341L"),
    ("tw_id", "A123456789"),
    ("tw_id", "a123456789"),
    ("hk_id", "A123456(3)"),
    ("hk_id", "AB987654(3)"),
    ("card", "4111111111111111"),
    ("card", "5500005555555559"),
    ("card", "378282246310005"),
    ("card", "6011577631711174"),
    ("luhn", "79927398713"),
    ("iban", "GB82 WEST 1234 5698 7654 32"),
    ("iban", "DE89370400440532013000"),
    ("us_ssn", "781-05-5433"),
    ("imei", "490154203237518"),
    ("base58_check", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
    ("bech32", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
]


@pytest.mark.parametrize(("check", "value"), VALID)
def test_published_numbers_pass(check: str, value: str) -> None:
    assert CHECKS[check](value)


@pytest.mark.parametrize(
    ("check", "value"), [pair for pair in VALID if pair[0] not in ("us_ssn", "ethereum")]
)
def test_one_wrong_digit_fails(check: str, value: str) -> None:
    at = max(place for place, char in enumerate(value) if char.isdigit())
    wrong = f"{value[:at]}{(int(value[at]) + 1) % 10}{value[at + 1 :]}"
    assert not CHECKS[check](wrong)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        ("cn_id18", "110105194913310021"),
        ("cn_id18", "990105194912310021"),
        ("card", "1607635102000"),
        ("card", "9787111213826"),
        ("card_13", "4006381333931"),
        ("us_ssn", "000-12-3456"),
        ("us_ssn", "123-45-6789"),
        ("ipv4", "127.0.0.1"),
        ("ipv4", "255.255.255.0"),
        ("email", "git@github.com"),
        ("email", "icon@2x.png"),
        ("coordinates", "31.2, 221.4"),
        ("mac", "00:00:00:00:00:00"),
        ("ethereum", "0x0000000000000000000000000000000000000000"),
    ],
)
def test_what_cannot_be_fails(check: str, value: str) -> None:
    assert not CHECKS[check](value)
