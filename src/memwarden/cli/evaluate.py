"""memwarden evaluate: labelled rows in, block and false-alarm rates out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.places import LOCAL, Format, OutputFormat, Policies, Tenant
from memwarden.errors import LimitExceeded, UsageError

if TYPE_CHECKING:
    from memwarden.evaluation import Row
    from memwarden.model import Candidate, Decision
    from memwarden.warden import Chain

Judged = tuple["Row", "Decision | None"]
"""A row and its decision; None where the write was refused outright (empty, or too large)."""

_BATCH = 64


class Task(StrEnum):
    WRITE = "write"
    PII = "pii"


def evaluate(
    files: Annotated[
        list[Path], typer.Argument(help="JSON lines of {id,source,lang,text,label,kind,meta}.")
    ],
    source: Annotated[
        str, typer.Option("--source", "-s", help="Judge every row as if it came from here.")
    ] = "user",
    tenant: Tenant = LOCAL,
    policies: Policies = None,
    task: Annotated[Task, typer.Option(help="What the rows are labelled for.")] = Task.WRITE,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Measure a policy on labelled rows. Nothing is stored and nothing recorded.

    Blocked means held or rejected; for a hostile row a cut counts as blocked too. Rates come with
    95 % Wilson intervals. Every row gets the same origin: one that knew the label would cheat.
    """
    from memwarden.cli.evaluate_report import print_report, span_rows, write_rows
    from memwarden.evaluation import read_rows
    from memwarden.warden import Chain

    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise UsageError(f"no such file: {', '.join(missing)}")
    with Chain.open(policies) as chain:
        started = time.perf_counter()
        judged = _watched(
            _judge(chain, read_rows(files), tenant, source), sum(map(_lines, files)), output
        )
        count, rows = (span_rows if task is Task.PII else write_rows)(judged)
        elapsed = time.perf_counter() - started
        report = {
            "policy_revision": chain.policy(tenant).revision,
            "models": list(chain.models),
            "rows": rows,
            "elapsed_s": round(elapsed, 3),
            "texts_per_s": round(count / max(elapsed, 1e-9), 1),
        }
    if output is Format.JSON:
        typer.echo(json.dumps(report, ensure_ascii=False))
    else:
        print_report(report, task.value)


def _judge(chain: Chain, rows: Iterable[Row], tenant: str, source: str) -> Iterator[Judged]:
    from memwarden.model import Candidate, Origin

    origin = Origin(source=source, principal="evaluation")
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        candidates = [Candidate(row.text, origin=origin) for row in batch]
        try:
            decisions: list[Decision | None] = [*chain.preview(candidates, tenant=tenant)]
        except (UsageError, LimitExceeded):
            decisions = [_alone(chain, candidate, tenant) for candidate in candidates]
        yield from zip(batch, decisions, strict=True)


def _alone(chain: Chain, candidate: Candidate, tenant: str) -> Decision | None:
    try:
        return chain.preview([candidate], tenant=tenant)[0]
    except (UsageError, LimitExceeded):
        return None


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for line in lines if line.strip())


def _watched(judged: Iterator[Judged], total: int, output: Format) -> Iterator[Judged]:
    """The same, with a progress bar on a terminal and none in a pipe."""
    import sys

    if output is Format.JSON or not sys.stderr.isatty():
        return judged
    from rich.console import Console
    from rich.progress import track

    return iter(track(judged, total=total, description="judging", console=Console(stderr=True)))
