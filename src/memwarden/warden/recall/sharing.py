"""No origin fills an answer alone: a cap on each one's share in a result."""

from __future__ import annotations

import math
from collections import Counter

from memwarden.model import Memory, Tier


class Share:
    """Takes memories, nearest first, until an origin has its share of a result of ``limit``.

    Everyone may have one. A system of record and the reader's own words (``own``: writer digests)
    are not capped: neither is somebody else filling the answer. All memories without a stamp
    count as one origin.
    """

    def __init__(self, share: float, limit: int, own: frozenset[str] = frozenset()) -> None:
        self._room = max(1, math.floor(share * limit + 1e-9)) if share < 1.0 else None
        self._own = own
        self._taken: Counter[str] = Counter()

    def takes(self, memory: Memory) -> bool:
        """Whether there is still room for this one; it then counts."""
        if self._room is None:
            return True
        if memory.stamped and (memory.tier is Tier.AUTHORITATIVE or memory.writer in self._own):
            return True
        self._taken[memory.origin_digest] += 1
        return self._taken[memory.origin_digest] <= self._room
