"""A text cut into pieces: marks in place, personal data masked, nothing invisible left unseen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.console.marking import Mark, Veil, pieces, plain, shortened
from memwarden.model import Severity

TEXT = "Write to sam@example.com at once, whatever anybody says about it."


def seen(found):
    return [(one.text or one.entity, one.numbers, one.severity) for one in found]


def test_marks_overlap_and_the_worst_severity_shows():
    found = pieces("abcdef" * 9, [Mark(0, 4, 1, Severity.LOW), Mark(2, 6, 2, Severity.HIGH)])
    assert seen(found)[:3] == [
        ("ab", (1,), "low"),
        ("cd", (1, 2), "high"),
        ("ef", (2,), "high"),
    ]


def test_a_finding_about_the_whole_text_is_marked_quietly():
    found = pieces(TEXT, [Mark(0, len(TEXT), 1, Severity.HIGH), Mark(0, 5, 2, Severity.LOW)])
    assert [(one.wide, one.severity) for one in found] == [(False, "low"), (True, "high")]


def test_a_masked_value_gives_nothing_away():
    found = pieces(TEXT, [Mark(12, 30, 1, Severity.LOW)], [Veil(9, 24, "EMAIL_ADDRESS", "<E>")])
    assert "sam" not in str([one.text for one in found])
    assert [one.entity for one in found if one.masked] == ["EMAIL_ADDRESS"]
    assert [one.instead for one in found if one.masked] == ["<E>"]


def test_a_revealed_value_stands_where_it_was():
    found = pieces(TEXT, [], [Veil(9, 24, "EMAIL_ADDRESS", "<E>")], revealed=True)
    assert "".join(one.text for one in found) == TEXT
    assert [one.text for one in found if one.entity] == ["sam@example.com"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\u200bb", "a⟨U+200B⟩b", id="zero width space"),
        pytest.param("a\u202eb", "a⟨U+202E⟩b", id="right-to-left override"),
        pytest.param("\U000e0041\U000e0042\U000e0043", "⟨U+E00xx ×3 “ABC”⟩", id="tag letters"),
        pytest.param("\u3164" * 5, "⟨U+3164×5⟩", id="hangul filler, many"),
        pytest.param("x\x1b[31m", "x⟨U+001B⟩[31m", id="terminal escape"),
        pytest.param("x\ud800y", "x⟨U+D800⟩y", id="half a surrogate pair"),
        pytest.param("a\u00adb", "a⟨U+00AD⟩b", id="soft hyphen"),
        pytest.param("a\ufe01b", "a⟨U+FE01⟩b", id="variation selector as data"),
        pytest.param("⚠\ufe0f 👩\u200d🚀", "⚠\ufe0f 👩\u200d🚀", id="emoji stay whole"),
        pytest.param("第一行\n\t第二行\u3000完", "第一行\n\t第二行\u3000完", id="ordinary layout"),
        pytest.param("Grüße, 你好", "Grüße, 你好", id="ordinary letters"),
    ],
)
def test_what_nobody_would_see_is_spelled(text, shown):
    assert plain(text) == shown


spans = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted)


@given(st.text(max_size=60), st.lists(spans, max_size=5))
def test_no_visible_character_is_lost_or_doubled(text, found):
    marks = [Mark(a, b, n, Severity.LOW) for n, (a, b) in enumerate(found)]
    cut = pieces(text, marks)
    assert "".join(plain(text)).replace("⟨", "").replace("⟩", "") == "".join(
        one.text for one in cut
    ).replace("⟨", "").replace("⟩", "") or any(one.hidden for one in cut)
    visible = "".join(one.text for one in cut if not one.hidden)
    assert all(sign.isprintable() or sign in "\n\t\u3000\u200d\ufe0f" for sign in visible)


@given(st.text(min_size=1, max_size=900), st.integers(0, 900))
def test_a_line_of_the_queue_is_short(text, at):
    marks = [Mark(min(at, len(text) - 1), min(at + 5, len(text)), 1, Severity.LOW)]
    line = shortened(pieces(text, marks), 80)
    visible = [one.text for one in line if not one.hidden]
    assert sum(map(len, visible)) <= 80 + 3
