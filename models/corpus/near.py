"""Near-duplicates: inside the corpus, and between it and the sets it is judged on."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

SHINGLE: Final = 5
NEAR: Final = 0.7
"""Jaccard similarity of shingles from which two texts count as the same."""

_BANDS: Final = 16
_ROWS: Final = 3
_PRIME: Final = (1 << 61) - 1
_NOT_WORD: Final = re.compile(r"[\W_]+")


def normalised(text: str) -> str:
    """NFKC, case folded, letters and digits only."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


def digest(text: str) -> str:
    return hashlib.sha256(normalised(text).encode()).hexdigest()[:16]


def near_pairs(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs (i, j) where ``left[i]`` and ``right[j]`` share most of their shingles."""
    left_shingles = [_shingles(text) for text in left]
    right_shingles = [_shingles(text) for text in right]
    buckets: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for j, shingles in enumerate(right_shingles):
        for band in _bands(shingles):
            buckets[band].append(j)
    pairs = {
        (i, j)
        for i, shingles in enumerate(left_shingles)
        for band in _bands(shingles)
        for j in buckets.get(band, ())
    }
    return sorted((i, j) for i, j in pairs if _jaccard(left_shingles[i], right_shingles[j]) >= NEAR)


def _shingles(text: str) -> frozenset[int]:
    plain = normalised(text)
    pieces = {plain[i : i + SHINGLE] for i in range(max(len(plain) - SHINGLE + 1, 1))}
    return frozenset(
        int.from_bytes(hashlib.blake2b(piece.encode(), digest_size=7).digest()) for piece in pieces
    )


def _bands(shingles: frozenset[int]) -> Iterable[tuple[int, ...]]:
    values = np.fromiter(shingles, dtype=np.uint64, count=len(shingles))
    mixed = (values[:, None] ^ _MASKS[None, :]) * np.uint64(0x9E3779B97F4A7C15)
    least = mixed.min(axis=0)
    for band in range(_BANDS):
        yield (band, *least[band * _ROWS : (band + 1) * _ROWS].tolist())


def _jaccard(left: frozenset[int], right: frozenset[int]) -> float:
    return len(left & right) / max(len(left | right), 1)


_MASKS: Final = np.random.default_rng(7).integers(0, _PRIME, _BANDS * _ROWS, dtype=np.uint64)
