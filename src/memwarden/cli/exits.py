"""Exit codes, and how an error becomes one line and one code."""

from __future__ import annotations

from enum import IntEnum

import typer

from memwarden.errors import (
    CannotDecide,
    LimitExceeded,
    MemwardenError,
    PolicyError,
    UsageError,
    VaultError,
)


class Exit(IntEnum):
    """The contract with scripts that call memwarden."""

    FINE = 0
    NO = 1
    USAGE = 2
    CANNOT_DECIDE = 3


def code_for(error: MemwardenError) -> Exit:
    """Wrong usage is 2, a failure of memwarden itself 3, any other refusal 1."""
    if isinstance(error, UsageError | PolicyError):
        return Exit.USAGE
    if isinstance(error, CannotDecide | LimitExceeded | VaultError):
        return Exit.CANNOT_DECIDE
    return Exit.NO


def report(error: MemwardenError) -> int:
    """Print what happened to standard error and return the exit code."""
    typer.secho(f"memwarden: {error}", err=True, fg="red" if _colour() else None)
    return int(code_for(error))


def _colour() -> bool:
    import sys

    return sys.stderr.isatty()
