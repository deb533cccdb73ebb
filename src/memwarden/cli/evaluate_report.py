"""The answer of ``evaluate``: rows for programs, rates with intervals for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from memwarden.evaluation import SpanTally, Tally, WriteTally, tally_spans, wilson
from memwarden.evaluation.spans import Predicted
from memwarden.model import Action

if TYPE_CHECKING:
    from memwarden.evaluation import Row
    from memwarden.model import Decision

JsonRow = dict[str, object]


def write_rows(judged: Iterable[tuple[Row, Decision | None]]) -> tuple[int, list[JsonRow]]:
    """Counts of actions by source, language, label and kind; a refused write is a rejection."""
    tally, count = Tally(), 0
    for row, decision in judged:
        count += 1
        if decision is None:
            tally.add(row, Action.REJECT, cut=False)
        else:
            tally.add(row, decision.action, cut=bool(decision.cuts))
    return count, [asdict(group) for group in tally.groups()]


def span_rows(judged: Iterable[tuple[Row, Decision | None]]) -> tuple[int, list[JsonRow]]:
    """Counts of gold and found spans by source, language and type."""
    count = 0

    def predictions() -> Iterator[tuple[Row, Sequence[Predicted]]]:
        nonlocal count
        for row, decision in judged:
            count += 1
            findings = decision.findings if decision is not None else ()
            yield row, [Predicted(f.start, f.end, f.entity) for f in findings if f.entity]

    groups = tally_spans(predictions())
    return count, [asdict(group) for group in groups]


def print_report(report: Mapping[str, object], task: str) -> None:
    """A table by source, then one line of totals."""
    console = Console()
    rows = report["rows"]
    assert isinstance(rows, list)
    if task == "pii":
        console.print(_span_table([SpanTally(**row) for row in rows]))
    else:
        console.print(_write_table([WriteTally(**row) for row in rows]))
    models = report["models"]
    named = ", ".join(map(str, models)) if isinstance(models, list) and models else "rules only"
    console.print(
        f"policy {report['policy_revision']}  models {named}  "
        f"{report['elapsed_s']} s, {report['texts_per_s']} texts/s"
    )


def _write_table(groups: Sequence[WriteTally]) -> Table:
    table = Table(title="Blocked = held + rejected (+ cut, for hostile rows); 95 % interval")
    for heading in ("source", "lang", "label", "kind"):
        table.add_column(heading)
    for heading in ("n", "blocked", "95 %", "redacted", "skipped", "held", "rejected"):
        table.add_column(heading, justify="right")
    for group in groups:
        low, high = wilson(group.blocked, group.n)
        table.add_row(
            group.source,
            group.lang,
            group.label,
            group.kind,
            str(group.n),
            f"{group.blocked / group.n:.1%}",
            f"{low:.1%}–{high:.1%}",
            str(group.redact),
            str(group.skip),
            str(group.hold),
            str(group.reject),
        )
    return table


def _span_table(groups: Sequence[SpanTally]) -> Table:
    table = Table(title="Spans of personal data; overlap counts at intersection over union >= 0.5")
    for heading in ("source", "lang", "type"):
        table.add_column(heading)
    for heading in ("gold", "found", "exact", "overlap", "recall (overlap)", "95 %"):
        table.add_column(heading, justify="right")
    for group in groups:
        low, high = wilson(group.overlap, group.gold)
        recall = f"{group.overlap / group.gold:.1%}" if group.gold else "–"
        table.add_row(
            group.source,
            group.lang,
            group.type,
            str(group.gold),
            str(group.found),
            str(group.exact),
            str(group.overlap),
            recall,
            f"{low:.1%}–{high:.1%}" if group.gold else "–",
        )
    return table
