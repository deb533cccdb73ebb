"""memwarden capability: signed permission for a writer to claim sources."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from memwarden.cli.places import DEFAULT_DATA, Data, Policies, open_warden

app = typer.Typer(
    help="Let a writer that does not own the process claim a source.", no_args_is_help=True
)


@app.command()
def issue(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="For which tenant.")],
    source: Annotated[list[str], typer.Option("--source", "-s", help="Which sources. Repeatable.")],
    principal: Annotated[str, typer.Option(help="Only for this principal (default: any).")] = "",
    days: Annotated[int, typer.Option(min=1, max=3650, help="How long it is valid.")] = 90,
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Print a signed capability token. Hand it to the writer like a password.

    Example: memwarden capability issue --tenant acme --source user --days 30
    """
    with open_warden(policies, data) as warden:
        token = warden.issue_capability(
            tenant,
            tuple(source),
            principal=principal,
            expires=datetime.now(UTC) + timedelta(days=days),
        )
    typer.echo(token)


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(help="The token, or the id inside it.")],
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose capability.")],
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """End a capability before its time."""
    with open_warden(policies, data) as warden:
        fresh = warden.revoke_capability(tenant, token_id)
    typer.echo("revoked" if fresh else "it was revoked already")
