"""The command line. One file per group of verbs; each parses, calls and prints."""

from __future__ import annotations

import sys

import typer

from memwarden.cli.app import app
from memwarden.cli.exits import Exit, report
from memwarden.errors import MemwardenError


def main() -> None:
    """Run the command line; every error of memwarden becomes one line and an exit code."""
    try:
        app()
    except MemwardenError as error:
        sys.exit(report(error))
    except BrokenPipeError:
        sys.exit(Exit.FINE)
    except KeyboardInterrupt:
        typer.secho("memwarden: stopped", err=True)
        sys.exit(130)


__all__ = ["main"]
