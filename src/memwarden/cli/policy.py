"""memwarden policy: policies as code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.exits import Exit
from memwarden.errors import PolicyError

if TYPE_CHECKING:
    from memwarden.policy import PolicyBook

app = typer.Typer(help="Check policy files and describe them to editors.", no_args_is_help=True)


@app.command()
def validate(
    path: Annotated[Path, typer.Argument(help="A folder of policies, or one file.")],
    models: Annotated[
        bool,
        typer.Option(
            "--models/--no-models",
            help="Ask the models too: whether kinds of your own can be told from the others.",
        ),
    ] = True,
) -> None:
    """Check policies. Every mistake in every file is named with line, column and a hint.

    Kinds with examples are learned and tried: how many examples are recognised when they are
    left out, which would be taken for what, and which kinds would be taken for the new one.
    Models of your own are opened. Both load models; policies without either do not.

    Exit code 0: all fine. 1: there are mistakes, or a kind cannot be told from another.
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
    faults = [_model_faults(book, tenant) for tenant in book.tenants if models]
    if any(faults):
        raise typer.Exit(Exit.NO)


def _model_faults(book: PolicyBook, tenant: str) -> int:
    """Say what the models make of a tenant's policy; return how much of it must change."""
    from memwarden.cli.policy_models import reports

    faults = 0
    for report in reports(book.effective(tenant)):
        faults += not report.fine
        for line in report.lines:
            typer.echo(f"{tenant}: {line}")
    return faults


@app.command()
def digest(
    folder: Annotated[Path, typer.Argument(help="A folder of models.")],
) -> None:
    """Print the SHA-256 of a folder of models, for `models: {folder, sha256}` of a policy."""
    from memwarden.encoder.digests import file_digests, folder_digest

    typer.echo(folder_digest(file_digests(folder)))


@app.command()
def schema() -> None:
    """Print the JSON Schema of policy files, for editors and CI.

    Example: memwarden policy schema > memwarden.schema.json
    """
    from memwarden.policy import policy_schema

    typer.echo(json.dumps(policy_schema(), ensure_ascii=False, indent=2))


Policies = Annotated[
    Path | None,
    typer.Option("--policies", "-p", envvar="MEMWARDEN_POLICIES", help="Folder of policy files."),
]


@app.command()
def explain(
    tenant: Annotated[str, typer.Argument(help="Whose policy; `local` for the base policy.")],
    prefix: Annotated[
        str, typer.Argument(help="Only settings that begin so: kinds.fact, entities ...")
    ] = "",
    policies: Policies = None,
) -> None:
    """The effective policy of a tenant, and the file and line each setting came from."""
    from memwarden.policy import PolicyBook
    from memwarden.policy.written import as_written, origin_of

    found = PolicyBook.open(policies).effective(tenant)
    settings = as_written(found.policy)
    shown = {path: value for path, value in settings.items() if path.startswith(prefix)}
    for path, value in sorted(shown.items()):
        typer.echo(f"{path}: {json.dumps(value, ensure_ascii=False)}  ({origin_of(found, path)})")
    if not shown:
        typer.echo(f"no setting begins with {prefix!r}")
        raise typer.Exit(Exit.USAGE)
    typer.echo(f"revision {found.policy.revision}, from {' < '.join(found.chain)}")


@app.command("test")
def run_tests(
    folder: Annotated[Path, typer.Argument(help="A folder with policies and *_test.yaml files.")],
    only: Annotated[str, typer.Option("--run", help="Only cases whose name contains this.")] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name every case.")] = False,
) -> None:
    """Run the policy tests of a folder.

    Exit code 0: every case is as it says. 1: one is not.
    """
    from memwarden.policy import load_cases
    from memwarden.warden import Chain
    from memwarden.warden.trial import run_case

    cases = [case for case in load_cases(folder) if only in case.name]
    wrong = 0
    with Chain.open(folder) as chain:
        for case in cases:
            fault = run_case(chain, case)
            wrong += bool(fault)
            if fault:
                typer.echo(f"FAIL {case.tenant}: {case.name}: {fault}")
            elif verbose:
                typer.echo(f"ok   {case.tenant}: {case.name}")
    typer.echo(f"{len(cases) - wrong} of {len(cases)} cases are as they say")
    raise typer.Exit(Exit.NO if wrong or not cases else Exit.FINE)


@app.command()
def diff(
    before: Annotated[Path, typer.Argument(help="The policies as they are.")],
    after: Annotated[Path, typer.Argument(help="The policies as they might be.")],
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose policy to compare.")],
    rows: Annotated[
        list[Path] | None,
        typer.Option(help="JSON lines of {source,lang,text,label}: what would be decided anew."),
    ] = None,
    source: Annotated[
        str, typer.Option("--source", "-s", help="Where the rows come from.")
    ] = "user",
) -> None:
    """What changes between two policies: settings, and decisions over the same texts."""
    from memwarden.evaluation import read_rows
    from memwarden.policy.written import as_written, differences
    from memwarden.warden import Chain
    from memwarden.warden.trial import changes

    with Chain.open(before) as old, Chain.open(after) as new:
        settings = [as_written(chain.policy(tenant)) for chain in (old, new)]
        for path, was, is_ in differences(*settings):
            typer.echo(
                f"{path}: {json.dumps(was, ensure_ascii=False)} → "
                f"{json.dumps(is_, ensure_ascii=False)}"
            )
        if rows:
            blocked = freed = 0
            for change in changes(old, new, tenant, read_rows(rows), source):
                blocked += change.after.action.blocks and not change.before.action.blocks
                freed += change.before.action.blocks and not change.after.action.blocks
                typer.echo(
                    f"{change.row.id}: {change.before.action.label} → {change.after.action.label}"
                )
            typer.echo(f"blocks {blocked} more, frees {freed}")
