"""A decision as the ledger records it: the same verdict without anything personal in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memwarden.keys import TenantKeys
from memwarden.ledger.records import CutNote, FindingNote, Leaf, RedactionNote, SealRef
from memwarden.model import Candidate, Decision, Finding, Origin, Part, PartRole, Redaction

_SOURCE: Final = re.compile(r"[a-z][a-z0-9_.-]{0,31}", re.ASCII)
"""Sources are words of the policy. What looks otherwise was made up by a caller."""

STRANGE_SOURCE: Final = "other"

_ID: Final = re.compile(r"[0-9a-hjkmnp-tv-z]{26}", re.ASCII)
"""What ``new_id`` makes."""


def leaf_of(
    decision: Decision,
    candidate: Candidate,
    keys: TenantKeys,
    seals: Iterable[SealRef] = (),
) -> Leaf:
    """The leaf for an intent. ``seals`` are what was sealed for this decision."""
    places = {part.path: index for index, part in enumerate(candidate.parts)}
    origin = candidate.origin
    return Leaf(
        id=decision.id,
        at=decision.decided_at,
        action=decision.action,
        kind=decision.kind,
        tier=decision.tier,
        sensitivity=decision.sensitivity,
        influence=decision.influence,
        source=source_word(origin.source),
        origin=origin_digest(keys, origin),
        text=parts_digest(keys, candidate.parts),
        stored=parts_digest(keys, decision.parts) if decision.parts else "",
        session=keys.digest("session", origin.session) if origin.session else "",
        subject=keys.digest("subject", candidate.subject) if candidate.subject else "",
        memory=memory_digest(keys, candidate.memory_id),
        observed=decision.observed,
        critical=decision.critical,
        valid_until=decision.valid_until,
        elapsed_us=round(decision.elapsed_ms * 1000),
        findings=tuple(_finding(found, places) for found in decision.findings),
        redactions=tuple(_redaction(filled, places) for filled in decision.redactions),
        cuts=tuple(
            CutNote(places.get(cut.part, -1), cut.start, cut.end, cut.rule) for cut in decision.cuts
        ),
        derived_from=tuple(parent_word(keys, parent) for parent in origin.derived_from),
        seals=tuple(seals),
    )


def source_word(source: str) -> str:
    """The source if it is a word a policy could know; a caller's free text is not recorded."""
    return source if _SOURCE.fullmatch(source) else STRANGE_SOURCE


def parent_word(keys: TenantKeys, parent: str) -> str:
    """A decision id as it is; whatever else a caller calls a parent is only digested."""
    return parent if _ID.fullmatch(parent) else keys.digest("parent", parent)


def origin_digest(keys: TenantKeys, origin: Origin) -> str:
    """One origin: a source and a principal. Equal digests came from the same place."""
    return keys.digest("origin", origin.source, origin.principal)


def parts_digest(keys: TenantKeys, parts: Iterable[Part]) -> str:
    """One text, whatever the paths it stood at: equal digests say the same."""
    texts = [part.text for part in parts if part.role is PartRole.TEXT]
    return keys.digest("text", *texts)


def memory_digest(keys: TenantKeys, memory_id: str) -> str:
    """The host's id of a memory; empty if there is none yet."""
    return keys.digest("memory", memory_id) if memory_id else ""


def _finding(found: Finding, places: dict[str, int]) -> FindingNote:
    return FindingNote(
        guard=found.guard,
        rule=found.rule,
        part=places.get(found.part, -1),
        start=found.start,
        end=found.end,
        score=round(found.score * 1000),
        severity=found.severity,
        reason=found.reason,
        kind=found.kind,
        entity=found.entity,
        layer=found.layer,
        segment=found.segment,
    )


def _redaction(filled: Redaction, places: dict[str, int]) -> RedactionNote:
    return RedactionNote(
        part=places.get(filled.part, -1),
        start=filled.start,
        end=filled.end,
        entity=filled.entity,
        treatment=filled.treatment,
        seal=filled.seal,
    )
