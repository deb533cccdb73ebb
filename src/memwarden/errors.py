"""The tree of errors that memwarden raises.

    MemwardenError
    ├── PolicyError              a policy file is wrong; every mistake is listed
    ├── UsageError               the caller asked for something that makes no sense
    │   ├── UnknownTenant        no policy names this tenant, or the name is missing
    │   └── UnguardedOperation   a wrapped store was asked for a route nobody guards
    ├── WriteRefused             a write did not happen, and the caller must know
    │   ├── WriteHeld            ... it waits for a reviewer
    │   └── LimitExceeded        ... it is larger, deeper or more frequent than policy allows
    ├── ScopeError               a read or delete reached outside its tenant or grants
    │   └── ReadLimit            ... or a reader recalls more often than policy allows
    ├── CannotDecide             memwarden itself failed; nothing was written
    │   ├── GuardFailed          a guard raised, timed out or broke its contract
    │   ├── ModelUnavailable     a model file is missing, altered or does not load
    │   └── LedgerUnavailable    the ledger cannot write: locked, full, truncated
    ├── VaultError               a key is missing, wrong or destroyed
    ├── LedgerCorrupt            the record does not add up; says where
    └── ReviewConflict           two verdicts, an expired item, a move the table does not know

No message carries memory text: it says what happened, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class MemwardenError(Exception):
    """Base of everything memwarden raises on purpose."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a policy file. Lines and columns count from 1."""

    file: str
    line: int
    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        tail = f" ({self.hint})" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{tail}"


class PolicyError(MemwardenError):
    """One or more policy files are wrong. ``mistakes`` holds every one found."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        count = len(self.mistakes)
        noun = "mistake" if count == 1 else "mistakes"
        super().__init__(f"{count} policy {noun}:\n" + "\n".join(map(str, self.mistakes)))


class UsageError(MemwardenError):
    """The caller asked for something that makes no sense; the message says what would."""


class UnknownTenant(UsageError):
    """A tenant name is missing, malformed, reserved or has no policy."""


class UnguardedOperation(UsageError):
    """A wrapped store was asked for an operation that memwarden does not know how to guard."""


class WriteRefused(MemwardenError):
    """A write was not performed. ``decision_ids`` name the records in the ledger."""

    def __init__(self, message: str, decision_ids: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.decision_ids = tuple(decision_ids)


class WriteHeld(WriteRefused):
    """A write waits in the review queue."""


class LimitExceeded(WriteRefused):
    """A candidate or queue is larger, deeper or more frequent than policy allows."""


class ScopeError(MemwardenError):
    """A read, update or delete reached outside its tenant, namespace or grants."""


class ReadLimit(ScopeError):
    """A reader recalls more often than policy allows. Nothing was read."""


class CannotDecide(MemwardenError):
    """memwarden itself failed. Nothing was written."""


class GuardFailed(CannotDecide):
    """A guard raised, timed out or returned something its contract forbids."""


class ModelUnavailable(CannotDecide):
    """A model file is missing, altered or cannot be loaded."""


class LedgerUnavailable(CannotDecide):
    """The ledger cannot be written: locked, full, read-only or truncated."""


class VaultError(MemwardenError):
    """A key is missing, wrong or was destroyed, so a sealed original cannot be opened."""


class LedgerCorrupt(MemwardenError):
    """Recorded history does not add up. The message names the record and what is wrong."""


class ReviewConflict(MemwardenError):
    """A review step that the transition table does not allow from the item's present state."""
