"""Maps from a reading back to the text it was made of. Built when they are asked."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from memwarden.model import Span


class Map(Protocol):
    """Turns a span of a derived text into the span of its source text."""

    def locate(self, start: int, end: int) -> Span: ...


class Same:
    """The derived text has the same length, character by character."""

    __slots__ = ()

    def locate(self, start: int, end: int) -> Span:
        return (start, end)


class Backwards:
    """The derived text is the source, last character first."""

    __slots__ = ("_length",)

    def __init__(self, length: int) -> None:
        self._length = length

    def locate(self, start: int, end: int) -> Span:
        return (self._length - end, self._length - start)


class PerCharacter:
    """Every source character became zero or more characters, as the table says."""

    __slots__ = ("_origins", "_source", "_table")

    def __init__(self, source: str, table: Mapping[int, str]) -> None:
        self._source = source
        self._table = table
        self._origins: Sequence[int] | None = None

    def locate(self, start: int, end: int) -> Span:
        origins = self._origins
        if origins is None:
            origins = self._origins = self._build()
        if not origins:
            return (0, len(self._source))
        first = origins[min(start, len(origins) - 1)]
        if end <= start:
            return (first, first)
        return (first, origins[end - 1] + 1)

    def _build(self) -> Sequence[int]:
        table = self._table
        if all(len(table[ord(char)]) == 1 for char in set(self._source)):
            return range(len(self._source))
        origins = array("I")
        for index, char in enumerate(self._source):
            for _ in table[ord(char)]:
                origins.append(index)
        return origins


class Piece(NamedTuple):
    """A replaced run: ``source_start:source_end`` became ``start:end`` of the derived text."""

    start: int
    end: int
    source_start: int
    source_end: int


class Spliced:
    """Runs of the source were replaced (a removal is a replacement by nothing)."""

    __slots__ = ("_pieces", "_starts")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]

    def locate(self, start: int, end: int) -> Span:
        first = self._first(start)
        return (first, max(first, self._last(end))) if end > start else (first, first)

    def _first(self, position: int) -> int:
        """The source position where the derived character at ``position`` begins."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return position
        piece = self._pieces[index]
        if position < piece.end:
            return piece.source_start
        return piece.source_end + position - piece.end

    def _last(self, end: int) -> int:
        """The source position where the derived character before ``end`` ends."""
        index = bisect_right(self._starts, end - 1) - 1
        if index < 0:
            return end
        piece = self._pieces[index]
        if end <= piece.end:
            return piece.source_end
        return piece.source_end + end - piece.end


class Replacement(NamedTuple):
    """``source[start:end]`` is to be read as ``text``; ``codec`` tells how that was found."""

    start: int
    end: int
    text: str
    codec: str = ""


def splice(source: str, replacements: Sequence[Replacement]) -> tuple[str, Spliced]:
    """Replace ascending, disjoint runs; return the derived text and its map."""
    output: list[str] = []
    pieces: list[Piece] = []
    length = position = 0
    for run in replacements:
        output += (source[position : run.start], run.text)
        length += run.start - position
        pieces.append(Piece(length, length + len(run.text), run.start, run.end))
        length += len(run.text)
        position = run.end
    output.append(source[position:])
    return "".join(output), Spliced(pieces)
