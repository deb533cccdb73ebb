"""``read``: all the readings of one text.

The first reading is the original, the second the folded text. Others are made only where a cheap
look says that there may be something to read: a skeleton (letters of other scripts taken for the
Latin ones they look like), leet, joined, rot13, reversed, and decoded layers down to ``DEPTH``,
each decoded in place and then read in all these ways again. No codec makes a text longer and no
character folds to more than four, so all readings together are a bounded multiple of the text.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

from memwarden.model import Span, Views
from memwarden.text.ciphers import rot13, unleet
from memwarden.text.decoding import CODECS, decode
from memwarden.text.folding import cleaning, folding, skeleton
from memwarden.text.joining import joins
from memwarden.text.looks import folded_looks, original_looks
from memwarden.text.mapping import Backwards, Map, PerCharacter, Replacement, Same, splice
from memwarden.text.oddities import name_oddities
from memwarden.text.segments import segments
from memwarden.text.smuggling import smuggled

DEPTH: Final = 3
"""How many layers of encoding are taken off."""

_CODECS: Final = frozenset(CODECS)
_HIDDEN: Final = frozenset(("tags", "selectors", "bits"))
_SAME: Final = Same()


class Reading:
    """One reading (a ``View``). ``parent`` is the reading it was made of, by way of ``map``."""

    __slots__ = ("layer", "map", "parent", "text")

    def __init__(
        self, layer: str, text: str, parent: Reading | None = None, way: Map = _SAME
    ) -> None:
        self.layer = layer
        self.text = text
        self.parent = parent
        self.map = way

    def __repr__(self) -> str:
        return f"Reading({self.layer!r}, {len(self.text)} characters)"

    def span(self, start: int, end: int) -> Span:
        """The code points of the original that ``text[start:end]`` was read from."""
        reading = self
        while reading.parent is not None:
            start, end = reading.map.locate(start, end)
            reading = reading.parent
        return (start, end)


def read(text: str) -> Views:
    """Return the readings, segments and layout oddities of one part."""
    original = Reading("original", text)
    odd = frozenset() if text.isascii() else original_looks()(text)
    readings = (original, *_all_layers(original, odd))
    return Views(readings, segments(text), name_oddities(text, odd))


def _all_layers(original: Reading, odd: frozenset[str]) -> Iterator[Reading]:
    yield from _layers(original, "", odd)
    if odd & _HIDDEN:
        runs = smuggled(original.text)
        if runs:
            revealed = _spliced(original, runs)
            yield from _layers(revealed, revealed.layer, odd)


def _layers(source: Reading, prefix: str, odd: frozenset[str]) -> Iterator[Reading]:
    """The readings of ``source`` and of what is decoded from it."""
    for depth in range(DEPTH + 1):
        looks = yield from _canonical(source, prefix, odd)
        codecs = looks & _CODECS
        if depth == DEPTH or not codecs:
            return
        clean = _clean(source)
        runs = decode(clean.text, codecs)
        if not runs:
            return
        source = _spliced(clean, runs)
        prefix = f"{prefix}>{source.layer}" if prefix else source.layer
        odd = frozenset() if source.text.isascii() else original_looks()(source.text)


def _canonical(
    source: Reading, prefix: str, odd: frozenset[str]
) -> Generator[Reading, None, frozenset[str]]:
    """Folded, skeleton, leet, joined, rotated, reversed. Returns what the look at it said."""
    text = source.text
    folded = text.translate(folding())
    base = Reading(prefix or "folded", folded, source, _way(text, folded))
    yield base
    looks = folded_looks()(folded)
    if "skeleton" in odd:
        plain = text.translate(skeleton())
        base = Reading(_name(prefix, "skeleton"), plain, source, PerCharacter(text, skeleton()))
        yield base
        looks |= folded_looks()(plain)
    if looks:
        yield from _disguises(base, prefix, looks)
    return looks


def _disguises(base: Reading, prefix: str, looks: frozenset[str]) -> Iterator[Reading]:
    if "rot13" in looks:
        yield Reading(_name(prefix, "rot13"), rot13(base.text), base)
    if "reversed" in looks:
        back = Backwards(len(base.text))
        yield Reading(_name(prefix, "reversed"), base.text[::-1], base, back)
    bases = [base]
    if "leet" in looks:
        strokes = "il" if "1" in base.text else "i"
        bases = [Reading(_name(prefix, "leet"), unleet(base.text, s), base) for s in strokes]
        yield from bases
    if "joined" in looks:
        for apart in bases:
            runs = joins(apart.text)
            if runs:
                joined, way = splice(apart.text, runs)
                yield Reading(_name(prefix, "joined"), joined, apart, way)


def _clean(source: Reading) -> Reading:
    """The source without invisible characters, case kept: what decoders look at."""
    if source.text.isascii():
        return source
    text = source.text.translate(cleaning())
    return Reading("clean", text, source, PerCharacter(source.text, cleaning()))


def _spliced(source: Reading, runs: Sequence[Replacement]) -> Reading:
    text, way = splice(source.text, runs)
    codecs = dict.fromkeys(run.codec for run in runs)
    return Reading("+".join(codecs), text, source, way)


def _way(text: str, folded: str) -> Map:
    """Folding ASCII can only drop control characters, so equal length means nothing moved."""
    if len(text) == len(folded) and text.isascii():
        return _SAME
    return PerCharacter(text, folding())


def _name(prefix: str, layer: str) -> str:
    return f"{prefix}>{layer}" if prefix else layer
