"""What a memory was made of, through every generation that the ledger knows."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memwarden.errors import UsageError
from memwarden.ledger import find

_DEEPEST: Final = 256
_REMEMBERED: Final = 16_384


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A decision that a memory descends from, itself included. ``source`` is empty where the
    ledger knows nothing of it."""

    id: str
    source: str = ""
    origin: str = ""
    session: str = ""
    stored_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """A memory's ancestors, itself first. ``whole`` is False where there are more than are
    followed; who needs to be sure of them must then assume the worst."""

    ancestors: tuple[Ancestor, ...]
    whole: bool = True

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(one.id for one in self.ancestors)

    @property
    def origins(self) -> frozenset[str]:
        return frozenset(one.origin for one in self.ancestors if one.origin)

    @property
    def sessions(self) -> frozenset[str]:
        return frozenset(one.session for one in self.ancestors if one.session)


class Lineages:
    """Looks lineages up. What was decided never changes, so each is read once per process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Lineage] = OrderedDict()

    def of(self, conn: sqlite3.Connection, tenant: str, decision_id: str) -> Lineage:
        """The lineage of a decision; one unknown to the ledger has itself alone."""
        known = self._known.get((tenant, decision_id))
        if known is not None:
            return known
        found = _followed(conn, tenant, decision_id)
        with self._lock:
            self._known[tenant, decision_id] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


def _followed(conn: sqlite3.Connection, tenant: str, decision_id: str) -> Lineage:
    ancestors: dict[str, Ancestor] = {}
    waiting = [decision_id]
    while waiting:
        one = waiting.pop()
        if one in ancestors:
            continue
        if len(ancestors) == _DEEPEST:
            return Lineage(tuple(ancestors.values()), whole=False)
        try:
            leaf = find(conn, tenant, one).leaf
        except UsageError:
            ancestors[one] = Ancestor(one)
            continue
        ancestors[one] = Ancestor(one, leaf.source, leaf.origin, leaf.session, leaf.at)
        waiting += leaf.derived_from
    return Lineage(tuple(ancestors.values()))
