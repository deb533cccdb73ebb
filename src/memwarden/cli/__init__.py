"""The command line. One file per group of verbs; each parses, calls and prints."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

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
    except Exception as error:  # noqa: BLE001 a traceback could show memory text, and ends with 1
        typer.secho(f"memwarden: failed unexpectedly, {_where(error)}; please report it", err=True)
        sys.exit(Exit.CANNOT_DECIDE)


def _where(error: Exception) -> str:
    """The class of an error and the place in memwarden: never its message, which may quote."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "memwarden" in Path(f.filename).parts] or list(frames)
    return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"


__all__ = ["main"]
