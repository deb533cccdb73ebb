"""The linear tagger: names and addresses of many countries, beside what only looks like them."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from memwarden.encoder import ner_linear_en
from memwarden.encoder.ner import ner
from memwarden.encoder.ner_features_en import features, lexicon, tokens
from memwarden.encoder.ner_linear_en import LABELS, legal, linear, viterbi
from memwarden.errors import ModelUnavailable
from memwarden.pii.detect import Search, found_in
from memwarden.pii.fold import fold

PEOPLE = [
    (
        "Met with Priya Raghunathan and Oluwaseun Adeyemi",
        ["Priya Raghunathan", "Oluwaseun Adeyemi"],
    ),
    ("My landlord is Giuseppe Della Rovere.", ["Giuseppe Della Rovere"]),
    ("Xiao Ming Zhang asked for a vegetarian meal.", ["Xiao Ming Zhang"]),
    ("SARAH O'CONNELL CALLED", ["SARAH O'CONNELL"]),
    ("please remind jonathan peterson to call his mum", ["jonathan peterson"]),
    ("Abdul Rahman bin Hassan sent it", ["Abdul Rahman bin Hassan"]),
    ("Contact: Beatriz Sousa Carvalho", ["Beatriz Sousa Carvalho"]),
    ("Dr. Fatima Al-Zahra Hussein diagnosed it.", ["Fatima Al-Zahra Hussein"]),
    ("Kim Jong-su's visa expires", ["Kim Jong-su"]),
    ("Paris Hilton visited Paris in April.", ["Paris Hilton"]),
    ("The user prefers Python over Java and runs Ubuntu.", []),
    ("Spotify and Netflix are paid for", []),
    ("Kubernetes pods restart when Grafana alerts fire.", []),
    ("Tell Alexa to play music", []),
]
ADDRESSES = [
    "Via Garibaldi 14, 20121 Milano",
    "Calle de Alcalá 45, 3º B, 28014 Madrid, Spain",
    "12 rue de la Paix, 75002 Paris",
    "Musterstraße 12, 80331 München",
    "Keizersgracht 174, 1016 DW Amsterdam",
    "Storgatan 8, 114 44 Stockholm",
    "221 George St, Sydney NSW 2000",
    "1600 Pennsylvania Ave NW, Washington, DC 20500",
]
NO_ADDRESSES = [
    "Version 3.2 requires Python 3.11 or later",
    "In 2020 the team won 46-29 in Chicago",
    "Ich habe 30 Minuten Zeit.",
    "Part 1, Part 2, and so on",
    "print(1, 2, 3)",
    "I bought a Samsung Galaxy S21 and a Tesla Model 3.",
    "Bake at 180 degrees for 20 minutes",
]


def found(text: str, type_: str) -> list[str]:
    return [text[one.start : one.end] for one in ner([text])[0] if one.type == type_]


@pytest.mark.parametrize(("text", "names"), PEOPLE)
def test_people_of_many_countries_and_no_products(text: str, names: list[str]) -> None:
    assert found(text, "PERSON") == names


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("around", ["{}", "I live at {}.", "Please ship it to {}"])
def test_addresses_of_many_countries(address: str, around: str) -> None:
    text = around.format(address)
    finds = found_in(text, [fold(text)], Search(), entities=ner([text])[0])
    assert [text[one.start : one.end] for one in finds if one.entity == "ADDRESS"] == [address]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_numbers_and_capitals_alone_are_no_address(text: str) -> None:
    assert found(text, "ADDRESS") == []


def test_every_token_has_equally_many_features() -> None:
    text = "Ann\nlives at 12 Main St. She's  fine — 你好"
    rows = features(text, tokens(text), [])
    assert len(rows) == len(tokens(text))
    assert len({len(row) for row in rows}) == 1


def test_tokens_cover_everything_but_blanks() -> None:
    text = "O'Brien's 221B, (x) _y\n\nz"
    covered = "".join(text[start:end] for start, end in tokens(text))
    assert covered == re.sub(r"[^\S\n]", "", text)


def test_a_label_never_goes_on_where_none_began() -> None:
    noise = np.random.default_rng(7).normal(size=(60, len(LABELS))).astype(np.float32)
    path = [LABELS[code] for code in viterbi(noise, legal())]
    assert path[0][0] != "I"
    for before, after in pairwise(path):
        assert after[0] != "I" or before[2:] == after[2:]


def test_long_texts_are_cut_and_nothing_is_lost_at_the_end() -> None:
    text = "so " * 2_000 + "and Emily Wilkerson came"
    assert found(text, "PERSON") == ["Emily Wilkerson"]


def test_the_word_list_knows_names_and_common_words() -> None:
    assert lexicon()["emily"] == "F"
    assert "W" in lexicon()["because"]


def test_altered_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert files("memwarden.encoder").joinpath("data", "ner_en_linear.npz").is_file()
    monkeypatch.setattr(ner_linear_en, "DIGEST", "0" * 64)
    linear.cache_clear()
    with pytest.raises(ModelUnavailable, match="altered"):
        linear()
    monkeypatch.undo()
    linear.cache_clear()
