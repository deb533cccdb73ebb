"""When two memories say the same: literally, or not at all. The pairs stand in the data file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.warden.recall.claims import claim_of, data, same_claim, words


@pytest.mark.parametrize("pair", data()["same"], ids=str)
def test_the_same_claim(pair):
    one, other = map(claim_of, pair)
    assert same_claim(one, other)
    assert same_claim(other, one)


@pytest.mark.parametrize("pair", data()["different"], ids=str)
def test_another_claim(pair):
    one, other = map(claim_of, pair)
    assert not same_claim(one, other)
    assert not same_claim(other, one)


def test_no_word_is_both_empty_and_telling():
    lists = words()
    assert not lists.fillers & lists.negations
    assert all(isinstance(word, str) and word for word in lists.fillers | lists.negations)
    assert {"no", "不"} <= lists.negations


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(one, other):
    first, second = claim_of(one), claim_of(other)
    assert same_claim(first, second) == same_claim(second, first)
    assert same_claim(first, first) == (first is not None)
