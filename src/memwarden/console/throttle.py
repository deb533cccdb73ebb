"""How often somebody may fail to sign in before they have to wait."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WINDOW: Final = timedelta(minutes=15)
_MOST_KEYS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """Failures within ``WINDOW``: of one name from one address, of one address, of one name.

    The last is wide, so that a stranger cannot easily lock a reviewer out.
    """

    pair: int = 5
    address: int = 20
    name: int = 50


class Throttle:
    """Counts failures; a success forgives those of its own pair."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._lock = threading.Lock()
        self._failures: OrderedDict[tuple[str, str], deque[datetime]] = OrderedDict()

    def wait(self, name: str, address: str, now: datetime) -> timedelta:
        """How long this attempt has to wait; zero if it may be made."""
        with self._lock:
            waits = [self._wait(key, most, now) for key, most in self._keys(name, address)]
        return max(waits)

    def failed(self, name: str, address: str, now: datetime) -> None:
        with self._lock:
            for key, _ in self._keys(name, address):
                self._failures.setdefault(key, deque()).append(now)
                self._failures.move_to_end(key)
            while len(self._failures) > _MOST_KEYS:
                self._failures.popitem(last=False)

    def succeeded(self, name: str, address: str) -> None:
        with self._lock:
            self._failures.pop((name, address), None)

    def _keys(self, name: str, address: str) -> tuple[tuple[tuple[str, str], int], ...]:
        bounds = self._bounds
        return (
            ((name, address), bounds.pair),
            (("", address), bounds.address),
            ((name, ""), bounds.name),
        )

    def _wait(self, key: tuple[str, str], most: int, now: datetime) -> timedelta:
        failures = self._failures.get(key)
        if failures is None:
            return timedelta(0)
        while failures and now - failures[0] > WINDOW:
            failures.popleft()
        if len(failures) < most:
            return timedelta(0)
        return failures[-most] + WINDOW - now
