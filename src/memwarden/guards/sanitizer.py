"""The instruction sanitizer: rule packs over every reading of every part.

It is the explainable first line, at high precision. What it finds it names, in both languages;
what it does not know is left to the other guards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memwarden.guards.rulepacks import packs_digest
from memwarden.model import (
    Candidate,
    Evidence,
    Finding,
    Need,
    PartRole,
    Severity,
    Span,
    Tier,
    View,
    Views,
)
from memwarden.rules import Book, Hit, book, is_mention, is_waived, shipped_packs
from memwarden.text import fold

_NEEDS: Final = frozenset((Need.VIEWS,))
_DECIDING: Final = ("memwarden.rules", "memwarden.text", "memwarden.guards/sanitizer.py")
_FOLDED: Final = "folded"
_JOINED: Final = "joined"
_JOINS_IN_LATIN: Final = 6
_ASSEMBLED: Final = "assembled"
_SHORT: Final = 400
"""Parts up to this length are also read together with their neighbours."""

_ASSEMBLED_LENGTH: Final = 16_384


@dataclass(frozen=True, slots=True)
class Sanitizer:
    """Finds instructions to the agent in what should be a memory.

    ``paranoia`` (1 to 4) is the level up to which rules are used; ``packs`` names the rule packs,
    shipped ones by name and others by a path that ends in ``.yaml``. Empty means all shipped ones.
    Raises PolicyError when it is made if a pack has mistakes.
    """

    paranoia: int = 2
    packs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._book()

    @property
    def name(self) -> str:
        return "sanitizer"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(rule.id for rule in self._book().rules)

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: rules, word lists, the reading of texts, packs of one's own."""
        digest = hashlib.sha256(packs_digest(*_DECIDING).encode())
        for pack in self.packs:
            if pack.endswith(".yaml"):
                digest.update(Path(pack).read_bytes())
        return f"sanitizer:{digest.hexdigest()}"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return _NEEDS

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        rules = self._book()
        findings: list[Finding] = []
        for part in candidate.parts:
            views = evidence.views[part.path]
            findings += self._judge_part(part.path, part.text, views, rules)
        if len(candidate.parts) > 1:
            for pieces in _neighbours(candidate, evidence):
                findings += self._judge_together(pieces, rules)
        return findings if tier >= Tier.TRUSTED else [_distrusted(f, rules) for f in findings]

    def _book(self) -> Book:
        return book(self.packs or shipped_packs(), self.paranoia)

    def _judge_part(self, path: str, text: str, views: Views, rules: Book) -> list[Finding]:
        kept: dict[str, list[Finding]] = {}
        for view in views.readings[1:]:
            for hit, span in _hits(view, text, rules):
                if is_waived(hit, view.text):
                    continue
                finding = self._finding(hit, path, span, view.layer)
                finding = replace(finding, segment=views.segment(*span))
                _keep(kept.setdefault(hit.rule.id, []), _weighed(finding, hit, view.text))
        return [finding for group in kept.values() for finding in group]

    def _judge_together(self, pieces: Sequence[_Piece], rules: Book) -> list[Finding]:
        """Find what no piece says by itself: only what reaches over the edge of two counts."""
        findings: list[Finding] = []
        for glue, squeezed in ((" ", False), ("", True)):
            text, starts = _glued(pieces, glue)
            for hit in rules.search(text, squeezed=squeezed, quiet=False):
                touched = [
                    (piece, start)
                    for piece, start in zip(pieces, starts, strict=True)
                    if start < hit.end and start + len(piece.view.text) > hit.start
                ]
                if len(touched) > 1 and hit.rule.severity >= Severity.MEDIUM:
                    findings += (self._share(hit, piece, start) for piece, start in touched)
        return findings

    def _share(self, hit: Hit, piece: _Piece, offset: int) -> Finding:
        """What one part contributes to a hit that spans several."""
        start = max(0, hit.start - offset)
        end = min(len(piece.view.text), hit.end - offset)
        span = piece.view.span(start, end)
        finding = self._finding(hit, piece.path, span, _ASSEMBLED)
        return replace(finding, segment=piece.views.segment(*span))

    def _finding(self, hit: Hit, path: str, span: Span, layer: str) -> Finding:
        rule = hit.rule
        return Finding(
            guard=self.name,
            rule=rule.id,
            part=path,
            start=span[0],
            end=span[1],
            score=rule.score,
            severity=rule.severity,
            reason=rule.reason,
            kind=rule.kind,
            references=rule.references,
            layer=layer,
        )


