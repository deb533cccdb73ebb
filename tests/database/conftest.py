from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwarden.database import Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memwarden.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    with Database.open(path) as database:
        yield database


@pytest.fixture
def put() -> Callable[[str], Callable[[sqlite3.Connection], str]]:
    """A step that writes one row and answers its name."""

    def step_for(name: str) -> Callable[[sqlite3.Connection], str]:
        def step(conn: sqlite3.Connection) -> str:
            conn.execute("INSERT INTO wording (digest, en, zh) VALUES (?, '', '')", (name,))
            return name

        return step

    return step_for


@pytest.fixture
def names() -> Callable[[Database], set[str]]:
    def read(database: Database) -> set[str]:
        with database.read() as conn:
            return {row[0] for row in conn.execute("SELECT digest FROM wording")}

    return read
