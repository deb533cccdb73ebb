"""Reading a text as signs: its letters and digits alone, folded, with the way back.

Case, width, spacing, punctuation, invisible characters, accents, traditional Chinese and Chinese
numerals all fall away, so that an original and everything it may be disguised as read alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

import unicodedata2

from memwarden.fence.scrub.grams import codes_of
from memwarden.text.folding import skeleton

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Places = NDArray[np.int64]

_UNMET: Final = 255
_CODES: Final = 0x110000
_CIRCLE: Final = "\u25cb"
"""A circle, which is often typed for the Chinese zero."""

NUMERALS: Final[Mapping[str, str]] = {
    sign: digit
    for digit, signs in {
        "0": "〇零",
        "1": "一壹幺弌",
        "2": "二贰弍",
        "3": "三叁弎",
        "4": "四肆",
        "5": "五伍",
        "6": "六陆",
        "7": "七柒",
        "8": "八捌",
        "9": "九玖",
    }.items()
    for sign in signs
}
"""Chinese numerals, in folded form, as they are read out digit by digit."""


@cache
def signs_of(char: str) -> str:
    """The signs that one character stands for: none for what only separates."""
    folded = "〇" if char == _CIRCLE else skeleton()[ord(char)]
    return "".join(_digit(sign) for sign in folded if sign.isalnum())


def is_numeral(char: str) -> bool:
    """Whether ``char`` is a Chinese numeral, in whatever form it is written."""
    if char.isascii():
        return False
    return char == _CIRCLE or skeleton()[ord(char)] in NUMERALS


def _digit(sign: str) -> str:
    if sign in NUMERALS:
        return NUMERALS[sign]
    return str(unicodedata2.decimal(sign)) if sign.isdecimal() else sign


class Signs:
    """The signs of one text; ``codes`` are their code points."""

    __slots__ = ("_places", "_source", "codes", "text")

    text: str
    codes: Codes

    def __init__(self, source: str) -> None:
        self._source = source
        self._places: Places | None = None
        if source.isascii():
            self.text = source.encode().translate(_LOWER, _SEPARATING).decode()
            self.codes = codes_of(self.text)
        else:
            self.codes = _tables().read(source)
            self.text = self.codes.tobytes().decode("utf-32-le")

    @property
    def places(self) -> Places:
        """Where in the source each sign comes from. Worked out when it is first asked for."""
        if self._places is None:
            self._places = _tables().places(self._source)
        return self._places

    def span(self, start: int, end: int) -> list[int]:
        """The places of ``text[start:end]`` as plain integers."""
        found: list[int] = self.places[start:end].tolist()
        return found


_LOWER: Final = bytes(range(256)).lower()
_SEPARATING: Final = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)


class _Tables:
    """What every code point reads as, filled when it is first met. Filling twice is harmless."""

    def __init__(self) -> None:
        import numpy as np

        self._np = np
        self._width: NDArray[np.uint8] = np.full(_CODES, _UNMET, dtype=np.uint8)
        self._sign: Codes = np.zeros(_CODES, dtype="<u4")

    def read(self, source: str) -> Codes:
        np = self._np
        codes, width = self._met(source)
        if int(width.max(initial=0)) <= 1:
            plain: Codes = self._sign[codes[width == 1]]
            return plain
        signs: Codes = np.repeat(self._sign[codes], width)
        ends = np.cumsum(width, dtype=np.int64)
        for at in np.flatnonzero(width > 1).tolist():
            several = codes_of(signs_of(chr(int(codes[at]))))
            signs[ends[at] - len(several) : ends[at]] = several
        return signs

    def places(self, source: str) -> Places:
        np = self._np
        _, width = self._met(source)
        places: Places = np.flatnonzero(width)
        if int(width.max(initial=0)) > 1:
            places = np.repeat(places, width[places])
        return places

    def _met(self, source: str) -> tuple[Codes, NDArray[np.uint8]]:
        np = self._np
        codes = codes_of(source)
        width = self._width[codes]
        unmet = codes[width == _UNMET]
        if len(unmet):
            for code in np.unique(unmet).tolist():
                self._meet(code)
            width = self._width[codes]
        return codes, width

    def _meet(self, code: int) -> None:
        signs = signs_of(chr(code))
        if len(signs) == 1:
            self._sign[code] = ord(signs)
        self._width[code] = len(signs)


@cache
def _tables() -> _Tables:
    return _Tables()
