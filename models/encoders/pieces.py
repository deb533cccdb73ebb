"""Reads a SentencePiece model (a protobuf) without its library: pieces, scores, normaliser."""

from __future__ import annotations

import base64
import struct
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

_PIECES, _NORMALISER, _CHARSMAP = 1, 3, 2
_PIECE, _SCORE = 1, 2
_VARINT, _LONG, _BYTES, _FLOAT = 0, 1, 2, 5
_FIXED: Final = {_LONG: 8, _FLOAT: 4}


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a Unigram tokenizer is made of. ``charsmap`` is base64."""

    names: tuple[str, ...]
    scores: tuple[float, ...]
    charsmap: str


def read_pieces(content: bytes) -> Pieces:
    top = _fields(content)
    entries = [_fields(entry) for entry in top[_PIECES]]
    named = [entry for entry in entries if _PIECE in entry]
    charsmap = _fields(top[_NORMALISER][0])[_CHARSMAP][0]
    return Pieces(
        names=tuple(entry[_PIECE][0].decode() for entry in named),
        scores=tuple(
            struct.unpack("<f", entry[_SCORE][0])[0] if _SCORE in entry else 0.0 for entry in named
        ),
        charsmap=base64.b64encode(charsmap).decode(),
    )


def _fields(content: bytes) -> dict[int, list[bytes]]:
    """The raw fields of one message by number; varints are skipped, none is needed."""
    found: dict[int, list[bytes]] = defaultdict(list)
    place = 0
    while place < len(content):
        key, place = _varint(content, place)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            _, place = _varint(content, place)
            continue
        if wire == _BYTES:
            size, place = _varint(content, place)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise ValueError(f"wire type {wire} is not known")
        found[number].append(content[place : place + size])
        place += size
    return found


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place
