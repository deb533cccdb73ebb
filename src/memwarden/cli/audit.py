"""memwarden audit: the ledger, read and verified."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memwarden.cli.exits import Exit
from memwarden.cli.places import DEFAULT_DATA, Data, Format, OutputFormat
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.ledger import Entered, Fault, SignedHead, Story, Verified
    from memwarden.warden.books import Books

app = typer.Typer(help="Read the ledger, and check that nobody changed it.", no_args_is_help=True)
Tenant = Annotated[
    str | None, typer.Option("--tenant", "-t", help="Only this tenant.", show_default=False)
]


@app.command()
def tail(
    tenant: Tenant = None,
    action: Annotated[
        str | None, typer.Option(help="Only allow, redact, skip, hold or reject.")
    ] = None,
    rule: Annotated[str, typer.Option(help="Only decisions in which this rule fired.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many.")] = 20,
    data: Data = DEFAULT_DATA,
    output: OutputFormat = Format.TEXT,
) -> None:
    """The latest decisions, newest first. No memory text is in the ledger, so none is shown."""
    from memwarden.ledger import Filter
    from memwarden.ledger import tail as latest
    from memwarden.model import Action

    chosen = Filter(action=Action.parse(action) if action else None, rule=rule)
    with _books(data) as books, books.database.read() as conn:
        found = list(latest(conn, tenant, chosen, limit=limit))
    if output is Format.JSON:
        for entered in found:
            typer.echo(json.dumps(_line(entered), ensure_ascii=False))
    else:
        _print_decisions(found)


@app.command()
def show(
    decision: Annotated[str, typer.Argument(help="A decision id, as `audit tail` prints it.")],
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose decision.")],
    data: Data = DEFAULT_DATA,
    lang: Annotated[str, typer.Option(help="Language of the reasons: en or zh.")] = "en",
    output: OutputFormat = Format.TEXT,
) -> None:
    """One decision's whole story, from intent to the last thing that happened to it."""
    from memwarden.ledger import show as story_of

    with _books(data) as books, books.database.read() as conn:
        story = story_of(conn, tenant, decision)
    if output is Format.JSON:
        typer.echo(json.dumps(_story(story, lang), ensure_ascii=False))
    else:
        _print_story(story, lang)


@app.command()
def verify(
    tenant: Tenant = None,
    anchor: Annotated[
        Path | None,
        typer.Option(help="File of signed heads kept elsewhere (see `audit anchor`)."),
    ] = None,
    data: Data = DEFAULT_DATA,
    lang: Annotated[str, typer.Option(help="Language of the answer: en or zh.")] = "en",
) -> None:
    """Check every record against its hash, its neighbours, the tree and the signed heads.

    Exit code 0: nothing was changed. 1: something is wrong; it says what and where.
    Without an anchor, a tail that was cut off together with its signed head cannot be noticed.
    """
    from memwarden.ledger import claimed, read_anchor

    anchors = read_anchor(anchor) if anchor else ()
    sound = True
    with _books(data) as books, books.database.read() as conn:
        known = claimed(conn)
        if tenant is not None and tenant not in known:
            raise UsageError(f"the ledger has no records of tenant {tenant!r}")
        anchored = {head.tenant for head in anchors}
        for name in (tenant,) if tenant else tuple(sorted({*known, *anchored})):
            sound &= _verify_one(books, conn, name, anchors, lang)
        if not known:
            typer.echo("the ledger is empty")
    raise typer.Exit(Exit.FINE if sound else Exit.NO)


@app.command()
def anchor(
    file: Annotated[Path, typer.Argument(help="File to append signed heads to.")],
    data: Data = DEFAULT_DATA,
) -> None:
    """Append the signed head of every tenant to a file. Keep it where the operator cannot write.

    Whoever holds this file can prove later that history before it was not changed.
    """
    from memwarden.ledger import export_anchor, signed_head, tenants

    with _books(data) as books, books.database.read() as conn:
        key = books.ring.root.public_key
        heads = [signed_head(conn, name, key) for name in tenants(conn)]
    count = export_anchor(file, [head for head in heads if head is not None])
    typer.echo(f"{count} signed heads appended to {file}")


@app.command()
def export(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose records.")],
    data: Data = DEFAULT_DATA,
) -> None:
    """Print a tenant's records as JSON lines, complete enough to verify them elsewhere."""
    from memwarden.ledger import export as records

    with _books(data) as books, books.database.read() as conn:
        for line in records(conn, tenant):
            typer.echo(line)


def _books(data: Path) -> Books:
    from memwarden.keys import KeyPlace
    from memwarden.warden.books import FILE_NAME, Books

    if not (data / FILE_NAME).exists():
        raise UsageError(f"{data} holds no ledger; name the data folder with --data")
    return Books.open(data, KeyPlace.of())


