"""Public bug reports of other redactors, replayed: what they missed or mangled must hold here."""

from __future__ import annotations

import json

import pytest

from memwarden.pii import Search, detect

NO_NAMES = Search(names=False)


def values(text: str, search: Search = NO_NAMES) -> list[tuple[str, str]]:
    return [(one.entity, text[one.start : one.end]) for one in detect(text, search)]


def test_competing_labels_become_one_finding_with_the_best_score() -> None:
    """presidio#47"""
    assert values("6011577631711174") == [("CREDIT_CARD", "6011577631711174")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1234-5678-1234-5678", []),
        ("my credit card account is 1234-5678-1234-5678", ["1234-5678-1234-5678"]),
    ],
)
def test_a_card_that_fails_luhn_needs_its_context(text: str, found: list[str]) -> None:
    """presidio#1048"""
    assert [value for _, value in values(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "110bcd25-a55d-453a-8046-1297901ea002",  # presidio#71
        "1607635102.00 -0.96",  # presidio#786
        "6033391",  # presidio#1173
        "duplicate 781055433",  # presidio PR#1827: `lic` is not in duplicate
        "order 19112345678001122334",
    ],
)
def test_what_only_looks_like_a_value_is_left_alone(text: str) -> None:
    assert values(text, Search()) == []


def test_a_log_line_holds_nothing_but_its_address() -> None:
    """presidio#1173"""
    line = "read_physical_netif eth0 9.22.22.222"
    assert values(line, Search()) == [("IP_ADDRESS", "9.22.22.222")]


def test_an_overlap_leaves_no_half_of_a_value_behind() -> None:
    """presidio#886"""
    text = "4151 3217 6243 3448.com"
    found = detect(text, NO_NAMES)
    rest = text
    for one in reversed(found):
        rest = rest[: one.start] + rest[one.end :]
    assert not any(char.isdigit() for char in rest)


def test_every_one_of_several_addresses_is_found() -> None:
    """presidio#1925"""
    assert len(values("one@a.com two@b.com three@c.com")) == 3


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("身分證字號a123456789", "TW_ID"),  # presidio#2065: a lower-case prefix
        ("香港身份證A123456(3)", "HK_ID"),
        ("澳門身份證1234567(8)", "MO_ID"),
        ("mail anna@bücher.example", "EMAIL_ADDRESS"),  # presidio PR#2077
        ("mail info@xn--bcher-kva.example", "EMAIL_ADDRESS"),
        ("alice@\u200bexample.com", "EMAIL_ADDRESS"),  # RPBLC DAM#12
        ("手机13812345678", "PHONE_NUMBER"),  # openmed#1480
        ("护照E12345678", "CN_PASSPORT"),
        ("回乡证H12345678", "CN_TRAVEL_PERMIT"),
        ("身份证11010519491231002x", "CN_ID_CARD"),
        ("19112345678", "PHONE_NUMBER"),  # LLM Guard: the 191 range
        ("key retaindb_a1B2c3D4e5F6g7H8i9J0", "SECRET"),  # hermes PR#5058
        ("key hsk-a1B2c3D4e5F6g7H8i9J0", "SECRET"),
        ("key mem0_a1B2c3D4e5F6g7H8i9J0", "SECRET"),
        ("key brv_a1B2c3D4e5F6g7H8i9J0", "SECRET"),
        ("12 Main Street, Springfield, IL 62704", "ADDRESS"),  # presidio#42
        ("浙江省杭州市西湖区文三路477号", "ADDRESS"),  # presidio#752
    ],
)
def test_what_others_missed_is_found(text: str, entity: str) -> None:
    assert [name for name, _ in values(text)] == [entity]


def test_digits_do_not_join_across_cells_or_lines() -> None:
    """openmed#1480, alcatraz PR#37"""
    assert values("数量\t138\t1234\t5678") == []
    assert values("138\n1234\n5678") == []
    assert values("1381234\n5678") == []


def test_eleven_digits_inside_an_identity_number_are_no_phone() -> None:
    """LLM Guard's Chinese phone pattern"""
    assert values("11010519491231002X") == [("CN_ID_CARD", "11010519491231002X")]


def test_prose_gives_a_secret_away_without_a_known_prefix() -> None:
    """n8n PR#34622: the value goes, the credential's id stays"""
    text = "API Key Kq8ZxT72mLpR0vWc for credential id 4711"
    assert values(text) == [("SECRET", "Kq8ZxT72mLpR0vWc")]


def test_a_digest_document_neither_crashes_nor_breaks() -> None:
    """llm-guard#147"""
    document = {
        "awsAccountId": "111122223333",
        "digestStartTime": "2015-08-17T14:01:31Z",
        "digestS3Object": "AWSLogs/111122223333/CloudTrail-Digest/us-east-2/x.json.gz",
        "previousDigestHashValue": "97fb791cf91ffc440d274f8190dbdd9a" * 2,
        "digestPublicKeyFingerprint": "31e8b5433410dfb61a9dc45cc65b22ff",
        "logFiles": [],
    }
    text = json.dumps(document)
    out = text
    for one in reversed(detect(text)):
        out = f"{out[: one.start]}<{one.entity}>{out[one.end :]}"
    assert json.loads(out).keys() == document.keys()
