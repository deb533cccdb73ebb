from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memwarden.database import Database
from memwarden.keys import KeyPlace, Keyring, open_keyring


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "data" / "memwarden.db") as database:
        yield database


@pytest.fixture
def ring(db: Database, tmp_path: Path) -> Keyring:
    return db.write(lambda conn: open_keyring(conn, KeyPlace(tmp_path / "keys")))
