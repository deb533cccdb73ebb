"""Cutting: which segments a policy takes out whole, and what is left when it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwarden.model import Action, Candidate, Cut, Finding, Part, PartRole, Policy, Tier
from memwarden.ruling.weigh import Weighed


def cuts_of(
    weighed: Iterable[Weighed],
    base: Action,
    action: Action,
    candidate: Candidate,
    policy: Policy,
    tier: Tier,
) -> tuple[Cut, ...]:
    """The segments to take out so that the rest may be judged again; none when it cannot help."""
    blocking = [w for w in weighed if w.action.blocks and not w.observed_only]
    if not action.blocks or not blocking or base.blocks:
        return ()
    if not policy.cut.enabled or tier < policy.cut.min_tier:
        return ()
    if not all(_can_be_cut(w.finding, candidate, policy) for w in blocking):
        return ()
    segments = sorted({(w.finding.part, w.finding.segment, w.finding.rule) for w in blocking})
    return _join([Cut(part, *segment, rule) for part, segment, rule in segments if segment])


def _can_be_cut(finding: Finding, candidate: Candidate, policy: Policy) -> bool:
    return (
        finding.segment is not None
        and finding.severity >= policy.cut.min_severity
        and not finding.entity
        and finding.part != ""
        and candidate.part(finding.part).role is PartRole.TEXT
    )


def _join(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    joined: list[Cut] = []
    for cut in sorted(cuts, key=lambda c: (c.part, c.start, c.end)):
        last = joined[-1] if joined else None
        if last is not None and last.part == cut.part and cut.start < last.end:
            joined[-1] = Cut(last.part, last.start, max(last.end, cut.end), last.rule)
        else:
            joined.append(cut)
    return tuple(joined)


def remainder(candidate: Candidate, cuts: Sequence[Cut]) -> Candidate | None:
    """The candidate without the cut segments, or None when no words are left in some part."""
    parts = [_without(part, [c for c in cuts if c.part == part.path]) for part in candidate.parts]
    if any(
        not _has_words(new.text)
        for old, new in zip(candidate.parts, parts, strict=True)
        if new.text != old.text
    ):
        return None
    return candidate.with_parts(parts)


def _without(part: Part, cuts: Sequence[Cut]) -> Part:
    if not cuts:
        return part
    kept: list[str] = []
    at = 0
    for cut in cuts:
        kept.append(part.text[at : cut.start])
        at = max(at, cut.end)
    kept.append(part.text[at:])
    pieces = [piece.strip() for piece in kept]
    return Part(part.path, " ".join(piece for piece in pieces if piece), part.role)


def _has_words(text: str) -> bool:
    return sum(character.isalnum() for character in text) >= 2
