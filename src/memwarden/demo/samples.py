"""Decisions as files that a reviewer can read without running anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memwarden.demo.material import TENANT, Line
from memwarden.ledger import export

if TYPE_CHECKING:
    from memwarden.model import Decision
    from memwarden.warden import Warden


def leave_samples(folder: Path, written: Sequence[tuple[Line, Decision]], warden: Warden) -> None:
    """Write ``decisions.jsonl``, ``review.md`` and ``ledger.jsonl`` of a run.

    The published texts are public, so they are shown beside each decision; the ledger itself
    holds none of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    decisions = "".join(
        json.dumps(_record(line, decision), ensure_ascii=False) + "\n" for line, decision in written
    )
    (folder / "decisions.jsonl").write_text(decisions, encoding="utf-8")
    (folder / "review.md").write_text(_review(written), encoding="utf-8")
    with warden.books.database.read() as conn:
        ledger = "".join(f"{line}\n" for line in export(conn, TENANT))
    (folder / "ledger.jsonl").write_text(ledger, encoding="utf-8")


def _record(line: Line, decision: Decision) -> dict[str, object]:
    return {
        "published": {"id": line.id, "upstream": line.upstream, "as": line.published_as},
        "written_by": line.written_by,
        "text": line.text,
        "action": decision.action.label,
        "kind": decision.kind,
        "tier": decision.tier.label,
        "sensitivity": decision.sensitivity.label,
        "stored": decision.text,
        "cuts": [[cut.start, cut.end, cut.rule] for cut in decision.cuts],
        "findings": [
            {
                "guard": finding.guard,
                "rule": finding.rule,
                "start": finding.start,
                "end": finding.end,
                "severity": finding.severity.label,
                "reason": {"en": finding.reason.en, "zh": finding.reason.zh},
            }
            for finding in decision.findings
        ],
        "decision_id": decision.id,
        "policy_revision": decision.policy_revision,
    }


def _review(written: Sequence[tuple[Line, Decision]]) -> str:
    """The held and rejected ones, as a reviewer reads them, in both languages."""
    pages = ["# What was held or rejected · 被暂存或拒绝的写入\n"]
    for line, decision in written:
        if not decision.action.blocks:
            continue
        pages.append(f"## {decision.action.label} · {decision.kind} · {line.written_by}\n")
        pages.append("".join(f"> {row}\n" for row in line.text.splitlines()))
        for finding in decision.findings:
            if finding.severity >= 2:
                words = line.text[finding.start : finding.end].replace("\n", " ")[:80]
                pages.append(
                    f"- `{finding.rule}` ({finding.severity.label}) “{words}”: "
                    f"{finding.reason.en} / {finding.reason.zh}"
                )
        pages.append("")
    return "\n".join(pages)
