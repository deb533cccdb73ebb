"""How often a reader asks: sliding windows in this process's memory.

Each process counts for itself, so that a recall costs no write; behind several processes the
bound is that many times larger.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from memwarden.errors import ReadLimit

_MINUTE: Final = 60.0
_HOUR: Final = 3600.0
_READERS: Final = 16_384


class Quota:
    """Recalls per reader in the last minute. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._asked: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def count(self, tenant: str, name: str, limit: int) -> None:
        """Count one recall. Raises ReadLimit, counting nothing, where ``limit`` is reached."""
        now = self._clock()
        with self._lock:
            asked = self._asked.setdefault((tenant, name), deque())
            self._asked.move_to_end((tenant, name))
            while asked and asked[0] <= now - _MINUTE:
                asked.popleft()
            if len(asked) >= limit:
                raise ReadLimit(
                    f"this reader has recalled {limit} times within a minute, which is"
                    " limits.recall_per_minute of this tenant; nothing was read, wait a moment"
                )
            asked.append(now)
            while len(self._asked) > _READERS:
                self._asked.popitem(last=False)


class Touches:
    """Which honeytokens a reader touched within the last hour. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._touched: OrderedDict[tuple[str, str], dict[str, float]] = OrderedDict()

    def count(self, tenant: str, name: str, token: str) -> int:
        """Note that ``token`` was touched; says how many different ones this hour."""
        now = self._clock()
        with self._lock:
            touched = self._touched.setdefault((tenant, name), {})
            self._touched.move_to_end((tenant, name))
            for old in [one for one, at in touched.items() if at <= now - _HOUR]:
                del touched[old]
            touched[token] = now
            while len(self._touched) > _READERS:
                self._touched.popitem(last=False)
            return len(touched)
