"""An answer on its way: pieces go in, what is sure to be harmless comes out at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from memwarden.fence.scrub.layers import Layer, layers, settled
from memwarden.fence.scrub.look import look
from memwarden.fence.scrub.owner import Owner
from memwarden.fence.scrub.places import NUMBER_SIGNS, Document, fit, stand_in
from memwarden.fence.scrub.signs import Signs
from memwarden.fence.scrub.tails import Tails
from memwarden.fence.scrub.wanted import Wanted
from memwarden.model import Span

_CONTEXT: Final = 600
"""Characters that are remembered after they went out: what stands left of a find matters."""

_SHORT: Final = 256
"""Characters up to which a find is short, so that it can be seen whole in what is remembered."""
_CHAIN: Final = 512
"""Characters that overlapping short finds may make together."""
_SPARSE: Final = 1_000
"""Characters between escapes from which on it pays to look only around the escapes."""
_HALF: Final = re.compile("[\ud800-\udbff]")


class Taken(NamedTuple):
    """A span of the answer that is to go, and whose original it holds most of."""

    start: int
    end: int
    owner: Owner


@dataclass(slots=True)
class Flow:
    """The state of one answer. Give it pieces with ``feed`` and say with ``finish`` that the
    answer is complete; the outputs together are the scrubbed answer, however it was cut."""

    wanted: Wanted = field(repr=False)
    tails: Tails = field(repr=False)
    phrase: str | None = None
    _before: str = field(default="", repr=False)
    _held: str = field(default="", repr=False)
    _document: Document = field(default_factory=Document, repr=False)

    def feed(self, piece: str) -> str:
        """Take in a piece; return what can go out now, possibly nothing."""
        self._held = _paired(self._held + piece)
        return self._advance(final=False)

    def finish(self) -> str:
        """Return the rest. The flow is then ready for another answer."""
        out = self._advance(final=True)
        self._before, self._held, self._document = "", "", Document()
        return out

    @property
    def held(self) -> int:
        """Code points that have arrived and not gone out."""
        return len(self._held)

    def _advance(self, *, final: bool) -> str:
        if not self._held:
            return ""
        text, base = self._before + self._held, len(self._before)
        readings = tuple(layers(text, final=final))
        taken, limit = self._seen(readings, base, final=final)
        if not final:
            limit = self._cut(text, base, readings, taken, limit)
        out = self._written(text, base, limit, taken)
        keep = max(0, limit - _CONTEXT)
        for layer in readings:
            keep = layer.uncut(keep)
        self._before, self._held = text[keep:limit], text[limit:]
        return out

    def _seen(
        self, readings: Sequence[Layer], base: int, *, final: bool
    ) -> tuple[list[Taken], int]:
        """What must go, and how far the answer is settled."""
        taken: list[Taken] = []
        text = readings[0].text
        limit = len(text) - (not final and bool(_HALF.match(text[-1:])))
        for layer in readings:
            signs = Signs(layer.text)
            ranges = self._ranges(layer, signs, base)
            for found in look(self.wanted, layer.text, signs, ranges):
                start, end = _around(readings, *layer.locate(found.start, found.end))
                if end <= base:
                    continue
                start = max(start, base)
                if found.sure or final:
                    taken.append(Taken(start, end, found.owner))
                else:
                    limit = min(limit, start)
            if not final:
                opened = self.tails.open_from(layer.text, signs)
                if opened < len(layer.text):
                    limit = min(limit, layer.locate(opened, opened + 1)[0])
                escape = settled(layer.text)
                if escape < len(layer.text):
                    limit = min(limit, layer.locate(escape, escape + 1)[0])
        return _merged(taken), max(base, limit)

    def _ranges(self, layer: Layer, signs: Signs, base: int) -> list[Span]:
        """The signs where something new may begin: those that have not gone out, and in a layer
        with few escapes only those near an escape or near the end (which an unfinished escape
        may have cut off), for elsewhere it says what the one above says."""
        reach = self.wanted.reach
        low, high = 0, len(signs.text)
        if base:
            low = int(signs.places.searchsorted(layer.position(base))) - min(reach, _SHORT)
        if layer.above is None or len(layer.pieces) > len(layer.text) // _SPARSE:
            return [(max(0, low), high)]
        ranges: list[Span] = []
        end = len(layer.text)
        for start, stop in (*((piece.start, piece.end) for piece in layer.pieces), (end, end)):
            first = max(0, low, int(signs.places.searchsorted(start)) - reach)
            last = int(signs.places.searchsorted(stop)) + reach
            if ranges and first <= ranges[-1][1]:
                ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
            elif first < last:
                ranges.append((first, last))
        return ranges

    def _cut(
        self, text: str, base: int, readings: Sequence[Layer], taken: Sequence[Taken], limit: int
    ) -> int:
        """The last place up to ``limit`` that cuts through nothing."""
        while True:
            at = limit
            for layer in readings:
                at = layer.uncut(at)
            for one in taken:
                if one.start < at < one.end:
                    at = one.start
            if self._document.after(text[base:at]).bare:
                while at > base and text[at - 1] in NUMBER_SIGNS:
                    at -= 1
            at = max(at, base)
            if at == limit:
                return at
            limit = at

    def _written(self, text: str, base: int, limit: int, taken: Sequence[Taken]) -> str:
        pieces: list[str] = []
        read = base
        for one in taken:
            if one.end > limit:
                break
            self._document = self._document.after(text[read : one.start])
            start, end = one.start, one.end
            expecting = self._document.expecting(text[start:end])
            if expecting.bare and NUMBER_SIGNS.issuperset(text[start:end]):
                start, end = _whole_number(text, read, start, end, limit)
            pieces.append(text[read:start])
            pieces.append(self._instead(text, start, end, one.owner))
            self._document = self._document.after(text[one.start : end])
            read = end
        self._document = self._document.after(text[read:limit])
        pieces.append(text[read:limit])
        return "".join(pieces)

    def _instead(self, text: str, start: int, end: int, owner: Owner) -> str:
        protected = owner.protected
        said = self.phrase if self.phrase is not None else fit(protected.replacement)
        left = text[max(0, start - _CONTEXT) : start]
        taken = text[start:end]
        return stand_in(taken, protected.original, said, left, self._document.expecting(taken))


def _around(readings: Sequence[Layer], start: int, end: int) -> tuple[int, int]:
    """The span widened to whole escapes, so that none is left in halves."""
    for layer in readings:
        start, end = layer.widened(start, end)
    return start, end


def _merged(taken: list[Taken]) -> list[Taken]:
    """Disjoint spans in order. What overlaps goes as one, in the name of the longest; but an
    endless chain of short ones (1 1 1 1 ...) is cut into links, or it would be waited for."""
    merged: list[Taken] = []
    best = 0
    for one in sorted(taken, key=lambda each: (each.start, -each.end, _name(each))):
        last = merged[-1] if merged else Taken(0, 0, one.owner)
        if one.start >= last.end or not _linked(last, one):
            merged.append(Taken(max(one.start, last.end), one.end, one.owner))
            best = one.end - merged[-1].start
            continue
        start = max(one.start, last.start)
        alike = one.end - start == best and start == last.start and _name(one) < _name(last)
        owner = one.owner if alike or one.end - start > best else last.owner
        best = max(best, one.end - start)
        merged[-1] = Taken(last.start, max(last.end, one.end), owner)
    return merged


def _name(taken: Taken) -> str:
    return taken.owner.protected.replacement


def _linked(last: Taken, one: Taken) -> bool:
    """Whether one span goes into the name of the one before that it overlaps."""
    length = one.end - one.start
    return one.end - last.start <= max(_CHAIN, length) or one.end <= last.end or length > _SHORT


def _whole_number(text: str, low: int, start: int, end: int, high: int) -> tuple[int, int]:
    while start > low and text[start - 1] in NUMBER_SIGNS:
        start -= 1
    while end < high and text[end] in NUMBER_SIGNS:
        end += 1
    return start, end


def _paired(text: str) -> str:
    """Two halves of a surrogate pair that arrived apart, joined."""
    if text.isascii() or not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
