"""Readings of short texts, kept so that what every write repeats is read once.

A host's write carries fields such as a status, a language or a time zone whose values come again
and again. Only short texts are kept, by a keyed digest and never as text, and each tenant has
its own: how fast an answer comes tells nobody what another tenant wrote.
"""

from __future__ import annotations

import hashlib
import secrets
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final, Protocol

from memwarden.model import WindowReading

SHORT: Final = 160
"""Longest text that is kept, in code points."""

KEPT: Final = 2_048
"""Most texts that are kept: some 12 MB with vectors of 512 numbers."""

_DIGEST_BYTES: Final = 16

Readings = tuple[WindowReading, ...]


class TextReader(Protocol):
    """Windows of plain texts, by position."""

    def encode(self, texts: Sequence[str], /) -> Sequence[Readings]: ...


@dataclass(frozen=True, slots=True)
class _Packed:
    """A reading with its vector as plain numbers of eight bytes: the same to the last bit."""

    reading: WindowReading
    vector: array[float] = field(repr=False)

    @classmethod
    def of(cls, reading: WindowReading) -> _Packed:
        return cls(replace(reading, vector=()), array("d", reading.vector))

    def unpacked(self) -> WindowReading:
        return replace(self.reading, vector=tuple(self.vector))


class Remembered:
    """An encoder that reads each short text of a tenant once, as long as it is remembered."""

    def __init__(self, reader: TextReader, most: int = KEPT) -> None:
        self._reader = reader
        self._most = most
        self._key = secrets.token_bytes(32)
        self._kept: OrderedDict[bytes, tuple[_Packed, ...]] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str], tenant: str) -> list[Readings]:
        """The readings of each text, by position; what the reader would have said."""
        keys = [self._key_of(text, tenant) for text in texts]
        known = self._known(key for key in keys if key)
        new = [at for at, key in enumerate(keys) if key not in known]
        fresh = dict(zip(new, self._reader.encode([texts[at] for at in new]), strict=True))
        self._keep({keys[at]: readings for at, readings in fresh.items() if keys[at]})
        return [
            fresh[at] if at in fresh else tuple(one.unpacked() for one in known[key])
            for at, key in enumerate(keys)
        ]

    def __len__(self) -> int:
        return len(self._kept)

    def _key_of(self, text: str, tenant: str) -> bytes:
        """Empty for a text that is not kept."""
        if len(text) > SHORT:
            return b""
        named = hashlib.blake2b(tenant.encode(), key=self._key, digest_size=_DIGEST_BYTES)
        named.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        return named.digest()

    def _known(self, keys: Iterable[bytes]) -> dict[bytes, tuple[_Packed, ...]]:
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
            return found

    def _keep(self, fresh: Mapping[bytes, Readings]) -> None:
        packed = {key: tuple(map(_Packed.of, readings)) for key, readings in fresh.items()}
        with self._lock:
            self._kept.update(packed)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
