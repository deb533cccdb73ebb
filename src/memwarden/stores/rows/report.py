"""Telling a caller what was not written, by raising or by a report, as policy says."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakKeyDictionary

from memwarden.errors import WriteHeld, WriteRefused
from memwarden.model import Action

_KEPT: Final = 10_000
"""Refusals that a report lists one by one; a stream of any length is counted beyond them."""

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Refusal:
    """A memory that was not written. ``position`` counts from 0 in the caller's own order."""

    position: int
    decision_id: str
    action: Action
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one call: how many memories were written, and which were not.

    ``skipped`` counts what is no memory at all (chatter, a question) and so was left out.
    """

    operation: str
    written: int = 0
    skipped: int = 0
    refused: int = 0
    refusals: tuple[Refusal, ...] = ()

    def plus(self, other: Report) -> Report:
        return replace(
            self,
            written=self.written + other.written,
            skipped=self.skipped + other.skipped,
            refused=self.refused + other.refused,
            refusals=(*self.refusals, *other.refusals)[:_KEPT],
        )


class ReportBox:
    """Holds the last report of each task or thread, so that concurrent callers see their own."""

    def put(self, report: Report) -> None:
        reports = WeakKeyDictionary[ReportBox, Report](_last.get() or {})
        reports[self] = report
        _last.set(reports)

    def last(self) -> Report | None:
        reports = _last.get()
        return None if reports is None else reports.get(self)


_last: ContextVar[WeakKeyDictionary[ReportBox, Report] | None] = ContextVar(
    "memwarden_reports", default=None
)


def refused(refusals: Sequence[Refusal], total: int, written: str) -> WriteRefused:
    """The exception for a batch that policy does not let in: held if anything can be approved."""
    held = [one for one in refusals if one.action is Action.HOLD]
    ids = [one.decision_id for one in refusals]
    named = ", ".join(ids[:_NAMED]) + (", ..." if len(ids) > _NAMED else "")
    rest = len(refusals) - len(held)
    said = [f"{len(held)} held for review"] if held else []
    said += [f"{rest} refused"] if rest else []
    kind = WriteHeld if held else WriteRefused
    return kind(
        f"of {total} memories {' and '.join(said)}; {written}. Decisions: {named}"
        " (`memwarden audit show` tells more)",
        ids,
    )
