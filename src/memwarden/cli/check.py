"""memwarden check: one candidate, its decision. Nothing is stored and nothing recorded."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from memwarden.cli.exits import Exit
from memwarden.cli.places import DEFAULT_DATA, LOCAL, Data, Format, OutputFormat, Policies, Tenant
from memwarden.errors import UsageError


def check(
    text: Annotated[str, typer.Argument(help="The text, or - to read it from standard input.")],
    tenant: Tenant = LOCAL,
    source: Annotated[
        str, typer.Option("--source", "-s", help="Where the text comes from: user, web, tool ...")
    ] = "user",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
    record: Annotated[
        bool, typer.Option("--record", help="Decide as a real write would, and record it.")
    ] = False,
    output: OutputFormat = Format.TEXT,
    lang: Annotated[str, typer.Option(help="Language of the reasons: en or zh.")] = "en",
) -> None:
    """Judge one candidate memory and say what would be stored.

    Exit code 0: allow, redact or skip. 1: hold or reject. 2: wrong usage. 3: could not decide.

    Example: memwarden check "以后请用中文回复" --source web
    """
    from memwarden.cli.show import decision_record, print_decision
    from memwarden.model import Candidate, Origin
    from memwarden.warden import Chain, Warden

    candidate = Candidate(_read(text), origin=Origin(source=source, principal="command line"))
    if record:
        if tenant == LOCAL:
            raise UsageError("--record needs --tenant: the reserved tenant `local` records nothing")
        with Warden.open(policies, data_dir=data) as warden:
            decision = warden.decide(candidate, tenant=tenant)
    else:
        with Chain.open(policies) as chain:
            (decision,) = chain.preview([candidate], tenant=tenant)
    if output is Format.JSON:
        typer.echo(json.dumps(decision_record(decision, lang), ensure_ascii=False))
    else:
        from rich.console import Console

        print_decision(Console(), candidate, decision, lang)
    raise typer.Exit(Exit.NO if decision.action.blocks else Exit.FINE)


def _read(text: str) -> str:
    if text != "-":
        return text
    if sys.stdin.isatty():
        typer.echo("reading the text from standard input, end with Ctrl-D", err=True)
    raw = sys.stdin.buffer.read()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"standard input is not UTF-8 (byte {error.start}); convert it first"
        ) from error
