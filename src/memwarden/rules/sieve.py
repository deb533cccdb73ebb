"""One pass over a text that says which patterns can be there at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ahocorasick_rs

_EDGE: Final = b"\x00"
_ONLY_WORDS: Final = bytes(
    code if chr(code).isascii() and (chr(code).isdigit() or chr(code).islower()) else 0
    for code in range(256)
)
"""Every byte that is no lower-case letter or digit becomes an edge."""


class Sieve:
    """Patterns by what they demand: one literal out of each of their sets.

    Sets of literals are bits of a mask. Each pattern is led by its first, most telling set: only
    where a literal of that one is met are the pattern's other sets asked for. With ``only_words``
    the literals are whole words (see ``literals.EDGE``) and the text is seen as words too.
    """

    __slots__ = ("_always", "_finder", "_led", "_masks", "_only_words")

    def __init__(
        self, wanted: Mapping[int, tuple[frozenset[str], ...]], *, only_words: bool
    ) -> None:
        self._only_words = only_words
        self._always = frozenset(index for index, sets in wanted.items() if not sets)
        bits: dict[frozenset[str], int] = {}
        leads: dict[frozenset[str], list[tuple[int, int]]] = defaultdict(list)
        for index, sets in wanted.items():
            mask = 0
            for each in sets:
                mask |= 1 << bits.setdefault(each, len(bits))
            if sets:
                leads[sets[0]].append((index, mask))
        self._masks: list[int] = []
        self._led: list[list[tuple[int, int]]] = []
        self._finder = self._build(bits, leads)

    def _build(
        self,
        bits: Mapping[frozenset[str], int],
        leads: Mapping[frozenset[str], list[tuple[int, int]]],
    ) -> ahocorasick_rs.BytesAhoCorasick:
        import ahocorasick_rs

        by_literal: dict[bytes, set[frozenset[str]]] = defaultdict(set)
        for literals in bits:
            for literal in literals:
                by_literal[self._seen(literal.encode())].add(literals)
        for found_in in by_literal.values():
            self._masks.append(sum(1 << bits[literals] for literals in found_in))
            self._led.append([led for literals in found_in for led in leads.get(literals, ())])
        return ahocorasick_rs.BytesAhoCorasick(list(by_literal))

    def possible(self, raw: bytes) -> frozenset[int] | set[int]:
        """The patterns all of whose demands a text meets. ``raw`` is the text in UTF-8."""
        seen = _EDGE + self._seen(raw) + _EDGE if self._only_words else raw
        matches = self._finder.find_matches_as_indexes(seen, overlapping=True)
        if not matches:
            return self._always
        met = 0
        led: list[tuple[int, int]] = []
        for literal in {match[0] for match in matches}:
            met |= self._masks[literal]
            led += self._led[literal]
        return {index for index, mask in led if mask & met == mask}.union(self._always)

    def _seen(self, raw: bytes) -> bytes:
        return raw.translate(_ONLY_WORDS) if self._only_words else raw
