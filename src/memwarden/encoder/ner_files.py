"""Reading the files of a spaCy pipeline without spaCy: MessagePack and the arrays inside it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from memwarden.errors import ModelUnavailable

Floats = npt.NDArray[np.float32]

_FIXED: Final[Mapping[int, str]] = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_SIZED: Final[Mapping[int, tuple[str, str]]] = {
    0xC4: ("bin", ">B"), 0xC5: ("bin", ">H"), 0xC6: ("bin", ">I"),
    0xD9: ("str", ">B"), 0xDA: ("str", ">H"), 0xDB: ("str", ">I"),
    0xDC: ("list", ">H"), 0xDD: ("list", ">I"), 0xDE: ("map", ">H"), 0xDF: ("map", ">I"),
}  # fmt: skip
_PLAIN: Final[Mapping[int, object]] = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(path: Path) -> object:
    """The value of one MessagePack file. Raises ModelUnavailable if it is cut or malformed."""
    try:
        return _Unpacker(path.read_bytes()).value()
    except (OSError, struct.error, IndexError, KeyError) as error:
        raise ModelUnavailable(f"cannot read the model file {path.name}; reinstall it") from error


class _Unpacker:
    """A cursor over MessagePack bytes."""

    __slots__ = ("_at", "_raw")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._at = 0

    def value(self) -> object:
        code = self._raw[self._at]
        self._at += 1
        if code < 0x80:
            return code
        if code >= 0xE0:
            return code - 0x100
        if code < 0x90:
            return self._many("map", code & 0x0F)
        if code < 0xA0:
            return self._many("list", code & 0x0F)
        if code < 0xC0:
            return self._many("str", code & 0x1F)
        if code in _PLAIN:
            return _PLAIN[code]
        if code in _FIXED:
            return self._number(_FIXED[code])
        shape, size = _SIZED[code]
        return self._many(shape, int(self._number(size)))

    def _number(self, form: str) -> int | float:
        (number,) = struct.unpack_from(form, self._raw, self._at)
        self._at += struct.calcsize(form)
        return cast("int | float", number)

    def _many(self, shape: str, size: int) -> object:
        if shape == "list":
            return [self.value() for _ in range(size)]
        if shape == "map":
            return _array({self.value(): self.value() for _ in range(size)})
        start, self._at = self._at, self._at + size
        raw = self._raw[start : self._at]
        return raw.decode("utf-8", "surrogatepass") if shape == "str" else raw


def _array(map_: dict[object, object]) -> object:
    """The array that a map stands for (the convention of msgpack-numpy), or the map itself."""
    keys = {key.decode() if isinstance(key, bytes) else key: value for key, value in map_.items()}
    if not keys.get("nd"):
        return map_
    flat = np.frombuffer(cast("bytes", keys["data"]), dtype=np.dtype(cast("str", keys["type"])))
    return flat.reshape(cast("list[int]", keys["shape"]))
