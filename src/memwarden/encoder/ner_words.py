"""Cutting English into tokens exactly as the pipeline was trained on: spaCy's rules, from its file.

Each token carries the ids of its normal form, first sign, last three signs and shape, which is all
the network sees of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

from memwarden.encoder.ner_files import unpack

_NORM: Final = 67
_ORTH: Final = 65
_LONGEST: Final = 100
"""Signs of a run without white space that is still cut; no name is longer."""

_MASK: Final = (1 << 64) - 1
_MULTIPLIER: Final = 0xC6A4A7935BD1E995
_SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("'s", "'S", "’s", "’S"), "'s"),
    **dict.fromkeys("’‘´`", "'"),
    **dict.fromkeys(("”", "“", "''", "``", "´´", "„", "»", "«", "‘‘", "’’"), '"'),
    **dict(zip("？！，；：。।", "?!,;:..", strict=True)),
    "…": "...",
    **dict.fromkeys(("—", "–", "--", "---", "——"), "-"),
    **dict.fromkeys(
        ("€", "£", "¥", "฿", "US$", "C$", "A$", "₺", "₹", "৳", "₩", "Mex$", "₣", "E£"), "$"
    ),
}

Lexeme = tuple[int, int, int, int]
"""Ids of norm, prefix, suffix and shape."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the text with its ids."""

    start: int
    end: int
    lexeme: Lexeme
    is_space: bool


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """The rules of one pipeline."""

    prefix: re.Pattern[str] = field(repr=False)
    suffix: re.Pattern[str] = field(repr=False)
    infix: re.Pattern[str] = field(repr=False)
    url: re.Pattern[str] = field(repr=False)
    specials: Mapping[str, Sequence[tuple[str, str]]] = field(repr=False)
    norms: Mapping[int, str] = field(repr=False)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of ``text``; white space other than single blanks is tokens too."""
        found: list[Token] = []
        for start, end in _runs(text):
            at = start
            for word, norm in self._words(text[start:end]):
                found.append(Token(at, at + len(word), self._lexeme(word, norm), word.isspace()))
                at += len(word)
        return found

    def _words(self, run: str) -> list[tuple[str, str]]:
        if run in self.specials:
            return list(self.specials[run])
        if run.isspace() or len(run) > _LONGEST:
            return [(run, "")]
        heads, middle, tails = self._affixes(run)
        words = [(head, "") for head in heads]
        if middle in self.specials:
            words += self.specials[middle]
        elif middle and self.url.match(middle):
            words.append((middle, ""))
        else:
            words += [(piece, "") for piece in self._infixes(middle)]
        return words + [(tail, "") for tail in reversed(tails)]

    def _affixes(self, run: str) -> tuple[list[str], str, list[str]]:
        """Take prefixes and suffixes off until nothing changes or a special case is left."""
        heads: list[str] = []
        tails: list[str] = []
        before = -1
        while run and len(run) != before and run not in self.specials:
            before = len(run)
            first = _length(self.prefix.search(run))
            if first and run[first:] in self.specials:
                heads.append(run[:first])
                return heads, run[first:], tails
            last = _length(self.suffix.search(run[first:]))
            if last and run[:-last] in self.specials:
                tails.append(run[-last:])
                return heads, run[:-last], tails
            if first:
                heads.append(run[:first])
            if last:
                tails.append(run[len(run) - last :])
            run = run[first : len(run) - last]
        return heads, run, tails

    def _infixes(self, middle: str) -> Iterator[str]:
        start = 0
        for match in self.infix.finditer(middle):
            if match.start() == 0:
                continue
            if match.start() > start:
                yield middle[start : match.start()]
            if match.end() > match.start():
                yield match.group()
            start = match.end()
        if middle[start:]:
            yield middle[start:]

    def _lexeme(self, word: str, norm: str) -> Lexeme:
        prefix, suffix, shape = string_id(word[0]), string_id(word[-3:]), string_id(_shape(word))
        usual = norm or self.norms.get(string_id(word)) or _SIGNS.get(word) or word.lower()
        return (string_id(usual), prefix, suffix, shape)


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of the pipeline in ``folder``."""
    rules = cast("dict[str, object]", unpack(folder / "tokenizer"))
    lookups = cast("dict[str, dict[int, str]]", unpack(folder / "vocab" / "lookups.bin"))
    specials = cast("dict[str, list[dict[int, str]]]", rules["exceptions"])
    return Tokenizer(
        prefix=re.compile(str(rules["prefix_search"])),
        suffix=re.compile(str(rules["suffix_search"])),
        infix=re.compile(str(rules["infix_finditer"])),
        url=re.compile(str(rules["url_match"])),
        specials={
            key: [(piece[_ORTH], piece.get(_NORM, "")) for piece in pieces]
            for key, pieces in specials.items()
        },
        norms=lookups["lexeme_norm"],
    )


@lru_cache(maxsize=1)
def _symbols() -> Mapping[str, int]:
    """Strings that spaCy numbers by hand instead of hashing."""
    text = files("memwarden.encoder").joinpath("data", "spacy_symbols.json").read_text("utf-8")
    return cast("dict[str, int]", json.loads(text))


@lru_cache(maxsize=16_384)
def string_id(text: str) -> int:
    """The id of a string in spaCy: a symbol's number, or MurmurHash64A with seed 1."""
    number = _symbols().get(text)
    return number if number is not None else murmur64(text.encode("utf-8", "surrogatepass"))


def murmur64(raw: bytes, seed: int = 1) -> int:
    """MurmurHash64A of Austin Appleby."""
    hashed = seed ^ (len(raw) * _MULTIPLIER & _MASK)
    whole = len(raw) - len(raw) % 8
    for at in range(0, whole, 8):
        block = int.from_bytes(raw[at : at + 8], "little") * _MULTIPLIER & _MASK
        block = (block ^ block >> 47) * _MULTIPLIER & _MASK
        hashed = (hashed ^ block) * _MULTIPLIER & _MASK
    if whole < len(raw):
        hashed = (hashed ^ int.from_bytes(raw[whole:], "little")) * _MULTIPLIER & _MASK
    hashed = (hashed ^ hashed >> 47) * _MULTIPLIER & _MASK
    return hashed ^ hashed >> 47


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Runs of white space and of other signs; a single blank separates and is no run."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and text[at].isspace() == text[at - 1].isspace():
            continue
        first = start
        if text[start] == " " and start > 0 and not text[start - 1].isspace():
            first = start + 1
        if first < at:
            yield (first, at)
        start = at


def _length(match: re.Match[str] | None) -> int:
    return match.end() - match.start() if match else 0


def _shape(word: str) -> str:
    if len(word) >= 100:
        return "LONG"
    shape: list[str] = []
    last, count = "", 0
    for char in word:
        if char.isalpha():
            kind = "X" if char.isupper() else "x"
        else:
            kind = "d" if char.isdigit() else char
        count = count + 1 if kind == last else 0
        last = kind
        if count < 4:
            shape.append(kind)
    return "".join(shape)
