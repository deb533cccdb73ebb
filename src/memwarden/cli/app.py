"""The tree of commands."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from memwarden.cli import (
    audit,
    capabilities,
    check,
    console,
    demo,
    doctor,
    evaluate,
    lessons,
    policy,
    proxy,
    review,
)

app = typer.Typer(
    name="memwarden",
    help="Guards the long-term memory of LLM agents, in English and Chinese.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(version("memwarden"))
        raise typer.Exit


@app.callback()
def root(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Guards the long-term memory of LLM agents, in English and Chinese.

    Start with [bold]memwarden demo[/]. Judge one text with [bold]memwarden check "..."[/].
    """
    _log_to_stderr()


def _log_to_stderr() -> None:
    """Standard output belongs to the answer: scripts parse it, and a proxy speaks there."""
    import structlog

    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))


app.command()(demo.demo)
app.command()(check.check)
app.command()(evaluate.evaluate)
app.command()(doctor.doctor)
app.add_typer(policy.app, name="policy")
app.add_typer(review.app, name="review")
app.add_typer(console.app, name="console")
app.add_typer(lessons.app, name="lessons")
app.add_typer(proxy.app, name="proxy")
app.add_typer(audit.app, name="audit")
app.add_typer(capabilities.app, name="capability")
