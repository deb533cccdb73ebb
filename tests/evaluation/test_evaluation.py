"""Evaluation counts what happened and nothing else; bad rows are named by file and line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.errors import UsageError
from memwarden.evaluation import Row, Tally, read_rows, tally_spans, wilson
from memwarden.evaluation.rows import GoldSpan
from memwarden.evaluation.spans import Predicted, same_type
from memwarden.model import Action


def a_row(label="malicious", spans=()):
    return Row("1", "src", "en", "call 555", label, "k", tuple(spans))


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0)],
)
def test_wilson_gives_the_published_interval(hits, of, low, high):
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-4)


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilson_holds_the_rate_it_is_about(hits, more):
    low, high = wilson(hits, hits + more)
    rate = hits / (hits + more)
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1


def test_a_cut_counts_as_blocked_only_for_a_hostile_row():
    tally = Tally()
    tally.add(a_row("malicious"), Action.REDACT, cut=True)
    tally.add(a_row("benign"), Action.REDACT, cut=True)
    tally.add(a_row("benign"), Action.HOLD, cut=False)
    benign, malicious = tally.groups()
    assert (malicious.blocked, malicious.redact, malicious.cut) == (1, 1, 1)
    assert (benign.blocked, benign.n) == (1, 2)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not a JSON object"),
        ("[]", "is a list"),
        ('{"source": "s"}', "lacks lang, text, label"),
        ('{"source": "s", "lang": "en", "text": 3, "label": "benign"}', "text must be text"),
        (
            '{"source":"s","lang":"en","text":"t","label":"pii","meta":{"spans":[{"start":1}]}}',
            "a span is",
        ),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path, line, words):
    file = tmp_path / "rows.jsonl"
    good = json.dumps({"source": "s", "lang": "zh", "text": "你好", "label": "benign"})
    file.write_text(f"{good}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"rows\.jsonl:3") as caught:
        list(read_rows([file]))
    assert words in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        list(read_rows([tmp_path / "gone.jsonl"]))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("PHONE", "PHONE_NUMBER", True),
        ("BANK_CARD", "CREDIT_CARD", True),
        ("ID_CARD", "CN_ID_CARD", True),
        ("PER", "PERSON", True),
        ("GPE", "ADDRESS", True),
        ("PERSON", "ORG", False),
        ("AGE", "AGE", True),
        ("AGE", "TITLE", False),
    ],
)
def test_type_names_of_different_label_sets(one, other, expected):
    assert same_type(one, other) is expected


def test_spans_are_counted_exact_and_by_overlap():
    row = a_row("pii", [GoldSpan(0, 10, "PHONE"), GoldSpan(20, 30, "PHONE")])
    found = [Predicted(0, 10, "PHONE_NUMBER"), Predicted(22, 30, "MOBILE"), Predicted(40, 44, "IP")]
    by_type = {tally.type: tally for tally in tally_spans([(row, found)])}
    phone = by_type["PHONE"]
    assert (phone.gold, phone.found, phone.exact, phone.overlap) == (2, 2, 1, 2)
    assert (by_type["IP"].gold, by_type["IP"].found) == (0, 1)


def test_a_row_nested_without_end_is_named_and_not_a_traceback(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a":' * 100_000)
    with pytest.raises(UsageError, match=r"rows\.jsonl:1: nested too deeply"):
        list(read_rows([path]))
