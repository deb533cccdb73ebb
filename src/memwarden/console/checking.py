"""Verifying from the console: one run per tenant at a time, in a thread, watched by the page."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memwarden.console.moments import now
from memwarden.errors import MemwardenError
from memwarden.ledger import Progress, SignedHead, Verified, verify
from memwarden.ledger.faults import Fault
from memwarden.model import Message
from memwarden.warden.books import Books

_MOST_FAULTS = 50


@dataclass(slots=True)
class Check:
    """A verification as far as it has come. ``sound`` is None until it has ended."""

    tenant: str
    began: datetime
    anchors: int = 0
    done: int = 0
    total: int = 0
    records: int = 0
    decisions: int = 0
    sound: bool | None = None
    broke: str = ""
    faults: list[Message] = field(default_factory=list)


class Checks:
    """The latest check of each tenant."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._lock = threading.Lock()
        self._latest: dict[str, Check] = {}
        self._threads: list[threading.Thread] = []

    def latest(self, tenant: str) -> Check | None:
        return self._latest.get(tenant)

    def start(self, tenant: str, anchors: Sequence[SignedHead] = ()) -> Check:
        """Begin to verify a tenant's whole chain, unless that is under way."""
        with self._lock:
            running = self._latest.get(tenant)
            if running is not None and running.sound is None and not running.broke:
                return running
            mine = tuple(head for head in anchors if head.tenant == tenant)
            check = Check(tenant, now(), len(mine))
            self._latest[tenant] = check
            thread = threading.Thread(
                target=self._run, args=(check, mine), name="memwarden-verify", daemon=True
            )
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()
        return check

    def wait(self) -> None:
        """Until nothing is under way."""
        for thread in list(self._threads):
            thread.join()

    def _run(self, check: Check, anchors: Sequence[SignedHead]) -> None:
        try:
            self._verify(check, anchors)
        except MemwardenError as error:
            check.broke = str(error)

    def _verify(self, check: Check, anchors: Sequence[SignedHead]) -> None:
        key = self._books.ring.root.public_key
        with self._books.database.read() as conn:
            for step in verify(conn, check.tenant, key, anchors=anchors):
                if isinstance(step, Progress):
                    check.done, check.total = step.done, step.total
                elif isinstance(step, Fault):
                    check.faults.append(step.words)
                    del check.faults[_MOST_FAULTS:]
                elif isinstance(step, Verified):
                    check.records, check.decisions = step.records, step.decisions
                    sound = step.sound
            for fault in self._books.seal_faults(conn, check.tenant):
                check.faults.append(fault.words)
                del check.faults[_MOST_FAULTS:]
                sound = False
        check.sound = sound
