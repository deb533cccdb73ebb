"""memwarden policy: policies as code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from memwarden.cli.exits import Exit
from memwarden.errors import PolicyError

app = typer.Typer(help="Check policy files and describe them to editors.", no_args_is_help=True)


@app.command()
def validate(
    path: Annotated[Path, typer.Argument(help="A folder of policies, or one file.")],
) -> None:
    """Check policies. Every mistake in every file is named with line, column and a hint.

    Exit code 0: all fine. 1: there are mistakes.
    """
    from memwarden.policy import PolicyBook

    try:
        book = PolicyBook.open(path)
    except PolicyError as error:
        for mistake in error.mistakes:
            typer.echo(str(mistake))
        count = len(error.mistakes)
        typer.secho(f"{count} {'mistake' if count == 1 else 'mistakes'}", err=True)
        raise typer.Exit(Exit.NO) from None
    for tenant in book.tenants:
        policy = book.tenant(tenant)
        guards = ", ".join(setting.guard.name for setting in policy.guards)
        typer.echo(f"{tenant}: revision {policy.revision[:12]}, {policy.mode}, guards {guards}")
    if not book.tenants:
        typer.echo("no tenant is defined; the base policy is in force for `local` alone")


@app.command()
def schema() -> None:
    """Print the JSON Schema of policy files, for editors and CI.

    Example: memwarden policy schema > memwarden.schema.json
    """
    from memwarden.policy import policy_schema

    typer.echo(json.dumps(policy_schema(), ensure_ascii=False, indent=2))
