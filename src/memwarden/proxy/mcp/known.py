"""The stamps of what was written through the proxy, since MCP servers keep no field of ours."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import cast

from memwarden import stamp
from memwarden.keys import TenantKeys, keyed_digest
from memwarden.model import Part
from memwarden.stamp import StampFields

_TEXT = "text"


class KnownTexts:
    """Each text's stamp by its keyed digest. Whoever edits the file gains nothing: every stamp
    bears a MAC over its text. The last write of a text is what counts."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        path.chmod(0o600)
        with self._connection as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS known (digest TEXT PRIMARY KEY, stamp TEXT NOT NULL)"
            )

    def keep(self, keys: TenantKeys, said: stamp.Stamp, texts: list[str]) -> None:
        """Stamp texts as what their memory was decided to be."""
        rows = [(self._digest(keys, text), json.dumps(_made(keys, said, text))) for text in texts]
        with self._lock, self._connection as connection:
            connection.executemany("INSERT OR REPLACE INTO known VALUES (?, ?)", rows)

    def find(self, keys: TenantKeys, text: str) -> StampFields:
        """The stamp of a text; empty where nobody wrote it through the proxy."""
        with self._lock:
            row = self._connection.execute(
                "SELECT stamp FROM known WHERE digest = ?", (self._digest(keys, text),)
            ).fetchone()
        return cast("StampFields", json.loads(row[0])) if row else {}

    def close(self) -> None:
        self._connection.close()

    def _digest(self, keys: TenantKeys, text: str) -> str:
        return keyed_digest(keys.digests, "text of an MCP server", text)


def parts_of_text(text: str) -> tuple[Part, ...]:
    """A text that a server gave out, as a memory of one part."""
    return (Part(_TEXT, text),)


def _made(keys: TenantKeys, said: stamp.Stamp, text: str) -> StampFields:
    return stamp.make(
        keys.stamps, said, tenant=keys.tenant, memory_id="", parts=parts_of_text(text)
    )