def _distrusted(finding: Finding, rules: Book) -> Finding:
    """The finding as it weighs where the origin is not trusted."""
    rule = rules.named(finding.rule)
    if finding.severity != rule.severity or rule.below_trusted == rule.severity:
        return finding
    return replace(finding, severity=rule.below_trusted)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A short part as one of several read together."""

    path: str
    view: View
    views: Views


_EDGES: Final = " \t\r\n.,;:!?。，；：！？、…"


def _without_edges(text: str, start: int, end: int) -> Span:
    """The hit without the break before it, which belongs to the sentence before."""
    while start < end - 1 and text[start] in _EDGES:
        start += 1
    return (start, end)


def _hits(view: View, text: str, rules: Book) -> Iterator[tuple[Hit, Span]]:
    """What the rules find in one reading, with its place in the original ``text``.

    Where words were joined, only what reaches over a join counts: the rest has been judged in the
    reading before. Without spaces and boundaries at all, a few joins more are asked for.
    """
    if not view.layer.endswith(_JOINED):
        for hit in rules.search(view.text, quiet=view.layer == _FOLDED):
            yield hit, view.span(*_without_edges(view.text, hit.start, hit.end))
        return
    for squeezed in (False, True):
        for hit in rules.search(view.text, squeezed=squeezed, quiet=False):
            start, end = view.span(*_without_edges(view.text, hit.start, hit.end))
            found = view.text[hit.start : hit.end].lstrip(_EDGES)
            removed = (end - start) - len(found)
            if squeezed and found.isascii() and removed < _JOINS_IN_LATIN:
                continue
            if removed > 0 and fold(text[start:end]) != found:
                yield hit, (start, end)


def _weighed(finding: Finding, hit: Hit, text: str) -> Finding:
    """A quoted example in a text about attacks weighs little."""
    if hit.rule.severity > Severity.LOW and hit.rule.mentions and is_mention(hit, text):
        return replace(finding, severity=Severity.LOW, score=round(finding.score / 2, 3))
    return finding


def _keep(group: list[Finding], finding: Finding) -> None:
    """One finding for one rule and place, however many readings show it; the gravest stays."""
    for index, other in enumerate(group):
        if finding.start < other.end and finding.end > other.start:
            if finding.severity > other.severity:
                group[index] = finding
            return
    group.append(finding)


def _neighbours(candidate: Candidate, evidence: Evidence) -> list[list[_Piece]]:
    """Runs of short parts: texts with texts, keys and identifiers with their like."""
    groups: list[list[_Piece]] = []
    for roles in ((PartRole.TEXT,), (PartRole.KEY, PartRole.IDENTIFIER)):
        run: list[_Piece] = []
        length = 0
        for part in candidate.parts:
            if part.role not in roles or not part.text:
                continue
            if len(part.text) > _SHORT or length > _ASSEMBLED_LENGTH:
                groups.append(run)
                run, length = [], 0
                continue
            views = evidence.views[part.path]
            run.append(_Piece(part.path, views.readings[1], views))
            length += len(part.text)
        groups.append(run)
    return [group for group in groups if len(group) > 1]


def _glued(pieces: Sequence[_Piece], glue: str) -> tuple[str, list[int]]:
    starts: list[int] = []
    position = 0
    for piece in pieces:
        starts.append(position)
        position += len(piece.view.text) + len(glue)
    return glue.join(piece.view.text for piece in pieces), starts
