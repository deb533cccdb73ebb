"""Finding thousands of patterns in one pass: a table of what their first signs hash to.

The table answers for every place of a text at once, in a few passes of array arithmetic, whether
one of the patterns may begin there. Only places that pass are compared with the patterns
themselves, so the time depends on the length of the text and hardly on how many patterns there
are. (A Bloom filter over short prefixes, asked twice.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]

LONGEST: Final = 6
"""Signs of a pattern that are hashed; the rest is compared."""
_ROOM: Final = 32
_LEAST_BITS, _MOST_BITS = 10, 20
_A: Final = 0x9E3779B1
_A2: Final = _A * _A & 0xFFFFFFFF
_MIX: Final = 0x85EBCA6B


class Grams:
    """Tells where in a text one of ``patterns`` may begin. It errs only by naming too many."""

    __slots__ = ("_shift", "_tables")

    def __init__(self, patterns: Iterable[str]) -> None:
        import numpy as np

        by_length: dict[int, set[str]] = {}
        for pattern in patterns:
            by_length.setdefault(min(LONGEST, len(pattern)), set()).add(pattern[:LONGEST])
        count = max(map(len, by_length.values()), default=0)
        bits = min(_MOST_BITS, max(_LEAST_BITS, (_ROOM * count).bit_length()))
        self._shift = np.uint32(32 - bits)
        self._tables: dict[int, NDArray[np.bool_]] = {}
        for length, firsts in by_length.items():
            table = np.zeros(1 << bits, dtype=np.bool_)
            hashed = self._hashed(codes_of("".join(firsts)), length)[::length]
            table[hashed >> self._shift] = True
            table[(hashed * np.uint32(_A)) >> self._shift] = True
            self._tables[length] = table

    def places(self, codes: Codes) -> Iterator[tuple[int, Sequence[int]]]:
        """(length, places): where a pattern of that many signs, or of LONGEST and more, may be."""
        import numpy as np

        for length, table in self._tables.items():
            if len(codes) >= length:
                hashed = self._hashed(codes, length)
                places = np.flatnonzero(table[hashed >> self._shift])
                again = (hashed[places] * np.uint32(_A)) >> self._shift
                yield length, places[table[again]].tolist()

    def _hashed(self, codes: Codes, length: int) -> Codes:
        """One number for every run of ``length`` signs, in arithmetic modulo 2 to the 32."""
        import numpy as np

        a, a2 = np.uint32(_A), np.uint32(_A2)
        whole, taken = codes, 1
        if length >= 2:
            whole, taken = codes[:-1] * a + codes[1:], 2
        if length >= 4:
            pairs = whole
            whole, taken = whole[:-2] * a2 + whole[2:], 4
            if length >= 6:
                whole, taken = whole[:-2] * a2 + pairs[4:], 6
        if taken < length:
            whole = whole[:-1] * a + codes[length - 1 :]
        mixed: Codes = (whole ^ (whole >> np.uint32(15))) * np.uint32(_MIX)
        return mixed


def codes_of(text: str) -> Codes:
    """The code points of ``text``."""
    import numpy as np

    if text.isascii():
        return np.frombuffer(text.encode(), dtype=np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
