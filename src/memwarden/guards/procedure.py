"""Procedures and lessons that leave out a check, or carry something to run.

What an agent learned, and what a runbook says, steers every later run. A lesson such as "the tests
can be skipped" reads like any lesson, so what is looked for is named in a pack of rules
(``data/procedure.yaml``): checks, approvals, backups and tests that are dropped, and commands,
code and addresses that are to be run. A user may keep a command in a recipe of their own; nobody
else may leave one, and nobody's recipe drops a check unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from memwarden.guards.rulepacks import packs_digest
from memwarden.model import (
    COMMAND_KINDS,
    PREFERENCE,
    PROCEDURE,
    TASK,
    Candidate,
    Evidence,
    Finding,
    Need,
    Part,
    PartRole,
    Severity,
    Span,
    Tier,
    View,
    Views,
    WindowReading,
)
from memwarden.rules import Book, Hit, Pattern, found, is_mention, is_waived, parse_pack, word_list
from memwarden.text import fold

_PACK: Final = "procedure.yaml"
_DROPPED: Final = "procedure.drops-check"
_DECIDING: Final = (
    "memwarden.guards/data",
    "memwarden.guards/procedure.py",
    "memwarden.rules",
    "memwarden.text",
)
_TELLS: Final = frozenset((PROCEDURE, TASK, PREFERENCE, *COMMAND_KINDS))
"""Kinds of text that tell somebody what to do."""

_ASIDE: Final = frozenset({"joined", "rot13", "reversed", "leet"})
"""Readings that guess at letters; what they hide is the sanitizer's to find."""


@dataclass(frozen=True, slots=True)
class Procedures:
    """Reports dropped checks and things to run.

    A dropped check counts where the text tells how something is done: where a word says so
    (lesson, runbook, 步骤, 经验), or the models give such kinds at least the probability
    ``telling`` together; they are asked only where a check is dropped. Elsewhere, and where it is
    only quoted, it is noted as low.
    """

    telling: float = 0.3
    name: str = "procedure"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(rule.id for rule in _book().rules)

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: the pack, its word lists, the reading of texts."""
        return f"procedure:{packs_digest(*_DECIDING)}"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        texts = [part.text for part in candidate.parts if _is_text(part)]
        if not texts:
            return frozenset()
        drops = any(map(_drops_a_check, texts))
        return frozenset((Need.VIEWS, Need.ENCODING)) if drops else frozenset((Need.VIEWS,))

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        findings: list[Finding] = []
        for part in filter(_is_text, candidate.parts):
            views, windows = evidence.views[part.path], evidence.encoding.get(part.path, ())
            kept: dict[tuple[str, Span], Finding] = {}
            for view, hit, span in _hits(views):
                finding = self._finding(part.path, view, hit, span, views, windows, tier)
                other = kept.get((hit.rule.id, span))
                if other is None or finding.severity > other.severity:
                    kept[hit.rule.id, span] = finding
            findings += kept.values()
        return findings

    def _finding(
        self,
        path: str,
        view: View,
        hit: Hit,
        span: Span,
        views: Views,
        windows: Sequence[WindowReading],
        tier: Tier,
    ) -> Finding:
        rule = hit.rule
        severity = rule.severity if tier >= Tier.TRUSTED else rule.below_trusted
        told = rule.id != _DROPPED or _says_so(views.readings[1]) or self._tells(span, windows)
        if not told or is_mention(hit, view.text):
            severity = Severity.LOW
        return Finding(
            guard=self.name,
            rule=rule.id,
            part=path,
            start=span[0],
            end=span[1],
            score=rule.score,
            severity=severity,
            reason=rule.reason,
            kind=rule.kind,
            segment=views.segment(*span),
            references=rule.references,
            layer=view.layer,
        )

    def _tells(self, span: Span, windows: Sequence[WindowReading]) -> bool:
        """Whether a window around the place is likely to tell somebody what to do; what no model
        has read does."""
        around = [one for one in windows if one.start < span[1] and one.end > span[0]]
        return not around or any(
            sum(p for kind, p in window.kinds if kind in _TELLS) >= self.telling
            for window in around
        )


def _drops_a_check(text: str) -> bool:
    """The cheap look: whether the plain text has such words at all."""
    hits = _book().search(fold(text), quiet=False)
    return any(hit.rule.id == _DROPPED for hit in hits)


def _hits(views: Views) -> Iterator[tuple[View, Hit, Span]]:
    """What the rules find in every reading, with its place in the original."""
    for view in views.readings[1:]:
        if view.layer.rpartition(">")[2] in _ASIDE:
            continue
        for hit in _book().search(view.text, quiet=False):
            if not is_waived(hit, view.text):
                start, end = _without_edges(view.text, hit.start, hit.end)
                yield view, hit, view.span(start, end)


_EDGES: Final = " \t\r\n.,;:!?。，；：！？、…`\"'("


def _without_edges(text: str, start: int, end: int) -> Span:
    while start < end - 1 and text[start] in _EDGES:
        start += 1
    return (start, end)


def _says_so(view: View) -> bool:
    """Whether a word of the text says that it is a lesson, a recipe or a rule."""
    return any(found(pattern, view.text) for pattern in _telling())


def _is_text(part: Part) -> bool:
    return part.role is PartRole.TEXT and bool(part.text.strip())


@cache
def _telling() -> tuple[Pattern, ...]:
    return word_list("telling")


@cache
def _book() -> Book:
    pack = files("memwarden.guards").joinpath("data", _PACK)
    return Book(parse_pack(_PACK, pack.read_text(encoding="utf-8")).rules)
