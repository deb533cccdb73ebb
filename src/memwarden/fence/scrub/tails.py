"""Where, at the end of what has arrived of an answer, an original may have begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from memwarden.fence.scrub.codes import run_at_end
from memwarden.fence.scrub.edges import may_begin
from memwarden.fence.scrub.gaps import passable
from memwarden.fence.scrub.signs import Signs
from memwarden.fence.scrub.wanted import Wanted

_GRAM: Final = 6
_CROWD: Final = 64
"""Beginnings with the same signs that are told apart; more of them count as always possible."""


class Beginnings:
    """Every beginning of some texts, by its first characters."""

    __slots__ = ("_by_gram", "_short", "longest")

    def __init__(self) -> None:
        self._short: set[str] = set()
        self._by_gram: dict[str, list[tuple[str, int]]] = {}
        self.longest = 0

    def add(self, text: str, start: int = 0) -> None:
        """``text`` is waited for from ``start`` on."""
        self.longest = max(self.longest, len(text) - start)
        self._short.update(
            text[start:end] for end in range(start + 1, min(start + _GRAM, len(text)))
        )
        if len(text) - start > _GRAM:
            begun = self._by_gram.setdefault(text[start : start + _GRAM], [])
            if len(begun) < _CROWD:
                begun.append((text, start))

    def open(self, read: str) -> Iterator[int]:
        """Where in ``read`` one of the texts has begun that goes on after its end, first first."""
        for at in range(max(0, len(read) - self.longest), len(read)):
            if self._begun(read, at):
                yield at

    def _begun(self, read: str, at: int) -> bool:
        arrived = len(read) - at
        if arrived < _GRAM:
            return read[at:] in self._short
        begun = self._by_gram.get(read[at : at + _GRAM], ())
        if len(begun) >= _CROWD:
            return True
        return any(
            len(text) - start > arrived and text.startswith(read[at:], start)
            for text, start in begun
        )


class Tails:
    """Every beginning of everything wanted: of originals in signs, of their faces as written."""

    __slots__ = ("_faces", "_originals", "_widest")

    def __init__(self, wanted: Wanted) -> None:
        self._originals, self._faces = Beginnings(), Beginnings()
        self._widest = 0
        for body in wanted.bodies:
            if body.face:
                self._faces.add(body.face.text)
                continue
            self._widest = max(self._widest, *body.owner.gaps.values(), 0)
            for start in body.starts:
                self._originals.add(body.text, start)

    def open_from(self, text: str, signs: Signs) -> int:
        """The first place in ``text`` where something wanted has begun and is not yet complete;
        its length if there is none."""
        return min(self._original_from(text, signs), self._face_from(text))

    def _original_from(self, text: str, signs: Signs) -> int:
        read = signs.text
        if not read or passable(text[int(signs.places[-1]) + 1 :], self._widest) is None:
            return len(text)
        for at in self._originals.open(read):
            places = signs.span(at, len(read))
            if may_begin(text, places[0]) and self._close(text, places):
                return places[0]
        return len(text)

    def _face_from(self, text: str) -> int:
        read, places = run_at_end(text, self._faces.longest)
        return next((places[at] for at in self._faces.open(read)), len(text))

    def _close(self, text: str, places: Sequence[int]) -> bool:
        return all(
            right - left <= 1 or passable(text[left + 1 : right], self._widest) is not None
            for left, right in pairwise(places)
        )
