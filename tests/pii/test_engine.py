"""The engine's own promises: linear, complete on long hostile text, blind to nothing at the end."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.pii import Search, detect
from memwarden.pii.engine import entropy
from memwarden.pii.found import Found
from memwarden.pii.overlap import settle

NO_NAMES = Search(names=False)
LENGTH = 40_000
LOTS = random.Random(7)
FLOODS = {
    "digits": "1" * LENGTH,
    "phones": "13812345678 " * (LENGTH // 12),
    "numerals": "一三八" * (LENGTH // 3),
    "addresses": "北京市朝阳区建国路88号" * (LENGTH // 13),
    "mixed": "".join(LOTS.choice("0123456789abcdefABC +-@.()张路号") for _ in range(LENGTH)),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_what_stands_behind_a_flood_is_found(flood: str) -> None:
    text = FLOODS[flood] + " ; my SSN is 781-05-5433 and mail zhang@x.com ."
    found = {text[one.start : one.end] for one in detect(text, NO_NAMES)}
    assert {"781-05-5433", "zhang@x.com"} <= found


@settings(deadline=None)
@given(st.text(alphabet="0123456789-+() .xX@abcAB张路号市电话\n", max_size=120))
def test_finds_never_overlap_and_stay_inside(text: str) -> None:
    last = 0
    for one in detect(text):
        assert last <= one.start < one.end <= len(text)
        last = one.end


finds = st.builds(
    lambda start, length, score, soft, kind: Found(
        kind, f"r.{kind}", start, start + length, score, soft
    ),
    st.integers(0, 40),
    st.integers(1, 20),
    st.sampled_from([0.3, 0.5, 0.7, 0.9]),
    st.booleans(),
    st.sampled_from(["PERSON", "PHONE_NUMBER", "EMAIL_ADDRESS", ""]),
)


@given(st.lists(finds, max_size=12))
def test_settling_depends_on_no_order_and_loses_no_part_of_a_hard_value(found: list[Found]) -> None:
    settled = settle(found, 0.5)
    assert settled == settle(list(reversed(found)), 0.5)
    covered = {at for one in settled for at in range(one.start, one.end)}
    shields = {at for one in found if not one.entity for at in range(one.start, one.end)}
    for one in found:
        if one.entity and not one.soft and one.score >= 0.5:
            places = set(range(one.start, one.end))
            assert places & shields or places <= covered


def test_entropy_tells_words_from_keys() -> None:
    assert entropy("aaaaaaaa") == 0.0
    assert entropy("abcdefgh") == 3.0
