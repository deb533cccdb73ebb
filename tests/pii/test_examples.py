"""Every pattern keeps the promises of its own examples and near misses."""

from __future__ import annotations

import pytest

from memwarden.pii.detect import Search, detect
from memwarden.pii.fold import fold
from memwarden.pii.load import pack_patterns, patterns
from memwarden.pii.pattern import Pattern
from memwarden.pii.special import find as find_special

LOOSE = ("address_zh", "address_en", "names_zh_rules", "names_en_rules", "organizations")
PATTERNS = (*patterns(), *(one for pack in LOOSE for one in pack_patterns(pack)))
SPECIAL = pack_patterns("special")
WITHOUT_NAMES = Search(names=False)

EXAMPLES = [
    pytest.param(pattern, example.text, example.find, id=f"{pattern.id}-{number}")
    for pattern in PATTERNS
    for number, example in enumerate(pattern.examples)
]
NEAR_MISSES = [
    pytest.param(pattern, text, id=f"{pattern.id}-{number}")
    for pattern in PATTERNS
    for number, text in enumerate(pattern.near_misses)
]


def search_for(pattern: Pattern) -> Search:
    """Examples of a value may hold a person's name; it is not what they are about."""
    return Search() if pattern.entity in ("PERSON", "ADDRESS", "ORGANIZATION") else WITHOUT_NAMES


@pytest.mark.parametrize(("pattern", "text", "expected"), EXAMPLES)
def test_an_example_is_found_whole_and_by_its_type(
    pattern: Pattern, text: str, expected: tuple[str, ...]
) -> None:
    found = detect(text, search_for(pattern))
    assert [text[one.start : one.end] for one in found] == list(expected)
    assert pattern.entity in {one.entity for one in found}


@pytest.mark.parametrize(("pattern", "text"), NEAR_MISSES)
def test_a_near_miss_is_left_alone(pattern: Pattern, text: str) -> None:
    found = detect(text, search_for(pattern))
    if pattern.entity:
        assert pattern.entity not in {one.entity for one in found}
    else:
        assert found == ()


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        pytest.param(pattern, example.text, example.find, id=f"{pattern.id}-{number}")
        for pattern in SPECIAL
        for number, example in enumerate(pattern.examples)
    ],
)
def test_a_statement_about_a_person_is_found_whole(
    pattern: Pattern, text: str, expected: tuple[str, ...]
) -> None:
    found = find_special(fold(text).text)
    assert [text[one.start : one.end] for one in found] == list(expected)
    assert {one.entity for one in found} == {pattern.entity}


@pytest.mark.parametrize(
    "text",
    [pytest.param(t, id=f"{p.id}-{n}") for p in SPECIAL for n, t in enumerate(p.near_misses)],
)
def test_a_topic_alone_is_nobodys_data(text: str) -> None:
    assert find_special(fold(text).text) == []


def test_every_pattern_is_shown_at_work_and_at_rest() -> None:
    shown = [p.id for p in (*PATTERNS, *SPECIAL) if not p.examples and not p.near_misses]
    assert shown == []
