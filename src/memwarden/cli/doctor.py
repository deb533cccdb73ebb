"""memwarden doctor: what is not in order, and what closes it."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli.exits import Exit
from memwarden.cli.places import DEFAULT_DATA, Data, Policies, open_warden


def doctor(
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
    repair: Annotated[
        bool, typer.Option("--repair", help="Append the receipts that close what was left open.")
    ] = False,
    patience: Annotated[
        float, typer.Option(min=0, help="Seconds that a write may still be under way.")
    ] = 60.0,
    lang: Annotated[str, typer.Option(help="Language of the answer: en or zh.")] = "en",
) -> None:
    """Look for writes that a crash left between intent and receipt, and for damaged files.

    Exit code 0: all in order (or repaired). 1: something is open; run with --repair.
    """
    with open_warden(policies, data) as warden:
        faults = warden.books.database.faults()
        for fault in faults:
            typer.echo(f"database: {fault}")
        found = warden.examine(patience=patience)
        for diagnosis in found:
            typer.echo(diagnosis.words.in_language(lang))
        closed = warden.repair(found) if repair else 0
        done = warden.review.apply_waiting() if repair else 0
    if repair:
        typer.echo(f"{closed} receipts appended, {done} waiting verdicts applied")
    left = len(found) - closed
    if not left and not faults:
        typer.echo("everything is in order")
    raise typer.Exit(Exit.NO if left or faults else Exit.FINE)
