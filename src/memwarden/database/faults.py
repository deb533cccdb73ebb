"""SQLite's complaints in the words of a person who has to do something about them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from memwarden.errors import LedgerUnavailable

_ADVICE: Final = {
    "database is locked": """
        another process has held the write lock for longer than the waiting time; find it (for
        example with fuser) or raise the waiting time""",
    "database table is locked": """
        a reader in this process holds a table that has to change; finish the read first""",
    "database or disk is full": """
        the disk or the configured size is full; free space and retry""",
    "readonly database": """
        the file or its folder cannot be written; check owner and permissions""",
    "unable to open database file": """
        the file cannot be opened or created; check that the folder exists and can be written""",
    "not a database": """
        the file was not written by memwarden, or its first page is damaged; restore a backup""",
    "malformed": """
        the file is damaged or was cut short; stop writing, keep a copy, restore a backup""",
    "disk i/o error": """
        the disk refused to read or write; check the disk and the free space""",
    "no such table": """
        the file lacks memwarden's tables; restore a backup""",
}


def unavailable(path: Path, error: BaseException) -> LedgerUnavailable:
    """What happened, where, and what to do. SQLite's own wording carries no memory text."""
    text = str(error)
    lowered = text.lower()
    for sign, advice in _ADVICE.items():
        if sign in lowered:
            return LedgerUnavailable(f"{path}: {text}: {' '.join(advice.split())}")
    if isinstance(error, sqlite3.IntegrityError):
        # SQLite names the columns of a failed constraint, never the values.
        return LedgerUnavailable(f"{path}: {text}: it contradicts what is there; nothing recorded")
    return LedgerUnavailable(f"{path}: {text or type(error).__name__}: nothing was recorded")
