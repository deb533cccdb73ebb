"""Seeing through escapes: the same answer as its reader will decode it.

An answer may be JSON (perhaps inside JSON), a link or HTML. Every layer keeps the way back, so
that what is found in it is taken out of the answer as it was written.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple
from urllib.parse import unquote

from memwarden.model import Span

_DEEPEST: Final = 3
_H: Final = "[0-9a-fA-F]"
_ESCAPES: Final = {
    "\\": re.compile(
        rf"\\(?:u[dD][89abAB]{_H}{{2}}\\u[dD][c-fC-F]{_H}{{2}}"
        rf"|u(?![dD][89a-fA-F]){_H}{{4}}(?:\\u(?![dD][89a-fA-F]){_H}{{4}})*"
        rf"|u{_H}{{4}}|x{_H}{{2}}|[nrtbf\"'\\/])"
    ),
    "%": re.compile(
        rf"%(?:[0-7]{_H}|[cCdD]{_H}%[89abAB]{_H}|[eE]{_H}(?:%[89abAB]{_H}){{2}}"
        rf"|[fF][0-4](?:%[89abAB]{_H}){{3}})"
    ),
    "&": re.compile(rf"&(?:#[0-9]{{1,7}}|#[xX]{_H}{{1,6}}|amp|lt|gt|quot|apos|nbsp);"),
}
"""By the sign they begin with. A row of plain ``\\uXXXX`` counts as one escape of equal steps."""
_UNFINISHED: Final = re.compile(
    rf"\\(?:x{_H}?|u{_H}{{0,3}}|u[dD][89abAB]{_H}{{2}}(?:\\(?:u{_H}{{0,3}})?)?)?"
    rf"|%{_H}?|%[cCdD]{_H}(?:%[89abAB]?)?"
    rf"|%[eE]{_H}(?:%[89abAB]{_H})?(?:%[89abAB]?)?"
    rf"|%[fF][0-4](?:%[89abAB]{_H}){{0,2}}(?:%[89abAB]?)?"
    rf"|&(?:#[0-9]{{0,7}}|#[xX]{_H}{{0,6}}|[a-z]{{0,4}})"
)
_LONGEST: Final = 12
_SIMPLE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


class Piece(NamedTuple):
    """``source_start:source_end`` of the layer above reads ``start:end`` here, in equal steps."""

    start: int
    end: int
    source_start: int
    source_end: int

    @property
    def step(self) -> int:
        return (self.source_end - self.source_start) // max(1, self.end - self.start)


_SOURCE_START: Final = itemgetter(2)


@dataclass(frozen=True, slots=True)
class Layer:
    """One reading. ``above`` is the reading it was decoded from (None: the answer itself)."""

    text: str
    above: Layer | None = None
    pieces: tuple[Piece, ...] = ()
    starts: tuple[int, ...] = ()

    def locate(self, start: int, end: int) -> Span:
        """The span of the answer that ``text[start:end]`` was decoded from."""
        if self.above is None:
            return start, end
        if end <= start:
            return self.above.locate(self._first(start), self._first(start))
        return self.above.locate(self._first(start), self._last(end))

    def position(self, at: int) -> int:
        """Where in this text stands what stands at ``at`` in the answer (which cuts no escape)."""
        if self.above is None:
            return at
        place = self.above.position(at)
        before = bisect_left(self.pieces, place, key=_SOURCE_START) - 1
        if before < 0:
            return place
        piece = self.pieces[before]
        if place < piece.source_end:
            return piece.start + (place - piece.source_start) // piece.step
        return piece.end + place - piece.source_end

    def uncut(self, at: int) -> int:
        """``at`` (in the answer), or the start of the escape that it would cut in two."""
        return self._edge(at, after=False)

    def widened(self, start: int, end: int) -> Span:
        """The span (of the answer), widened to the whole of every escape that it touches."""
        return self._edge(start, after=False), self._edge(end, after=True)

    def _first(self, position: int) -> int:
        at = bisect_right(self.starts, position) - 1
        if at < 0:
            return position
        piece = self.pieces[at]
        if position < piece.end:
            return piece.source_start + (position - piece.start) * piece.step
        return piece.source_end + position - piece.end

    def _last(self, end: int) -> int:
        at = bisect_right(self.starts, end - 1) - 1
        if at < 0:
            return end
        piece = self.pieces[at]
        if end < piece.end:
            return piece.source_start + (end - piece.start) * piece.step
        return piece.source_end + max(0, end - piece.end)

    def _edge(self, at: int, *, after: bool) -> int:
        if self.above is None:
            return at
        before = self._before(at)
        if before < 0:
            return at
        piece = self.pieces[before]
        if self._span(piece)[1] <= at:
            return at
        for place in range(piece.start, piece.end):
            first, last = self.locate(place, place + 1)
            if first < at < last:
                return last if after else first
        return at

    def _before(self, at: int) -> int:
        """The last piece that begins (in the answer) before ``at``."""
        if self.above is not None and self.above.above is None:
            return bisect_left(self.pieces, at, key=_SOURCE_START) - 1
        return bisect_left(self.pieces, at, key=lambda piece: self._span(piece)[0]) - 1

    def _span(self, piece: Piece) -> Span:
        above = self.above
        return above.locate(piece.source_start, piece.source_end) if above else piece[2:]


def layers(text: str, *, final: bool) -> Iterator[Layer]:
    """The answer itself, and what it says once its escapes are decoded, layer by layer.

    Unless the text is ``final``, a layer ends where an escape begins whose rest is still to come:
    nobody knows yet what stands there.
    """
    layer = Layer(text)
    yield layer
    for _ in range(_DEEPEST):
        deeper = _decoded(layer, len(layer.text) if final else settled(layer.text))
        if deeper is None:
            return
        layer = deeper
        yield layer


def settled(text: str) -> int:
    """Where an escape begins that the end of the text may have cut off (its length: none)."""
    for at in range(max(0, len(text) - _LONGEST), len(text)):
        if text[at] in _ESCAPES and _UNFINISHED.fullmatch(text, at):
            return at
    return len(text)


def _decoded(layer: Layer, end: int) -> Layer | None:
    text = layer.text
    found = [
        token
        for sign, escape in _ESCAPES.items()
        if sign in text
        for token in escape.finditer(text, 0, end)
    ]
    if not found and end == len(text):
        return None
    found.sort(key=re.Match.start)
    decoded, pieces = _spliced(text[:end], found)
    return Layer(decoded, layer, tuple(pieces), tuple(piece.start for piece in pieces))


def _spliced(text: str, found: Sequence[re.Match[str]]) -> tuple[str, list[Piece]]:
    written: list[str] = []
    pieces: list[Piece] = []
    length = read = 0
    for token in found:
        start, end = token.span()
        meaning = _meaning(token[0])
        written += (text[read:start], meaning)
        length += start - read
        pieces.append(Piece(length, length + len(meaning), start, end))
        length += len(meaning)
        read = end
    written.append(text[read:])
    return "".join(written), pieces


def _meaning(token: str) -> str:
    if token[0] == "%":
        return unquote(token, errors="replace")
    if token[0] == "&":
        return html.unescape(token)
    if token[1] == "u":
        units = bytes.fromhex(token.replace("\\u", ""))
        return units.decode("utf-16-be", "surrogatepass")
    if token[1] == "x":
        return chr(int(token[2:], 16))
    return _SIMPLE.get(token[1], token[1])
