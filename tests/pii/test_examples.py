"""Every pattern keeps the promises of its own examples and near misses."""

from __future__ import annotations

import pytest

from memwarden.pii.detect import detect
from memwarden.pii.load import patterns
from memwarden.pii.pattern import Pattern

EXAMPLES = [
    pytest.param(pattern, example.text, example.find, id=f"{pattern.id}-{number}")
    for pattern in patterns()
    for number, example in enumerate(pattern.examples)
]
NEAR_MISSES = [
    pytest.param(pattern, text, id=f"{pattern.id}-{number}")
    for pattern in patterns()
    for number, text in enumerate(pattern.near_misses)
]


@pytest.mark.parametrize(("pattern", "text", "expected"), EXAMPLES)
def test_an_example_is_found_whole_and_by_its_type(
    pattern: Pattern, text: str, expected: tuple[str, ...]
) -> None:
    found = detect(text)
    values = [text[one.start : one.end] for one in found]
    assert list(expected) == values
    assert pattern.entity in {one.entity for one in found}


@pytest.mark.parametrize(("pattern", "text"), NEAR_MISSES)
def test_a_near_miss_is_left_alone(pattern: Pattern, text: str) -> None:
    found = detect(text)
    if pattern.entity:
        assert pattern.entity not in {one.entity for one in found}
    else:
        assert found == ()
