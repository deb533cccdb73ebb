from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memwarden import ledger
from memwarden.database import Database
from memwarden.keys import KeyPlace, Keyring, open_keyring
from memwarden.ledger import Fate, FindingNote, Intent, Leaf, Outcome, Outcomes
from memwarden.model import (
    FACT,
    Action,
    Influence,
    Message,
    Sensitivity,
    Severity,
    Tier,
)

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def noon() -> datetime:
    return NOON


def a_leaf(name: str, **changes: object) -> Leaf:
    leaf = Leaf(
        id=name,
        at=NOON,
        action=Action.ALLOW,
        kind=FACT,
        tier=Tier.TRUSTED,
        sensitivity=Sensitivity.INTERNAL,
        influence=Influence.INFORM,
        source="user",
        origin="0" * 32,
        text="1" * 32,
        memory="2" * 32,
    )
    return replace(leaf, **changes)


@pytest.fixture
def leaf() -> Callable[..., Leaf]:
    return a_leaf


@pytest.fixture
def finding() -> FindingNote:
    return FindingNote(
        guard="injection",
        rule="override.en.ignore",
        part=0,
        start=3,
        end=19,
        score=930,
        severity=Severity.HIGH,
        reason=Message(en="It asks to ignore earlier instructions.", zh="要求忽略先前的指令。"),
        segment=(0, 40),
    )


@dataclass
class Book:
    """A ledger under test, written through its public functions only."""

    db: Database
    ring: Keyring
    clock: datetime = NOON

    def now(self) -> datetime:
        self.clock += timedelta(milliseconds=7)
        return self.clock

    def append(self, body: ledger.Body, tenant: str = "acme") -> ledger.Entry:
        return self.db.write(lambda conn: ledger.append(conn, tenant, body, self.now()))

    def intend(self, *leaves: Leaf, tenant: str = "acme") -> ledger.Entry:
        return self.append(Intent("memories", "upsert", "rev-1", leaves, ("model-1",)), tenant)

    def receive(self, intent: int, *positions: int, tenant: str = "acme") -> ledger.Entry:
        outcomes = tuple(Outcome(position, Fate.STORED, "m") for position in positions or (0,))
        return self.append(Outcomes(intent, outcomes), tenant)

    def fill(self, count: int, tenant: str = "acme") -> None:
        """``count`` records: decisions, each with its receipt."""

        def step(conn: sqlite3.Connection) -> None:
            start = ledger.head_of(conn, tenant).size
            for i in range(start, start + count, 2):
                intent = Intent("memories", "upsert", "rev-1", (a_leaf(f"{tenant}-{i}"),))
                entry = ledger.append(conn, tenant, intent, self.now())
                if i + 1 < start + count:
                    receipt = Outcomes(entry.seq, (Outcome(0, Fate.STORED),))
                    ledger.append(conn, tenant, receipt, self.now())

        self.db.write(step)

    def tamper(self, *statements: str) -> None:
        """Edit behind memwarden's back; every edit must have landed, or the test proves nothing."""
        with sqlite3.connect(self.db.path, isolation_level=None) as conn:
            for statement in statements:
                assert conn.execute(statement).rowcount != 0, f"did not land: {statement}"
        conn.close()

    def verify(self, tenant: str = "acme", **options: object) -> list[ledger.Fault]:
        with self.db.read() as conn:
            steps = list(ledger.verify(conn, tenant, self.ring.root.public_key, **options))
        faults = [step for step in steps if isinstance(step, ledger.Fault)]
        end = steps[-1]
        assert isinstance(end, ledger.Verified)
        assert end.sound == (not [fault for fault in faults if fault.grave])
        return faults

    def head(self, tenant: str = "acme") -> ledger.SignedHead:
        with self.db.read() as conn:
            found = ledger.signed_head(conn, tenant, self.ring.root.public_key)
        assert found is not None
        return found


def open_book(path: Path, keys: Path) -> Book:
    db = Database.open(path)
    ring = db.write(lambda conn: open_keyring(conn, KeyPlace(keys)))
    book = Book(db, ring)
    db.before_commit(lambda conn: ledger.sign_heads(conn, ring.root.sign, book.clock))
    return book


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    opened = open_book(tmp_path / "data" / "memwarden.db", tmp_path / "keys")
    yield opened
    opened.db.close()


@pytest.fixture
def reopen(tmp_path: Path) -> Iterator[Callable[[Path], Book]]:
    """Open another file with the same keys (a copy, a snapshot)."""
    opened: list[Book] = []

    def open_copy(path: Path) -> Book:
        opened.append(open_book(path, tmp_path / "keys"))
        return opened[-1]

    yield open_copy
    for each in opened:
        each.db.close()