def _verify_one(
    books: Books, conn: Any, tenant: str, anchors: tuple[SignedHead, ...], lang: str
) -> bool:
    from memwarden.ledger import Fault, Verified
    from memwarden.ledger import verify as check

    mine = [head for head in anchors if head.tenant == tenant]
    sound = False
    steps = check(conn, tenant, books.ring.root.public_key, anchors=mine)
    for step in _with_bar(steps, tenant):
        if isinstance(step, Fault):
            typer.echo(f"{tenant}: {step.words.in_language(lang)}")
        elif isinstance(step, Verified):
            sound = step.sound and _seals_hold(books, conn, tenant, lang)
            if sound:
                typer.echo(_all_well(step, len(mine), lang))
    return sound


def _seals_hold(books: Books, conn: Any, tenant: str, lang: str) -> bool:
    """Whether every sealed original is there and unaltered, or erased on the record."""
    sound = True
    for fault in books.seal_faults(conn, tenant):
        typer.echo(f"{tenant}: {fault.words.in_language(lang)}")
        sound = False
    return sound


def _all_well(done: Verified, anchors: int, lang: str) -> str:
    if lang.startswith("zh"):
        held = f"，并与 {anchors} 个锚点一致" if anchors else "；没有给出锚点"
        return f"{done.tenant}：{done.records} 条记录、{done.decisions} 个决定，均未被更改{held}"
    held = f", and agrees with {anchors} anchored heads" if anchors else "; no anchor was given"
    return (
        f"{done.tenant}: {done.records} records, {done.decisions} decisions, nothing was changed"
        f"{held}"
    )


def _with_bar(steps: Iterator[Any], tenant: str) -> Iterator[Fault | Verified]:
    """The steps without their progress, which a bar shows on a terminal."""
    from memwarden.ledger import Progress

    if not sys.stderr.isatty():
        yield from (step for step in steps if not isinstance(step, Progress))
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"verifying {tenant}", total=None)
        for step in steps:
            if isinstance(step, Progress):
                bar.update(task, completed=step.done, total=step.total)
            else:
                yield step


def _line(entered: Entered) -> dict[str, object]:
    leaf = entered.leaf
    return {
        "tenant": entered.tenant,
        "seq": entered.place.seq,
        "decision_id": leaf.id,
        "at": leaf.at.isoformat(),
        "action": leaf.action.label,
        "kind": leaf.kind,
        "tier": leaf.tier.label,
        "source": leaf.source,
        "origin": leaf.origin,
        "rules": sorted({note.rule for note in leaf.findings}),
    }


def _print_decisions(found: list[Entered]) -> None:
    from rich.console import Console
    from rich.table import Table

    from memwarden.cli.show import ACTION_STYLE

    if not found:
        typer.echo("no decisions match")
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("when", "tenant", "action", "kind", "tier", "source", "rules", "decision"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "decision")
    for entered in found:
        leaf = entered.leaf
        table.add_row(
            f"{leaf.at:%m-%d %H:%M:%S}",
            entered.tenant,
            f"[{ACTION_STYLE[leaf.action]}]{leaf.action.label}[/]",
            leaf.kind,
            leaf.tier.label,
            leaf.source,
            ", ".join(sorted({note.rule for note in leaf.findings})),
            leaf.id,
        )
    Console().print(table)


def _story(story: Story, lang: str) -> dict[str, object]:
    leaf = story.entered.leaf
    return {
        **_line(story.entered),
        "store": story.store,
        "operation": story.operation,
        "policy_revision": story.policy,
        "models": list(story.models),
        "outcome": story.outcome.fate.value if story.outcome else None,
        "findings": [
            {
                "guard": note.guard,
                "rule": note.rule,
                "part": note.part,
                "start": note.start,
                "end": note.end,
                "score": note.score / 1000,
                "severity": note.severity.label,
                "reason": note.reason.in_language(lang),
            }
            for note in leaf.findings
        ],
        "events": [
            {"seq": event.seq, "at": event.at.isoformat(), "type": event.body.type.value}
            for event in story.events
        ],
        "record_hash": story.hash.hex(),
    }


def _print_story(story: Story, lang: str) -> None:
    leaf = story.entered.leaf
    typer.echo(
        f"{leaf.id}: {leaf.action.label}, kind {leaf.kind}, tier {leaf.tier.label}, "
        f"from {leaf.source}\n"
        f"  decided {leaf.at:%Y-%m-%d %H:%M:%S} UTC under policy {story.policy[:12]} "
        f"for store {story.store} ({story.operation})"
    )
    for note in leaf.findings:
        typer.echo(
            f"  {note.severity.label:8} {note.rule} [{note.start}:{note.end}] "
            f"{note.reason.in_language(lang)}"
        )
    fate = story.outcome.fate.value if story.outcome else "no receipt"
    typer.echo(f"  outcome: {fate if leaf.action.stores else 'nothing was to be stored'}")
    for event in story.events:
        typer.echo(f"  {event.at:%Y-%m-%d %H:%M:%S} UTC {event.body.type.value}")
    typer.echo(f"  record {story.entered.place.seq}, hash {story.hash.hex()[:16]}…")
