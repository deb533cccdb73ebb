"""Word lists that keep short originals apart from ordinary text, read once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files


@cache
def ordinary_words() -> frozenset[str]:
    """English names that are also ordinary words, in lower case."""
    return frozenset(word for line in _lines("ordinary_words.txt") for word in line.split())


@cache
def words_before() -> Mapping[str, frozenset[str]]:
    """Chinese surname to the characters that, before it, make an ordinary word with it."""
    pairs = (line.split() for line in _lines("words_before.txt"))
    return {surname: frozenset(before) for surname, before in pairs}


def _lines(name: str) -> Iterator[str]:
    content = files("memwarden.fence.scrub").joinpath("data", name).read_text(encoding="utf-8")
    for line in content.splitlines():
        if line and not line.startswith("#"):
            yield line
