"""What the linear tagger sees of a word: its form, the lists it stands in, its neighbours.

Names nobody has heard of must be found too, so a word itself counts only where it is a common one;
of all others the lists, the shape and the last letters do.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from memwarden.encoder.ner_en import Named
from memwarden.pii.load import document, words

Span = tuple[int, int]

BUCKETS: Final = 1 << 16
"""Features are hashed into this many rows of weights."""

_TOKEN: Final = re.compile(r"\n+|[^\W\d_]+(?:['’][^\W\d_]{2,})?|[0-9]+|[^\w\s]|_")
_TOLD: Final = frozenset("WTASNR^$")
"""Classes of words that are features by themselves."""


def tokens(text: str) -> list[Span]:
    """Runs of letters, of digits and of line ends; every other sign alone."""
    return [match.span() for match in _TOKEN.finditer(text)]


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, str]:
    """Words in lower case with what they may be: F first name, L surname, C town, K country or
    state, W a common word of running text."""
    raw = files("memwarden.encoder").joinpath("data", "ner_en_lexicon.txt.gz").read_bytes()
    lines = gzip.decompress(raw).decode("utf-8").split("\n")
    return dict(line.split("\t", 1) for line in lines if line)


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, frozenset[str]]:
    places, names = document("places_en"), document("names_en")
    return {
        "S": frozenset((*words(places, "suffixes"), *words(places, "strong"))),
        "R": frozenset((*words(places, "foreign"), *words(places, "foreign_more"))),
        "A": frozenset(words(places, "units")),
        "T": frozenset(word.lower() for word in words(names, "titles")),
        "N": frozenset((*words(names, "not_people"), *words(names, "times"))),
    }


@lru_cache(maxsize=1)
def _endings() -> tuple[str, ...]:
    places = document("places_en")
    return (*words(places, "endings"), *words(places, "endings_more"))


@lru_cache(maxsize=16_384)
def word_class(word: str) -> str:
    """The lists that ``word`` stands in, one letter each; ``-`` for none."""
    low = word.lower()
    found = lexicon().get(low, "")
    if not found and "'" in low:
        found = lexicon().get(low.rpartition("'")[2], "")
    lists = _lists()
    found += "S" if low in lists["S"] else ""
    if low in lists["R"]:
        found += "R"
    elif len(low) > 5 and low.endswith(_endings()):
        found += "E"
    found += "".join(mark for mark in "ATN" if low in lists[mark])
    return found or "-"


@lru_cache(maxsize=16_384)
def shape(word: str) -> str:
    """Digits by their number, letters by their case, any other sign itself."""
    if word[0].isdigit():
        return f"d{min(len(word), 6)}"
    if not word[0].isalpha():
        return "N" if word[0] == "\n" else word[0]
    if len(word) == 1:
        return "U" if word.isupper() else "l"
    if word.isupper():
        return "UU"
    if word[0].isupper():
        return "Ul" if word[1:].islower() else "UlU"
    return "ll"


def _tags(named: Sequence[Named], spans: Sequence[Span]) -> list[str]:
    """What the network said of every token."""
    out = ["O"] * len(spans)
    at = 0
    for start, end, label in named:
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        place, mark = at, "B"
        while place < len(spans) and spans[place][0] < end:
            out[place] = mark + label[:3]
            place, mark = place + 1, "I"
    return out


def _mode(shapes: Sequence[str]) -> str:
    """How the text is written: with capitals, without any, or in nothing else."""
    if not any(one[0] == "U" for one in shapes):
        return "l"
    lettered = (one for one in shapes if one[0] in "Ul")
    return "u" if all(one in ("UU", "U") for one in lettered) else "c"


def features(text: str, spans: Sequence[Span], named: Sequence[Named]) -> list[list[int]]:
    """Rows of weights for every token; all tokens have equally many."""
    seen = [text[start:end] for start, end in spans]
    low = [word.lower() if word[0] != "\n" else "\n" for word in seen]
    shapes = [shape(word) for word in seen]
    kinds = [word_class(word) for word in seen]
    said = [
        one if (kind != "-" and not _TOLD.isdisjoint(kind)) or not one[0].isalpha() else "?"
        for one, kind in zip(low, kinds, strict=True)
    ]
    tight = ["" if at and spans[at - 1][1] == spans[at][0] else "_" for at in range(len(spans))]
    mode = _mode(shapes)
    columns = _Columns(low, said, kinds, shapes, _tags(named, spans), tight, mode)
    return [columns.row(at) for at in range(len(spans))]


class _Columns:
    """Columns of a text, padded by two on both sides so that every token has its neighbours."""

    __slots__ = ("_kinds", "_low", "_mode", "_said", "_shapes", "_tags", "_tight")

    def __init__(
        self,
        low: list[str],
        said: list[str],
        kinds: list[str],
        shapes: list[str],
        tags: list[str],
        tight: list[str],
        mode: str,
    ) -> None:
        self._low, self._said, self._kinds = _padded(low), _padded(said), _padded(kinds)
        self._shapes, self._tags, self._tight = _padded(shapes), _padded(tags), _padded(tight)
        self._mode = mode

    def row(self, place: int) -> list[int]:
        at, mode = place + 2, self._mode
        word = self._low[at]
        w2, w1, w0, v1, v2 = self._said[at - 2 : at + 3]
        k2, k1, k0, h1, h2 = self._kinds[at - 2 : at + 3]
        s2, s1, s0, t1, t2 = self._shapes[at - 2 : at + 3]
        n1, n0, m1 = self._tags[at - 1 : at + 2]
        gaps = self._tight[at] + self._tight[at + 1]
        first = place == 0 or self._low[at - 1] == "\n"
        told = (
            f"m{mode}", f"w{w0}", f"k{k0}{mode}", f"s{s0}{mode}", f"ks{k0}{s0}", f"n{n0}",
            f"nk{n0}{k0}", f"nl{n1}{n0}{m1}", f"w-{w1}", f"w+{v1}", f"w-2{w2}", f"w+2{v2}",
            f"k-{k1}", f"k+{h1}", f"kk-{k1}{k0}{mode}", f"kk+{k0}{h1}{mode}", f"kkk{k1}{k0}{h1}",
            f"s-{s1}{s0}", f"s+{s0}{t1}", f"sss{s1}{s0}{t1}{mode}", f"s5{s2}{s1}{s0}{t1}{t2}",
            f"c-{w1}{s0}{k0}", f"c+{v1}{s0}{k0}", f"c2{w2}{w1}{s0}", f"c+2{v1}{v2}{s0}",
            f"u3{word[-3:]}{s0}", f"u4{word[-4:]}", f"g{gaps}{s0}{s1}", f"k-2{k2}{k0}",
            f"k+2{k0}{h2}", f"nc{n0}{w1}", f"nc+{n0}{v1}", f"s-2{s2}{s0}", f"s+2{s0}{t2}",
            f"ls{s0}{k0}" if first else "ls",
        )  # fmt: skip
        return [zlib.crc32(one.encode()) % BUCKETS for one in told]


def _padded(column: list[str]) -> list[str]:
    return ["^", "^", *column, "$", "$"]
