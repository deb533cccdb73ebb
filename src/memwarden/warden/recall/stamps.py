"""Stamps that were verified before: the same stamp on the same text need not be verified twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from memwarden import stamp
from memwarden.keys import TenantKeys
from memwarden.stamp import Stamp
from memwarden.warden.ports import Stored
from memwarden.warden.recall.digests import parts_digest

_REMEMBERED: Final = 65_536


class Stamps:
    """Verifies stamps and remembers the outcome, by everything that it depends on: the tenant's
    key, the id, every field with its type, and the text (by digest). Safe to use from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, Stamp | None] = OrderedDict()

    def said(
        self, tenant: str, keys: TenantKeys | None, stored: Stored, memory_id: str
    ) -> Stamp | None:
        """What a stamp says, if it is whole, ours and about this very memory; otherwise None."""
        if keys is None or not stored.stamp:
            return None
        fields = stored.stamp
        key = (
            tenant,
            keys.stamps,
            memory_id,
            tuple(fields.items()),
            tuple(map(type, fields.values())),
            parts_digest(stored.parts),
        )
        try:
            if key in self._known:
                return self._known[key]
        except (TypeError, KeyError):
            # A field that no stamp has, or an outcome that was dropped this very moment.
            return _verified(tenant, keys, stored, memory_id)
        found = _verified(tenant, keys, stored, memory_id)
        with self._lock:
            self._known[key] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


def _verified(tenant: str, keys: TenantKeys, stored: Stored, memory_id: str) -> Stamp | None:
    return stamp.verify(
        keys.stamps, stored.stamp, tenant=tenant, memory_id=memory_id, parts=stored.parts
    )
