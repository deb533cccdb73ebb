"""Sentences in a language or script that the models were not taught.

A name in Cyrillic or Japanese inside an English or Chinese sentence is no sentence, and a French
address is no French: there have to be words that begin small and are no names.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from memwarden.guards.legible.trace import Trace, expression
from memwarden.guards.legible.words import OTHER_SCRIPT, english, scripts, tongues
from memwarden.text import segments

RULE: Final = "language"
_STRANGE: Final = r"[^\P{L}\p{Latin}\p{Han}\p{Common}]+"
"""Letters neither Latin nor Chinese."""

_SIGNS: Final = dict.fromkeys(map(ord, '.,;:!?"()[]{}<>*_`/\\|-。，；：！？“”’«»…'), " ")
_FEWEST_WORDS: Final = 4
_FEWEST_LETTERS: Final = 10
_LONG: Final = 14
"""Letters in a row that are a sentence in a script without spaces."""

_JAPANESE: Final = "Japanese"
_HIRAGANA: Final = 4
_HIRAGANA_SHARE: Final = 0.2
"""Hiragana among all Japanese and Chinese characters, from which a sentence is Japanese: names
and brands are written without, or with one の."""


def find(text: str) -> Iterator[Trace]:
    """The sentences of ``text`` that are in another language, each with its name."""
    if not _may_be(text):
        return
    for start, end in segments(text):
        sentence = text[start:end]
        name = _by_script(sentence) or _by_words(sentence)
        if name:
            yield Trace(RULE, start, end, 0.9, name)


def _may_be(text: str) -> bool:
    """The cheap look: letters of another script, or two little words of another language."""
    if not text.isascii() and expression(_STRANGE).search(text) is not None:
        return True
    words = set(text.lower().translate(_SIGNS).split())
    return len(words & _little_words()) >= 2


@cache
def _little_words() -> frozenset[str]:
    return frozenset(tongues())


def _by_script(sentence: str) -> str:
    if sentence.isascii():
        return ""
    runs: list[str] = expression(_STRANGE).findall(sentence)
    if not runs:
        return ""
    letters = len(expression(r"\p{L}").findall(sentence))
    name = _script(runs)
    strange = sum(map(len, runs))
    if name == _JAPANESE:
        small = len(expression(r"\p{Hiragana}").findall(sentence))
        written = strange + len(expression(r"\p{Han}").findall(sentence))
        enough = small >= _HIRAGANA and small >= _HIRAGANA_SHARE * written
        return name if enough and 2 * written >= letters else ""
    if 2 * strange < letters or strange < _FEWEST_LETTERS:
        return ""
    lower = [run for run in runs if not run[0].isupper()]
    several = len(lower) >= _FEWEST_WORDS - 1
    return name if several or any(len(run) >= _LONG for run in lower) else ""


def _script(runs: Sequence[str]) -> str:
    """The name of the script that most of the runs are written in."""
    firsts = Counter(unicodedata.name(run[0], "").partition(" ")[0] for run in runs)
    return scripts().get(firsts.most_common(1)[0][0], OTHER_SCRIPT.en)


def _by_words(sentence: str) -> str:
    """The language whose little words a sentence in Latin letters is made of, if not English."""
    words: list[str] = expression(r"\p{Latin}+(?:['’]\p{Latin}+)?").findall(sentence)
    if len(words) < _FEWEST_WORDS:
        return ""
    small = [word.lower().replace("’", "'") for word in words]
    known = tongues()
    found: dict[str, list[str]] = defaultdict(list)
    for word in small:
        for name in known.get(word, ()):
            found[name].append(word)
    if not found:
        return ""
    name = max(found, key=lambda one: (len(found[one]), one))
    hits, told = len(found[name]), set(found[name])
    ours = sum(word in english() for word in small)
    content = sum(
        word[0].islower() and low not in told for word, low in zip(words, small, strict=True)
    )
    many = hits >= 3 or hits >= 0.4 * len(words)
    clear = len(told) > 1 and hits > 1.5 * ours and hits >= 0.25 * len(words)
    chinese = len(expression(r"\p{Han}").findall(sentence))
    return name if many and clear and content and chinese < len(words) else ""
