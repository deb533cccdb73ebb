"""How decisions look: one JSON object for programs, a few readable lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from memwarden.model import Action, Candidate, Decision, Finding

ACTION_STYLE = {
    Action.ALLOW: "green",
    Action.REDACT: "cyan",
    Action.SKIP: "bright_black",
    Action.HOLD: "yellow",
    Action.REJECT: "red",
}

_INVISIBLE = {code: f"⟨U+{code:04X}⟩" for code in (*range(0x200B, 0x2010), 0x00AD, 0x2060, 0xFEFF)}


def decision_record(decision: Decision, lang: str = "en") -> dict[str, Any]:
    """The object that ``check --format json`` prints; the field names are a contract."""
    return {
        "action": decision.action.label,
        "kind": decision.kind,
        "tier": decision.tier.label,
        "sensitivity": decision.sensitivity.label,
        "text": decision.text,
        "findings": [finding_record(finding, lang) for finding in decision.findings],
        "cuts": [
            {"part": cut.part, "start": cut.start, "end": cut.end, "rule": cut.rule}
            for cut in decision.cuts
        ],
        "observed": decision.observed.label if decision.observed else None,
        "policy_revision": decision.policy_revision,
        "decision_id": decision.id,
        "elapsed_ms": round(decision.elapsed_ms, 3),
    }


def finding_record(finding: Finding, lang: str) -> dict[str, Any]:
    return {
        "guard": finding.guard,
        "rule": finding.rule,
        "part": finding.part,
        "start": finding.start,
        "end": finding.end,
        "score": round(finding.score, 4),
        "severity": finding.severity.label,
        "reason": finding.reason.in_language(lang),
    }


def print_decision(
    console: Console, candidate: Candidate, decision: Decision, lang: str = "en"
) -> None:
    """The action, what would be stored, and every finding with its words and its reason."""
    style = ACTION_STYLE[decision.action]
    console.print(
        f"[bold {style}]{decision.action.label}[/]  kind [bold]{decision.kind}[/]"
        f"  tier [bold]{decision.tier.label}[/]  sensitivity {decision.sensitivity.label}"
        f"  ({decision.elapsed_ms:.1f} ms)"
    )
    if decision.text is not None:
        console.print(f"  stored as: {escape(visible(decision.text))}")
    else:
        console.print("  nothing is stored")
    if decision.observed:
        console.print(f"  observe mode: would have been [bold]{decision.observed.label}[/]")
    if decision.findings:
        quotes = [words_of(candidate, finding) for finding in decision.findings]
        console.print(findings_table(decision.findings, quotes, lang))


def findings_table(findings: Sequence[Finding], quotes: Sequence[str], lang: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), show_edge=False)
    for heading in ("severity", "rule", "words", "reason"):
        table.add_column(heading, style="bright_black" if heading == "severity" else None)
    for finding, quote in zip(findings, quotes, strict=True):
        table.add_row(
            finding.severity.label,
            finding.rule,
            escape(shortened(visible(quote))),
            escape(finding.reason.in_language(lang)),
        )
    return table


def words_of(candidate: Candidate, finding: Finding) -> str:
    """The words a finding points at."""
    if not finding.part:
        return ""
    return candidate.part(finding.part).text[finding.start : finding.end]


def shortened(text: str, most: int = 48) -> str:
    """The text on one line of at most ``most`` terminal cells; Chinese characters take two."""
    flat = " ".join(text.split())
    if cell_len(flat) <= most:
        return flat
    return f"{set_cell_size(flat, max(1, most - 1)).rstrip()}…"


def visible(text: str) -> str:
    """The text with invisible characters spelled out and control characters made harmless."""
    shown = text.translate(_INVISIBLE)
    return "".join(c if c.isprintable() or c in "\n\t" else f"⟨U+{ord(c):04X}⟩" for c in shown)
