"""What an original looks like inside base64, wherever in the encoded text it may stand.

Base64 reads three bytes at a time, so an original has three faces, by where in a group of three
it begins. The characters that its neighbours share with it are left off.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final, NamedTuple

_SHORTEST_INSIDE: Final = 7
"""Characters a face needs to be looked for inside longer runs. A shorter one must stand alone."""
_SHORTEST_ALONE: Final = 4
"""Bytes that an original needs to be looked for as a run of its own."""
_URL_SAFE: Final = str.maketrans("-_", "+/")
_BREAKS: Final = "\r\n"
_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")


class Face(NamedTuple):
    """``text`` in the standard alphabet. ``alone``: only a run that is nothing else counts."""

    text: str
    alone: bool


def faces(original: str) -> Iterator[Face]:
    """Every face of ``original`` and of its usual spellings, without repetition."""
    seen: set[str] = set()
    for spelling in _spellings(original):
        for face in _faces_of(spelling.encode("utf-8", "replace")):
            if face.text not in seen:
                seen.add(face.text)
                yield face


def run_at_end(text: str, most: int) -> tuple[str, list[int]]:
    """The base64 that ``text`` ends with, in the standard alphabet and without line breaks, and
    the places of its characters."""
    places: list[int] = []
    for place in range(len(text) - 1, -1, -1):
        char = text[place]
        if len(places) == most or not (char in _ALPHABET or char in _BREAKS):
            break
        if char not in _BREAKS:
            places.append(place)
    places.reverse()
    return "".join(text[place] for place in places).translate(_URL_SAFE), places


def shows(face: Face, text: str, start: int, end: int) -> bool | None:
    """Whether ``text[start:end]`` is this face; None if what follows has yet to tell."""
    written = text[start:end].replace("\n", "").replace("\r", "").translate(_URL_SAFE)
    if written != face.text:
        return False
    if not face.alone:
        return True
    if start > 0 and text[start - 1] in _ALPHABET:
        return False
    return None if end == len(text) else text[end] not in _ALPHABET


def _spellings(original: str) -> dict[str, None]:
    compact = "".join(char for char in original if char.isalnum())
    forms = (original, original.lower(), original.upper(), original.title(), compact)
    return dict.fromkeys(form for form in forms if form)


def _faces_of(plain: bytes) -> Iterator[Face]:
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + plain).decode().rstrip("=")
        lead = (0, 2, 3)[shift]
        tail = 1 if (shift + len(plain)) % 3 else 0
        inside = text[lead : len(text) - tail].strip("+/")
        if len(inside) >= _SHORTEST_INSIDE:
            yield Face(inside, alone=False)
    if len(plain) >= _SHORTEST_ALONE:
        yield Face(base64.b64encode(plain).decode().rstrip("=").strip("+/"), alone=True)
