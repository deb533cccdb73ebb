"""Records to canonical JSON. What is empty is left out, so that most records stay small."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

from memwarden.errors import UsageError
from memwarden.ledger.canonical import Json, canonical_text, utf8
from memwarden.ledger.merkle import leaf_hash, root_of
from memwarden.ledger.records import (
    Body,
    ConfigChange,
    CutNote,
    FindingNote,
    Intent,
    Leaf,
    Outcome,
    Outcomes,
    PolicyChange,
    RedactionNote,
    Reveal,
    ReviewStep,
    SealRef,
    Tombstone,
)
from memwarden.model import Action, Message

Object = dict[str, Json]


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970 UTC. A time without a zone means nothing in a record."""
    if moment.tzinfo is None:
        raise UsageError("a recorded time needs a time zone")
    return round(moment.timestamp() * 1000)


@lru_cache(maxsize=4096)
def wording_digest(reason: Message) -> str:
    """The name of a pair of sentences: they are kept once, beside the chain."""
    return sha256(utf8(canonical_text([reason.en, reason.zh]))).hexdigest()[:32]


def leaf_text(leaf: Leaf) -> str:
    """The canonical JSON of one decision."""
    found: Object = {
        "id": leaf.id,
        "at": milliseconds(leaf.at),
        "action": leaf.action.label,
        "kind": leaf.kind,
        "tier": leaf.tier.label,
        "sensitivity": leaf.sensitivity.label,
        "influence": leaf.influence.label,
        "source": leaf.source,
        "origin": leaf.origin,
        "text": leaf.text,
    }
    _add_present(
        found,
        stored=leaf.stored,
        session=leaf.session,
        subject=leaf.subject,
        memory=leaf.memory,
        observed=leaf.observed.label if leaf.observed is not Action.ALLOW else "",
        critical=leaf.critical,
        valid_until=milliseconds(leaf.valid_until) if leaf.valid_until else 0,
        elapsed_us=leaf.elapsed_us,
        findings=[_finding(note) for note in leaf.findings],
        redactions=[_redaction(note) for note in leaf.redactions],
        cuts=[_cut(note) for note in leaf.cuts],
        derived_from=list(leaf.derived_from),
        seals=_seals(leaf.seals),
    )
    return canonical_text(found)


def leaves_root(texts: Iterable[str]) -> str:
    """The Merkle root over an envelope's decisions, in hex."""
    return root_of([leaf_hash(utf8(text)) for text in texts]).hex()


def body_text(body: Body, leaf_texts: tuple[str, ...] = ()) -> str:
    """The canonical JSON of a record's body; an intent names its leaves by count and root."""
    return canonical_text(_body(body, leaf_texts))


def _body(body: Body, leaf_texts: tuple[str, ...]) -> Object:
    match body:
        case Intent():
            return _intent(body, leaf_texts)
        case Outcomes():
            outcomes: list[Json] = [_outcome(outcome) for outcome in body.outcomes]
            return {"intent": body.intent, "by": body.by, "outcomes": outcomes}
        case ReviewStep() | Reveal():
            return _review(body)
        case Tombstone():
            return _without_empty(
                about=body.about, keys=body.keys, seals=body.seals, actor=body.actor
            )
        case PolicyChange():
            return _without_empty(
                about=body.about, before=body.before, mode=body.mode, actor=body.actor
            )
        case ConfigChange():
            return _without_empty(
                about=body.about, change=body.change, detail=body.detail, actor=body.actor
            )


def _intent(body: Intent, leaf_texts: tuple[str, ...]) -> Object:
    models: list[Json] = list(body.models)
    return {
        "store": body.store,
        "operation": body.operation,
        "policy": body.policy,
        "models": models,
        "leaves": len(leaf_texts),
        "root": leaves_root(leaf_texts),
        "receipt": body.awaits_receipt,
    }


def _review(body: ReviewStep | Reveal) -> Object:
    if isinstance(body, Reveal):
        return _without_empty(
            about=body.about, seal=body.seal, actor=body.actor, seals=_seals(body.seals)
        )
    return _without_empty(
        about=body.about,
        item=body.item,
        move=body.move,
        before=body.before,
        after=body.after,
        actor=body.actor,
        seals=_seals(body.seals),
    )


def _outcome(outcome: Outcome) -> list[Json]:
    if outcome.memory:
        return [outcome.position, outcome.fate, outcome.memory]
    return [outcome.position, outcome.fate]


def _finding(note: FindingNote) -> Object:
    found: Object = {
        "guard": note.guard,
        "rule": note.rule,
        "part": note.part,
        "start": note.start,
        "end": note.end,
        "score": note.score,
        "severity": note.severity.label,
        "reason": wording_digest(note.reason),
    }
    layer = note.layer if note.layer != "original" else ""
    segment: list[Json] = list(note.segment) if note.segment else []
    _add_present(found, kind=note.kind, entity=note.entity, layer=layer, segment=segment)
    return found


def _redaction(note: RedactionNote) -> Object:
    found: Object = {
        "part": note.part,
        "start": note.start,
        "end": note.end,
        "entity": note.entity,
        "treatment": note.treatment.value,
    }
    _add_present(found, seal=note.seal)
    return found


def _cut(note: CutNote) -> Object:
    return {"part": note.part, "start": note.start, "end": note.end, "rule": note.rule}


def _seals(seals: tuple[SealRef, ...]) -> list[Json]:
    return [{"purpose": ref.purpose, "id": ref.id, "digest": ref.digest} for ref in seals]


def _without_empty(**fields: Json) -> Object:
    found: Object = {}
    _add_present(found, **fields)
    return found


def _add_present(found: Object, **fields: Json) -> None:
    found.update({name: value for name, value in fields.items() if value})
