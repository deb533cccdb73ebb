from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memwarden.database import Database
from memwarden.model import FACT, Action, Severity, Tier
from memwarden.review import Item

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def noon() -> datetime:
    return NOON


@pytest.fixture
def item() -> Callable[..., Item]:
    def make(name: str = "i1", **changes: object) -> Item:
        plain = Item(
            id=name,
            tenant="acme",
            decision=f"d-{name}",
            seal=f"s-{name}",
            store="memories",
            action=Action.HOLD,
            kind=FACT,
            tier=Tier.UNTRUSTED,
            severity=Severity.HIGH,
            source="web",
            origin="o1",
            created_at=NOON,
            changed_at=NOON,
        )
        return replace(plain, **changes)

    return make


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "memwarden.db") as database:
        yield database
