"""Records are written in RFC 8785's canonical JSON, to the byte."""

from __future__ import annotations

import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from memwarden.errors import UsageError
from memwarden.ledger.canonical import canonical_text, record_bytes, utf8

texts = st.text(st.characters(exclude_categories=("Cs",)))
names = st.text(st.characters(max_codepoint=127), max_size=12)
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=5),
    max_leaves=25,
)


@given(values)
def test_our_fast_writer_agrees_with_rfc_8785(value):
    assert utf8(canonical_text(value)) == rfc8785.dumps(value)


@given(texts, st.integers(0, 2**40), numbers, st.dictionaries(names, texts, max_size=3))
def test_a_whole_record_is_canonical(tenant, seq, at, body):
    prev = bytes(range(32))
    written = record_bytes(tenant, seq, "config", at, prev, canonical_text(body))
    expected = {
        "at": at,
        "body": body,
        "prev": prev.hex(),
        "seq": seq,
        "tenant": tenant,
        "type": "config",
        "v": 1,
    }
    assert written == rfc8785.dumps(expected)
    assert json.loads(written) == expected


def test_a_float_or_a_surrogate_has_no_place():
    with pytest.raises(UsageError, match="surrogate"):
        utf8(canonical_text("\ud800"))
    with pytest.raises(ValueError, match="Out of range"):
        canonical_text(float("nan"))  # type: ignore[arg-type]
