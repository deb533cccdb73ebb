"""A call's arguments fall into memories, and come together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.proxy.mcp.arguments import at_path, pieces, put_together, texts
from memwarden.proxy.mcp.tools import read_tools
from memwarden.stores.rows.options import RowOptions

NAMING = RowOptions(identifier_fields=read_tools().identifiers)

CASES = {
    "one text": ({"information": "tea"}, [{"information": "tea"}]),
    "a text and its metadata": (
        {"information": "tea", "metadata": {"note": "green"}},
        [{"information": "tea", "metadata": {"note": "green"}}],
    ),
    "observations under a name": (
        {"observations": [{"entityName": "Sam", "contents": ["likes tea", "hates noise"]}]},
        [
            {"observations": [{"entityName": "Sam", "contents": ["likes tea"]}]},
            {"observations": [{"entityName": "Sam", "contents": ["hates noise"]}]},
        ],
    ),
    "names alone": (
        {"relations": [{"from": "Sam", "to": "Kim", "relationType": "knows"}]},
        [{"relations": [{"from": "Sam", "to": "Kim", "relationType": "knows"}]}],
    ),
    "names beside texts elsewhere": (
        {"note": "tea", "relations": [{"from": "Sam", "to": "Kim", "relationType": "knows"}]},
        [
            {"note": "tea", "relations": []},
            {"relations": [{"from": "Sam", "to": "Kim", "relationType": "knows"}]},
        ],
    ),
    "nothing": ({}, [{}]),
}


@pytest.mark.parametrize("name", CASES)
def test_every_memory_of_a_call_is_a_piece(name):
    arguments, expected = CASES[name]
    found = [{k: v for k, v in one.fields.items() if v != []} for one in pieces(arguments, NAMING)]
    assert found == [{k: v for k, v in one.items() if v != []} for one in expected]


JSON = st.recursive(
    st.text(max_size=5) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "id", "user_id"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "id", "c"]), JSON, max_size=4))
def test_no_text_of_a_call_is_in_no_piece(arguments):
    """A text that no piece holds would reach the server unjudged."""
    held = {there for piece in pieces(arguments, NAMING) for there in piece.sources.values()}
    assert held == {path for path, _, _ in texts(arguments)}


@given(st.dictionaries(st.sampled_from(["a", "b", "id", "c"]), JSON, max_size=4))
def test_a_piece_says_where_its_texts_stand(arguments):
    for piece in pieces(arguments, NAMING):
        for here, there in piece.sources.items():
            assert at_path(piece.fields, here) == at_path(arguments, there)


def test_decided_texts_return_to_their_places():
    arguments = {"a": ["x", {"b": "y"}], "n": 1}
    assert put_together(arguments, {("a", 1, "b"): "z"}) == {"a": ["x", {"b": "z"}], "n": 1}
