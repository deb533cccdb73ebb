"""The file of counters."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE cursor (
  tenant TEXT PRIMARY KEY, next INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE by_hour (
  tenant TEXT NOT NULL, hour INTEGER NOT NULL, action TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, hour, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE by_rule (
  tenant TEXT NOT NULL, day INTEGER NOT NULL, rule TEXT NOT NULL, action TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, rule, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE by_origin (
  tenant TEXT NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, n INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  rate INTEGER GENERATED ALWAYS AS (blocked * 1000 / n) VIRTUAL,
  PRIMARY KEY (tenant, origin)
) STRICT, WITHOUT ROWID;

CREATE INDEX by_origin_rate ON by_origin (tenant, rate DESC, n DESC) WHERE n >= 5;

CREATE TABLE took (
  tenant TEXT NOT NULL, day INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE held (
  tenant TEXT NOT NULL, day INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict (
  tenant TEXT NOT NULL, decision TEXT NOT NULL, upheld INTEGER NOT NULL,
  PRIMARY KEY (tenant, decision)
) STRICT, WITHOUT ROWID;

CREATE TABLE judged (
  tenant TEXT NOT NULL, rule TEXT NOT NULL, upheld INTEGER NOT NULL, released INTEGER NOT NULL,
  PRIMARY KEY (tenant, rule)
) STRICT, WITHOUT ROWID;
"""

TABLES: Final = ("cursor", "by_hour", "by_rule", "by_origin", "took", "held", "verdict", "judged")


class Counts:
    """One connection behind one lock: the counters are small and every question is quick."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        path.chmod(0o600)
        self._conn.execute("PRAGMA journal_mode = WAL")
        # What a power cut takes is counted again.
        self._conn.execute("PRAGMA synchronous = NORMAL")
        self._prepare()

    def _prepare(self) -> None:
        with self.changing() as conn:
            version = conn.execute("PRAGMA user_version").fetchone()[0]
            if version == VERSION:
                return
            for table in TABLES:
                conn.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _SCHEMA.split(";"):
                conn.execute(statement)
            conn.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction; other consoles over the same folder wait meanwhile."""
        with self._lock:
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield self._conn
            except BaseException:
                self._conn.execute("ROLLBACK")
                raise
            self._conn.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._conn

    def close(self) -> None:
        with self._lock:
            self._conn.close()
