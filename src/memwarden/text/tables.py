"""The folding data, read from the package once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Lookalikes(NamedTuple):
    """Code point to Latin letter. ``latin`` is always folded, ``other`` in a reading of its own."""

    latin: dict[int, str]
    other: dict[int, str]


@cache
def lookalikes() -> Lookalikes:
    """Letters that look like a Latin letter (from the Unicode confusables)."""
    sections: dict[str, dict[int, str]] = {"latin": {}, "other": {}}
    current = sections["latin"]
    for line in _lines("lookalikes.txt"):
        if line.startswith("["):
            current = sections[line.strip("[]")]
            continue
        letter, codes = line.split("\t")
        current.update((int(code, 16), letter) for code in codes.split())
    return Lookalikes(sections["latin"], sections["other"])


@cache
def han_variants() -> dict[int, str]:
    """Traditional and variant Chinese characters to their simplified form."""
    pairs = "".join(_lines("han.txt"))
    return {ord(pairs[i]): pairs[i + 1] for i in range(0, len(pairs), 2)}


def _lines(name: str) -> Iterator[str]:
    content = files("memwarden.text").joinpath("data", name).read_text(encoding="utf-8")
    for line in content.splitlines():
        if line and not line.startswith("#"):
            yield line
