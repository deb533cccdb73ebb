"""memwarden lessons: what verdicts taught, listed, learned and taken back."""

from __future__ import annotations

import getpass
import json
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.exits import Exit
from memwarden.cli.places import DEFAULT_DATA, Data, Format, OutputFormat, Policies, open_warden

if TYPE_CHECKING:
    from memwarden.lessons import Taught

app = typer.Typer(
    help="What reviewers' verdicts taught: it is asked at every write and recall.",
    no_args_is_help=True,
)
Tenant = Annotated[str, typer.Option("--tenant", "-t", help="Whose lessons.")]
Actor = Annotated[
    str, typer.Option("--as", help="Who decides; it goes into the ledger as a keyed digest.")
]


@app.command("list")
def list_lessons(
    tenant: Tenant,
    revoked: Annotated[
        bool, typer.Option("--revoked", help="Show also what was taken back.")
    ] = False,
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
    output: OutputFormat = Format.TEXT,
) -> None:
    """The lessons of a tenant, oldest first. They hold no text, so none is shown."""
    with open_warden(policies, data) as warden:
        found = warden.lessons(tenant, revoked=revoked)
    if output is Format.JSON:
        for one in found:
            typer.echo(json.dumps(_record(one), ensure_ascii=False))
        return
    if not found:
        typer.echo("no lessons")
    for one in found:
        typer.echo(
            f"{one.id}  {one.learned_at:%Y-%m-%d %H:%M}  {_says(one)}  from decision {one.decision}"
        )


@app.command()
def learn(
    decision: Annotated[str, typer.Argument(help="The decision, as the ledger knows it.")],
    tenant: Tenant,
    harmless: Annotated[
        bool, typer.Option("--harmless", help="Learn that the text is harmless.")
    ] = False,
    text: Annotated[
        str, typer.Option("--text", help="Its text, where it is neither sealed nor in the store.")
    ] = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Learn from a decision: its text, and what is like it, is held from now on."""
    with open_warden(policies, data) as warden:
        taught = warden.learn(
            decision,
            tenant=tenant,
            actor=actor or getpass.getuser(),
            hostile=not harmless,
            text=text,
        )
    typer.echo(f"{taught.id}: {_says(taught)}")


@app.command()
def revoke(
    lesson: Annotated[str, typer.Argument(help="The lesson, as `lessons list` prints it.")],
    tenant: Tenant,
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Take a lesson back."""
    with open_warden(policies, data) as warden:
        done = warden.revoke_lesson(tenant, lesson, actor=actor or getpass.getuser())
    if not done:
        typer.secho(f"memwarden: no lesson {lesson} holds in tenant {tenant}", err=True)
        raise typer.Exit(Exit.NO)
    typer.echo(f"{lesson}: revoked")


def _says(one: Taught) -> str:
    what = "hostile" if one.hostile else "harmless"
    known = "" if one.confirmed else ", same words only, unconfirmed"
    whose = "" if one.bound.label == "authoritative" else f", for writers up to {one.bound.label}"
    over = f", revoked {one.revoked_at:%Y-%m-%d %H:%M}" if one.revoked_at else ""
    return f"{what} ({one.kind}{known}{whose}{over})"


def _record(one: Taught) -> dict[str, object]:
    return {
        "id": one.id,
        "tenant": one.tenant,
        "decision": one.decision,
        "hostile": one.hostile,
        "kind": one.kind,
        "bound": one.bound.label,
        "confirmed": one.confirmed,
        "learned_at": one.learned_at.isoformat(),
        "revoked_at": one.revoked_at.isoformat() if one.revoked_at else None,
    }
