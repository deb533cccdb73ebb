"""Options that several commands share, and the warden they open."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memwarden.warden import Warden


class Format(StrEnum):
    """How a command prints its answer."""

    TEXT = "text"
    JSON = "json"


Policies = Annotated[
    Path | None,
    typer.Option(
        "--policies",
        "-p",
        envvar="MEMWARDEN_POLICIES",
        help="Folder of policy files. Without it the policies that ship with memwarden.",
        show_default=False,
    ),
]
Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="MEMWARDEN_DATA",
        help="Folder of the ledger, the vault, the review queue and the embedded store.",
    ),
]
Tenant = Annotated[str, typer.Option("--tenant", "-t", help="Whose policy judges.")]
OutputFormat = Annotated[Format, typer.Option("--format", "-f", help="How to print the answer.")]

DEFAULT_DATA = Path(".memwarden")
LOCAL = "local"


def open_warden(policies: Path | None, data: Path) -> Warden:
    """A warden over the data folder; prints once where a new master key was put."""
    from memwarden.warden import Warden

    warden = Warden.open(policies, data_dir=data)
    if warden.notice is not None:
        typer.secho(f"{warden.notice.en}\n{warden.notice.zh}", err=True)
    return warden
