"""Judging a batch: candidates, one durable intent per chunk, and what each decision means here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memwarden.errors import CannotDecide
from memwarden.model import Action, Candidate, Decision, Origin, Part, PartRole, Receipt
from memwarden.stores.qdrant.guarding import Guarding
from memwarden.stores.qdrant.held import Held, How, pack
from memwarden.stores.qdrant.points import PointId
from memwarden.stores.qdrant.vectors import embeds_later, with_decided_texts
from memwarden.stores.rows.driving import Steps, work
from memwarden.stores.rows.options import OnRedactVector
from memwarden.stores.rows.payloads import Payload, marked, with_texts
from memwarden.stores.rows.report import Refusal, Report, refused
from memwarden.warden.books import Envelope

STALE: Final = "the vector was made before the text was redacted"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory as it would be written. ``parents`` are the decisions behind what it keeps."""

    position: int
    held: Held
    parts: tuple[Part, ...] = field(repr=False)
    parents: tuple[str, ...] = ()

    @property
    def id(self) -> PointId:
        return self.held.id


@dataclass(frozen=True, slots=True)
class Ruled:
    """A draft with its decision. ``payload`` is what is stored; None where nothing is."""

    draft: Draft
    decision: Decision
    payload: Payload | None = field(repr=False)
    vector: object = field(default=None, repr=False)
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chunk of a batch under one recorded intent."""

    envelope: Envelope
    ruled: tuple[Ruled, ...]

    @property
    def written(self) -> tuple[Ruled, ...]:
        return tuple(one for one in self.ruled if one.payload is not None)


def judged(g: Guarding, drafts: Sequence[Draft], operation: str) -> Steps[list[Sheet]]:
    """Judge and record; nothing has reached the host when this returns.

    If a later chunk cannot be recorded, the earlier ones are settled as not stored.
    """
    sheets: list[Sheet] = []
    try:
        for chunk in _by_size(drafts, g.session.policy.limits.max_batch_bytes):
            sheet = yield from work(_judging(g, chunk, operation))
            sheets.append(sheet)
    except Exception:
        yield from not_stored(g, sheets, "the batch could not be judged")
        raise
    return sheets


def _judging(g: Guarding, chunk: Sequence[Draft], operation: str) -> Callable[[], Sheet]:
    def judge() -> Sheet:
        collection = chunk[0].held.collection
        candidates = [_candidate(g, draft) for draft in chunk]
        envelope = g.session.intend(candidates, store=g.store(collection), operation=operation)
        try:
            ruled = [
                _ruled(g, draft, decision, at, envelope)
                for at, (draft, decision) in enumerate(zip(chunk, envelope.decisions, strict=True))
            ]
            return Sheet(envelope, tuple(_reembedded(g, ruled)))
        except Exception as error:
            g.session.settle(envelope, _none_stored(envelope, f"{type(error).__name__} before"))
            raise

    return judge


def _none_stored(envelope: Envelope, why: str) -> list[Receipt]:
    return [
        Receipt(decision.id, False, envelope.store, at, detail=why)
        for at, decision in enumerate(envelope.decisions)
        if decision.action.stores
    ]


def _candidate(g: Guarding, draft: Draft) -> Candidate:
    held = draft.held
    return Candidate(
        draft.parts,
        origin=Origin(derived_from=draft.parents),
        subject=_subject(g, held.payload),
        namespace=(held.collection,),
        memory_id=str(held.id),
        host=pack(held),
    )


def _subject(g: Guarding, payload: Payload) -> str:
    said = payload.get(g.options.subject_field)
    return str(said) if isinstance(said, str | int) and not isinstance(said, bool) else ""


def _ruled(g: Guarding, draft: Draft, decision: Decision, at: int, envelope: Envelope) -> Ruled:
    stamp = envelope.stamps[at]
    if decision.parts is None:
        return Ruled(draft, decision, None)
    if stamp is None:
        raise CannotDecide(f"decision {decision.id} came without a stamp; nothing was written")
    before = {part.path: part.text for part in draft.parts}
    decided = {
        before[part.path]: part.text for part in decision.parts if part.role is PartRole.TEXT
    }
    changed = any(text != was for was, text in decided.items())
    texts = with_texts(draft.held.payload, decision.parts) if changed else draft.held.payload
    vector = with_decided_texts(draft.held.vector, decided) if changed else draft.held.vector
    ruled = Ruled(draft, decision, marked(texts, g.tenant, stamp), vector)
    if not changed or draft.held.how is not How.POINT or embeds_later(draft.held.vector):
        return ruled
    if g.options.on_redact_vector is OnRedactVector.REJECT:
        return replace(ruled, payload=None, detail=STALE)
    return replace(ruled, detail=STALE)


def _reembedded(g: Guarding, ruled: Sequence[Ruled]) -> Sequence[Ruled]:
    """New vectors for what was redacted, where the caller gave a way to make them."""
    stale = [at for at, one in enumerate(ruled) if one.payload is not None and one.detail == STALE]
    if g.options.on_redact_vector is not OnRedactVector.REEMBED or not stale:
        return ruled
    if g.options.reembed is None:
        raise CannotDecide("no callable was given to make new vectors; nothing was written")
    vectors = g.options.reembed([ruled[at].decision.text or "" for at in stale])
    if len(vectors) != len(stale):
        raise CannotDecide("reembed returned another number of vectors than it was given texts")
    made = dict(zip(stale, vectors, strict=True))
    return [
        replace(one, vector=made[at], detail="embedded again") if at in made else one
        for at, one in enumerate(ruled)
    ]


def refuse_or_report(g: Guarding, sheets: Sequence[Sheet], operation: str) -> Steps[Report]:
    """Raise for what policy keeps out, or leave it out and say so, as policy asks.

    Raising means that nothing of the batch is written.
    """
    ruled = [one for sheet in sheets for one in sheet.ruled]
    refusals = [
        Refusal(one.draft.position, one.decision.id, one.decision.action, one.detail)
        for one in ruled
        if one.payload is None and one.decision.action is not Action.SKIP
    ]
    report = Report(
        operation,
        written=sum(one.payload is not None for one in ruled),
        skipped=sum(one.decision.action is Action.SKIP for one in ruled),
        refused=len(refusals),
        refusals=tuple(refusals),
    )
    if refusals and g.session.policy.on_refused != "report":
        yield from not_stored(g, sheets, "the batch was refused")
        raise refused(refusals, len(ruled), "nothing of this batch was written")
    return report


def not_stored(g: Guarding, sheets: Sequence[Sheet], why: str) -> Steps[None]:
    """Record that nothing of these chunks reached the store."""
    for sheet in sheets:
        yield from _settled(g, sheet, False, why)


def stored(g: Guarding, sheet: Sheet, detail: str = "") -> Steps[None]:
    """Record that the host took a chunk."""
    yield from _settled(g, sheet, True, detail)


def _settled(g: Guarding, sheet: Sheet, done: bool, detail: str) -> Steps[None]:
    receipts = [
        Receipt(
            one.decision.id,
            done and one.payload is not None,
            sheet.envelope.store,
            at,
            str(one.draft.id),
            "; ".join(filter(None, (detail, one.detail))),
        )
        for at, one in enumerate(sheet.ruled)
        if one.decision.action.stores
    ]
    yield from work(lambda: g.session.settle(sheet.envelope, receipts))


def carried_out(
    g: Guarding,
    sheets: Sequence[Sheet],
    send: Callable[[Sequence[Ruled]], Steps[object]],
    detail: str = "",
) -> Steps[object]:
    """Give each chunk to the host and record what came of it; the host's errors go through.

    Returns the host's last answer, None where nothing was left to write.
    """
    answer: object = None
    for at, sheet in enumerate(sheets):
        try:
            if sheet.written:
                answer = yield from send(sheet.written)
        except Exception as error:
            yield from not_stored(g, sheets[at:], f"the host raised {type(error).__name__}")
            raise
        yield from stored(g, sheet, detail)
    return answer


def tell(g: Guarding, report: Report) -> None:
    """Make a report known to whoever asked for it."""
    g.reports.put(report)
    if g.options.on_report is not None:
        g.options.on_report(report)


def _by_size(drafts: Sequence[Draft], limit: int) -> Iterator[list[Draft]]:
    """Chunks whose texts together stay below the limit; a single larger one stands alone."""
    chunk: list[Draft] = []
    size = 0
    for draft in drafts:
        length = sum(len(part.text) for part in draft.parts)
        if chunk and size + length > limit:
            yield chunk
            chunk, size = [], 0
        chunk.append(draft)
        size += length
    if chunk:
        yield chunk
