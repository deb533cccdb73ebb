"""Where, at the end of what has arrived of an answer, an original may have begun."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from memwarden.fence.scrub.gaps import passable
from memwarden.fence.scrub.signs import Signs
from memwarden.fence.scrub.wanted import Body, Wanted

_GRAM: Final = 6
_CROWD: Final = 64
"""Beginnings with the same signs that are told apart; more of them count as always possible."""


class Tails:
    """Every beginning of everything wanted, by its first signs."""

    __slots__ = ("_by_gram", "_longest", "_short", "_widest")

    def __init__(self, wanted: Wanted) -> None:
        self._short: set[str] = set()
        self._by_gram: dict[str, list[tuple[Body, int]]] = {}
        self._longest = max((len(body.text) for body in wanted.bodies), default=0)
        owners = {id(body.owner): body.owner for body in wanted.bodies}.values()
        self._widest = max((max(one.gaps.values(), default=0) for one in owners), default=0)
        for body in wanted.bodies:
            for start in body.starts:
                self._note(body, start)

    def open_from(self, text: str, signs: Signs) -> int | None:
        """The first place in ``text`` where something wanted has begun and is not yet complete."""
        read = signs.text
        if not read or not self._longest:
            return None
        if passable(text[int(signs.places[len(read) - 1]) + 1 :], self._widest) is None:
            return None
        for at in range(max(0, len(read) - self._longest), len(read)):
            if self._begun(read, at):
                places = signs.span(at, len(read))
                if self._close(text, places):
                    return places[0]
        return None

    def _close(self, text: str, places: Sequence[int]) -> bool:
        return all(
            right - left <= 1 or passable(text[left + 1 : right], self._widest) is not None
            for left, right in pairwise(places)
        )

    def _note(self, body: Body, start: int) -> None:
        text = body.text
        self._short.update(
            text[start:end] for end in range(start + 1, min(start + _GRAM, len(text)))
        )
        if len(text) - start > _GRAM:
            begun = self._by_gram.setdefault(text[start : start + _GRAM], [])
            if len(begun) < _CROWD:
                begun.append((body, start))

    def _begun(self, read: str, at: int) -> bool:
        arrived = len(read) - at
        if arrived < _GRAM:
            return read[at:] in self._short
        begun = self._by_gram.get(read[at : at + _GRAM], ())
        if len(begun) >= _CROWD:
            return True
        return any(
            len(body.text) - start > arrived and body.text.startswith(read[at:], start)
            for body, start in begun
        )
