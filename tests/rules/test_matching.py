"""The pass for literals may only save work: it must never lose a match."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.rules import Book, load_packs, shipped_packs
from memwarden.rules.language import demanded, whole_words
from memwarden.rules.literals import demands
from memwarden.rules.matching import found
from memwarden.rules.model import Form
from memwarden.text import fold

RULES = [rule for pack in load_packs(shipped_packs()) for rule in pack.rules]
BOOK = Book(RULES)
EXAMPLES = [fold(text) for rule in RULES for text in (*rule.examples.hit, *rule.examples.miss)]


def test_searching_all_at_once_finds_what_searching_one_by_one_finds() -> None:
    for text in EXAMPLES:
        at_once = {hit.rule.id for hit in BOOK.search(text)}
        one_by_one = {
            rule.id for rule in RULES if any(found(pattern, text) for pattern in rule.patterns)
        }
        assert at_once == one_by_one, text


@settings(deadline=None)
@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=3).map(" ".join))
def test_hits_lie_within_the_text(text: str) -> None:
    for hit in BOOK.search(text):
        assert 0 <= hit.start < hit.end <= len(text)


@pytest.mark.parametrize(
    ("expression", "sets"),
    [
        ("ignore", [{"ignore"}]),
        ("ignor(?:e|es|ing)", [{"ignore", "ignoring"}]),
        ("ignor(?:e|es)?", [{"ignor"}]),
        ("(?:cat|dog)s? toy", [{"cat toy", "cats toy", "dog toy", "dogs toy"}]),
        ("one[^.]{0,9}seven", [{"seven"}, {"one"}]),
        ("(?:one|[a-z]+)", []),
        ("(?:a|b)+", []),
        ("忽略.{0,3}指令", [{"忽略"}, {"指令"}]),
        (r"<\|im_start\|>", [{"<|im_start|>"}]),
        (r"pass[ _-]?word", [{"password", "pass word", "pass_word", "pass-word"}]),
        ("(?s:.{0,4})end", [{"end"}]),
        (r"\x{5ffd}略", [{"忽略"}]),
        ("colou?r{2,3}", [{"colo"}]),
        ("(?P<name>abc)", [{"abc"}]),
        ("abc)", []),
    ],
)
def test_what_a_pattern_demands(expression: str, sets: list[set[str]]) -> None:
    assert [set(each) for each in demands(expression)] == sets


def test_every_shipped_pattern_demands_something() -> None:
    """One that demands nothing would be searched in every text there is."""
    for rule in RULES:
        for pattern in rule.patterns:
            words = whole_words(pattern, Form.EXACT)
            assert demands(demanded(pattern, Form.EXACT), only_words=words), pattern.place
