"""Both languages say everything, and nothing is said outside of the catalogues."""

from __future__ import annotations

import re
import string
from importlib.resources import files

import pytest

from memwarden.console.words import catalogue, say, wished
from memwarden.model import COMMAND_KINDS, MEMORY_KINDS, Action, Severity, Tier
from memwarden.review import Move, State

ROOM = files("memwarden.console")
TEMPLATES = sorted(one.name for one in (ROOM / "templates").iterdir())
_TAGS = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}|<(style|script).*?</\1>|<code>.*?</code>", re.S)
_HTML = re.compile(r"<[^>]*>")
ALLOWED = {"memwarden", "English", "中文"}


def test_the_languages_have_the_same_strings():
    assert catalogue("en").keys() == catalogue("zh").keys()


@pytest.mark.parametrize("key", sorted(catalogue("en")))
def test_a_string_has_the_same_places_in_both_languages(key):
    places = [
        {name for _, name, _, _ in string.Formatter().parse(catalogue(lang)[key]) if name}
        for lang in ("en", "zh")
    ]
    assert places[0] == places[1]
    assert all(catalogue(lang)[key].strip() for lang in ("en", "zh"))


def test_chinese_is_chinese():
    latin_only = {
        key for key, text in catalogue("zh").items() if not re.search("[\u4e00-\u9fff]", text)
    }
    assert latin_only == set()


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_names_strings_that_exist(name):
    text = (ROOM / "templates" / name).read_text("utf-8")
    for key in re.findall(r"""\bt\(["']([a-z_.0-9]+)["']\s*[,)]""", text):
        assert key in catalogue("en"), key


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_says_nothing_by_itself(name):
    text = (ROOM / "templates" / name).read_text("utf-8")
    bare = _HTML.sub(" ", _TAGS.sub(" ", text))
    words = {word for word in re.findall(r"[^\W\d_]{3,}", bare) if word not in ALLOWED}
    assert words == set()


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_runs_and_styles_nothing_in_place(name):
    text = (ROOM / "templates" / name).read_text("utf-8")
    assert not re.search(r"\sstyle=|\son[a-z]+=|javascript:|<style|\|\s*safe", text)
    assert not re.search(r"<script(?! src=)", text)


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("state", [state.value for state in State]),
        ("move", [move.value for move in Move]),
        ("action", [action.label for action in Action]),
        ("tier", [tier.label for tier in Tier]),
        ("severity", [severity.label for severity in Severity]),
        ("kind", [*MEMORY_KINDS, *COMMAND_KINDS]),
    ],
)
def test_every_word_of_the_model_has_a_name(group, words):
    assert {f"{group}.{word}" for word in words} <= catalogue("zh").keys()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB, zh;q=0.5", "en"),
        ("fr, zh;q=0.2", "zh"),
        ("fr", "en"),
        ("zh;q=nonsense, en;q=0.1", "en"),
        ("ZH-hant", "zh"),
    ],
)
def test_the_browser_says_which_language_it_wants(header, language):
    assert wished(header) == language


def test_an_unknown_string_is_an_error():
    with pytest.raises(KeyError):
        say("en", "nothing.of.the.kind")
