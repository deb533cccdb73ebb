"""memwarden review: what was held, read and decided by people."""

from __future__ import annotations

import getpass
import json
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.places import DEFAULT_DATA, Data, Format, OutputFormat, Policies, open_warden

if TYPE_CHECKING:
    from memwarden.review import Item
    from memwarden.warden import Case

app = typer.Typer(help="Read what was held or rejected, and decide.", no_args_is_help=True)
ItemId = Annotated[str, typer.Argument(help="The item, as `review list` prints it.")]
Actor = Annotated[
    str, typer.Option("--as", help="Who decides; it goes into the ledger as a keyed digest.")
]
Reason = Annotated[str, typer.Option("--reason", "-r", help="Why; kept sealed.")]


@app.command("list")
def list_items(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Only this tenant.")] = "",
    state: Annotated[
        list[str] | None,
        typer.Option(help="pending, approved, rejected, expired ... Default: what is open."),
    ] = None,
    rule: Annotated[str, typer.Option(help="Only items in which this rule fired.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many.")] = 50,
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Items that wait, oldest first, with personal data masked."""
    from memwarden.review import State, Wanted

    wanted = Wanted(tenant=tenant, states=tuple(State(s) for s in state or ()), rule=rule)
    with open_warden(policies, data) as warden:
        items = warden.review.items(wanted, limit=limit)
        if output is Format.JSON:
            for item in items:
                typer.echo(json.dumps(_record(item), ensure_ascii=False))
            return
        previews = [warden.review.preview(item) for item in items]
    _print_items(items, previews)


@app.command()
def show(
    item_id: ItemId,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show the original. Needs --reason; is recorded.")
    ] = False,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
    lang: Annotated[str, typer.Option(help="Language of the reasons: en or zh.")] = "en",
) -> None:
    """One item: the candidate, every finding with its words and reason, its history."""
    from rich.console import Console

    with open_warden(policies, data) as warden:
        case = warden.review.show(item_id)
        original = (
            warden.review.reveal(item_id, actor=_name(actor), reason=reason) if reveal else None
        )
    _print_case(Console(), case, lang)
    if original is not None:
        typer.echo(f"original: {original.text}")


@app.command()
def approve(
    item_id: ItemId,
    redacted: Annotated[
        bool, typer.Option("--redacted", help="Store it with personal data treated by policy.")
    ] = False,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let it be stored. A critical item needs a second person: `review confirm`."""
    with open_warden(policies, data) as warden:
        decide = warden.review.approve_redacted if redacted else warden.review.approve
        _say(decide(item_id, actor=_name(actor), reason=reason))


@app.command()
def reject(
    item_id: ItemId,
    lesson: Annotated[
        bool, typer.Option("--lesson", help="Learn from it: what is like it is held, too.")
    ] = False,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Store nothing. The original stays sealed and can be restored."""
    with open_warden(policies, data) as warden:
        item = warden.review.reject(item_id, actor=_name(actor), reason=reason)
        _say(item)
        if lesson:
            taught = warden.learn(item.decision, tenant=item.tenant, actor=_name(actor))
            typer.echo(f"learned as {taught.id}")


@app.command()
def edit(
    item_id: ItemId,
    text: Annotated[str, typer.Argument(help="What to store instead.")],
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Store another text in its place."""
    with open_warden(policies, data) as warden:
        _say(warden.review.edit(item_id, text, actor=_name(actor), reason=reason))


@app.command()
def confirm(
    item_id: ItemId,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """The second person's yes to a critical item."""
    with open_warden(policies, data) as warden:
        _say(warden.review.confirm(item_id, actor=_name(actor), reason=reason))


@app.command()
def restore(
    item_id: ItemId,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Reopen what was rejected or expired, or put back what was stored redacted."""
    with open_warden(policies, data) as warden:
        _say(warden.review.restore(item_id, actor=_name(actor), reason=reason))


@app.command()
def undo(
    item_id: ItemId,
    reason: Reason = "",
    actor: Actor = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Take the last verdict back. What it wrote is removed from the store."""
    with open_warden(policies, data) as warden:
        _say(warden.review.undo(item_id, actor=_name(actor), reason=reason))


def _name(actor: str) -> str:
    return actor or getpass.getuser()


def _say(item: Item) -> None:
    after = {
        "awaiting_second": "waits for a second person (`review confirm`)",
        "awaiting_writer": "approved; the process that wraps its store writes it",
    }
    typer.echo(f"{item.id}: {after.get(item.state.value, item.state.value)}")


def _record(item: Item) -> dict[str, object]:
    return {
        "id": item.id,
        "tenant": item.tenant,
        "state": item.state.value,
        "action": item.action.label,
        "kind": item.kind,
        "tier": item.tier.label,
        "severity": item.severity.label,
        "source": item.source,
        "store": item.store,
        "critical": item.critical,
        "rules": list(item.rules),
        "created_at": item.created_at.isoformat(),
    }


def _print_items(items: tuple[Item, ...], previews: list[str]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from memwarden.cli.show import shortened, visible

    if not items:
        typer.echo("nothing waits for review")
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("item", "tenant", "state", "kind", "source", "rules", "text"):
        table.add_column(heading, no_wrap=heading == "item", overflow="fold")
    for item, preview in zip(items, previews, strict=True):
        table.add_row(
            item.id,
            item.tenant,
            item.state.value,
            item.kind,
            f"{item.source} ({item.tier.label})",
            ", ".join(item.rules),
            escape(shortened(visible(preview), 120)),
        )
    Console().print(table)


def _print_case(console: object, case: Case, lang: str) -> None:
    from rich.console import Console

    from memwarden.cli.show import findings_table, visible

    assert isinstance(console, Console)
    item = case.item
    console.print(
        f"[bold]{item.id}[/]  {item.state.value}  {item.action.label}  kind {item.kind}"
        f"  from {item.source} ({item.tier.label})  store {item.store}"
        f"  {item.created_at:%Y-%m-%d %H:%M} UTC",
        highlight=False,
    )
    console.print(visible(case.preview.text), markup=False, highlight=False)
    console.print(findings_table(case.findings, case.quotes, lang))
    for event in case.story.events:
        console.print(f"  {event.at:%Y-%m-%d %H:%M:%S} UTC {event.body.type.value}")
