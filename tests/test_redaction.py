"""Redacting and restoring: exact, stable, without collision, and finished after one go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.errors import UsageError
from memwarden.model import Part, PartRole, Redaction, Slot, Treatment
from memwarden.redaction import Redacted, canonical, redact, restore

ENTITIES = ("PERSON", "PHONE_NUMBER", "EMAIL_ADDRESS", "SECRET", "CN_ID_CARD", "SPECIAL_HEALTH")
FILLING = (
    Treatment.KEEP,
    Treatment.MASK,
    Treatment.REPLACE,
    Treatment.PSEUDONYM,
    Treatment.SEAL,
)


class Numbers:
    """Numbers per entity and value, as a tenant gives them."""

    def __init__(self) -> None:
        self.given: dict[tuple[str, str], int] = {}

    def __call__(self, entity: str, value: str) -> int:
        return self.given.setdefault((entity, value), len(self.given) + 1)


def slots_for(part: Part, cuts: list[int], entity: str, treatment: Treatment) -> list[Slot]:
    """Slots between every other pair of distinct positions."""
    at = sorted({cut % (len(part.text) + 1) for cut in cuts})
    pairs = list(zip(at[::2], at[1::2], strict=False))
    return [Slot(part.path, start, end, entity, treatment) for start, end in pairs]


texts = st.text(max_size=60) | st.text(alphabet="<>PERSON_123.张三@a ", max_size=60)


@st.composite
def work(draw: st.DrawFn) -> tuple[list[Part], list[Slot]]:
    parts = [Part(f"/{n}", draw(texts)) for n in range(draw(st.integers(1, 3)))]
    slots = [
        slot
        for part in parts
        for slot in slots_for(
            part,
            draw(st.lists(st.integers(0, 200), max_size=6)),
            draw(st.sampled_from(ENTITIES)),
            draw(st.sampled_from(FILLING)),
        )
    ]
    return parts, slots


@given(work())
def test_restoring_gives_the_text_back_byte_for_byte(given: tuple[list[Part], list[Slot]]) -> None:
    parts, slots = given
    done = redact(parts, slots, Numbers())
    assert restore(done.parts, done.redactions, done.originals) == tuple(parts)


@given(work())
def test_every_redaction_says_where_its_placeholder_stands(
    given: tuple[list[Part], list[Slot]],
) -> None:
    parts, slots = given
    done = redact(parts, slots, Numbers())
    stored = {part.path: part.text for part in done.parts}
    for one in done.redactions:
        assert stored[one.part][one.start : one.end] == one.placeholder


@given(work())
def test_a_placeholder_never_equals_a_pattern_that_was_in_the_text(
    given: tuple[list[Part], list[Slot]],
) -> None:
    parts, slots = given
    done = redact(parts, slots, Numbers())
    for one in done.redactions:
        if one.treatment in (Treatment.SEAL, Treatment.PSEUDONYM):
            assert all(one.placeholder not in part.text for part in parts)


@given(work())
def test_redacting_without_new_slots_changes_nothing(
    given: tuple[list[Part], list[Slot]],
) -> None:
    parts, slots = given
    done = redact(parts, slots, Numbers())
    assert redact(done.parts, [], Numbers()) == Redacted(done.parts)


@given(work())
def test_no_original_shows_in_a_repr(given: tuple[list[Part], list[Slot]]) -> None:
    parts, slots = given
    done = redact(parts, slots, Numbers())
    assert "originals" not in repr(done)


def test_the_same_value_has_the_same_placeholder_everywhere() -> None:
    text = "call 138 1234 5678 or 13812345678"
    slots = [
        Slot("/text", 5, 18, "PHONE_NUMBER", Treatment.SEAL),
        Slot("/text", 22, 33, "PHONE_NUMBER", Treatment.SEAL),
    ]
    done = redact([Part("/text", text)], slots, Numbers())
    assert done.parts[0].text == "call <PHONE_NUMBER_1> or <PHONE_NUMBER_1>"


def test_two_people_are_two_placeholders() -> None:
    slots = [
        Slot("/text", 0, 3, "PERSON", Treatment.PSEUDONYM),
        Slot("/text", 8, 11, "PERSON", Treatment.PSEUDONYM),
    ]
    done = redact([Part("/text", "Ann met Bob")], slots, Numbers())
    assert done.parts[0].text == "<PERSON_1> met <PERSON_2>"


def test_an_injected_placeholder_is_not_taken_for_a_real_one() -> None:
    text = "<PERSON_1> is not Ann"
    slot = Slot("/text", 18, 21, "PERSON", Treatment.SEAL)
    done = redact([Part("/text", text)], [slot], Numbers(), seal="s1")
    assert done.parts[0].text == "<PERSON_1> is not <PERSON_1.2>"
    assert done.redactions[0].seal == "s1"
    assert restore(done.parts, done.redactions, done.originals)[0].text == text


@pytest.mark.parametrize(
    ("entity", "value", "shown"),
    [
        ("PHONE_NUMBER", "13812345678", "138******78"),
        ("CREDIT_CARD", "4111 1111 1111 1111", "**** **** **** 1111"),
        ("EMAIL_ADDRESS", "zhang@x.com", "z***@x.com"),
        ("PERSON", "张小明", "张**"),
        ("PASSWORD", "hunter22", "********"),
    ],
)
def test_a_mask_keeps_at_most_half(entity: str, value: str, shown: str) -> None:
    slot = Slot("/text", 0, len(value), entity, Treatment.MASK)
    done = redact([Part("/text", value)], [slot], Numbers(), seal="s1")
    assert done.parts[0].text == shown
    assert done.redactions[0].seal == ""


@pytest.mark.parametrize(
    ("slots", "why"),
    [
        ([Slot("/x", 0, 1, "PERSON", Treatment.SEAL)], "no such part"),
        ([Slot("/id", 0, 1, "PERSON", Treatment.SEAL)], "identifiers are never rewritten"),
        ([Slot("/text", 2, 2, "PERSON", Treatment.SEAL)], "empty"),
        ([Slot("/text", 0, 9, "PERSON", Treatment.SEAL)], "beyond the end"),
        ([Slot("/text", 0, 1, "PERSON", Treatment.DROP)], "drop is about the whole memory"),
        (
            [
                Slot("/text", 0, 2, "PERSON", Treatment.SEAL),
                Slot("/text", 1, 3, "PERSON", Treatment.SEAL),
            ],
            "overlap",
        ),
    ],
)
def test_slots_that_do_not_fit_are_refused(slots: list[Slot], why: str) -> None:
    parts = [Part("/text", "abc"), Part("/id", "abc", PartRole.IDENTIFIER)]
    with pytest.raises(UsageError):
        redact(parts, slots, Numbers())


def test_a_text_changed_since_is_not_restored() -> None:
    record = Redaction("/text", 0, 10, "PERSON", Treatment.SEAL, "<PERSON_1>")
    with pytest.raises(UsageError):
        restore([Part("/text", "<PERSON_2>")], [record], ["Ann"])


@pytest.mark.parametrize(
    ("entity", "one", "other"),
    [
        ("PHONE_NUMBER", "+86 138-1234-5678", "８６１３８１２３４５６７８"),
        ("EMAIL_ADDRESS", "Zhang@X.com", "zhang@x.com"),
        ("PERSON", "Ann  Lee", "ann lee"),
        ("CN_ID_CARD", "11010519491231002X", "11010519491231002x"),
    ],
)
def test_one_value_written_in_two_ways_is_one_value(entity: str, one: str, other: str) -> None:
    assert canonical(entity, one) == canonical(entity, other)


def test_secrets_differ_in_case() -> None:
    assert canonical("SECRET", "AbC") != canonical("SECRET", "abc")
