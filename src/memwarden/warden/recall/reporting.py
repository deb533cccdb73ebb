"""Telling reviewers what a recall found: quarantine, and the alarm of a honeytoken."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final

import structlog

from memwarden.model import Ruling
from memwarden.warden.books import Books
from memwarden.warden.recall import quarantine
from memwarden.warden.recall.asking import Asked, Vetted
from memwarden.warden.recall.quarantine import Found
from memwarden.warden.recall.quota import Touches
from memwarden.warden.recall.windows import Withheld

_log = structlog.get_logger("memwarden.recall")
_REMEMBERED: Final = 65_536


class Reporting:
    """Counts what is withheld and puts it before reviewers. Safe to use from any thread.

    What this process has told already it does not tell again; what another one has told, the
    database knows.
    """

    def __init__(self, books: Books) -> None:
        self._books = books
        self._touches = Touches()
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._told: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    def counts(self, tenant: str) -> Mapping[str, int]:
        """How many memories of a tenant were withheld, by reason, since this process began."""
        with self._lock:
            return {why: n for (whose, why), n in self._counts.items() if whose == tenant}

    def count(self, asked: Asked, reasons: Iterable[Withheld | None]) -> None:
        """Count and log why memories are withheld; no text, no id."""
        told = Counter(reason for reason in reasons if reason is not None)
        for reason, n in told.items():
            with self._lock:
                self._counts[asked.tenant, reason.value] += n
            _log.info("memories withheld", tenant=asked.tenant, reason=reason.value, n=n)

    def knows(self, one: Vetted, asked: Asked) -> bool:
        """Whether this process has put this memory before a reviewer under today's policy."""
        if asked.keys is None:
            return False
        name = quarantine.memory_name(asked.keys, one.memory)
        return (asked.tenant, name, asked.policy.revision) in self._told

    def quarantine(self, one: Vetted, ruling: Ruling, asked: Asked) -> None:
        """Put a withheld memory before a reviewer."""
        keys = asked.keys or self._books.admitted(asked.tenant)
        found = Found(one.memory, asked.store, one.namespace or (), ruling)
        if quarantine.put_before_reviewer(self._books, asked.policy, found, keys):
            self._remember(
                asked.tenant, quarantine.memory_name(keys, one.memory), asked.policy.revision
            )

    def alarm(self, one: Vetted, asked: Asked) -> None:
        """Log that a honeytoken was touched; beyond the policy's number, tell the reviewers."""
        keys = asked.keys or self._books.admitted(asked.tenant)
        reader = "/".join(asked.reader.names) if asked.reader else ""
        who, name = keys.digest("reader", reader), quarantine.memory_name(keys, one.memory)
        touched = self._touches.count(asked.tenant, who, name)
        loud = touched >= asked.policy.read.alarm_after
        _log.warning(
            "honeytoken recalled",
            tenant=asked.tenant,
            reader=who,
            memory=name,
            touched=touched,
            alarm=loud,
        )
        day = asked.now.date().isoformat()
        if not loud or (asked.tenant, name + who, day) in self._told:
            return
        found = Found(one.memory, asked.store, one.namespace or (), quarantine.touched(one.memory))
        if quarantine.raise_alarm(self._books, asked.policy, found, keys, reader, who, day):
            self._remember(asked.tenant, name + who, day)

    def _remember(self, tenant: str, name: str, revision: str) -> None:
        with self._lock:
            self._told[tenant, name, revision] = None
            while len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)
