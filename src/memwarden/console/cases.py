"""Items opened for reading: what came, with its findings, personal data masked.

The queue's list reads findings from the ledger, as they were recorded: judging a whole page of
candidates again would take seconds. One item alone is judged with today's policy, as
``memwarden review show`` does.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memwarden.console.marking import Mark, Piece, Veil, pieces, plain, shortened
from memwarden.errors import CannotDecide, UsageError, VaultError
from memwarden.ledger import FindingNote, Leaf, find
from memwarden.model import Candidate, Finding, Message, PartRole, Slot
from memwarden.redaction import redact
from memwarden.review import Item
from memwarden.ruling import slots_for
from memwarden.vault import open_seal
from memwarden.warden import Warden
from memwarden.warden.sealed import unpack_candidate


@dataclass(frozen=True, slots=True)
class Field:
    """One text of a candidate, marked. Its path may name a person: it is told when revealed."""

    path: str
    role: str
    pieces: tuple[Piece, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Told:
    """A finding as a page tells it; ``quote`` are its words, masked."""

    number: int
    guard: str
    rule: str
    severity: str
    score: float
    reason: Message
    kind: str = ""
    entity: str = ""
    quote: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """An item that a page shows. ``erased``: its original is gone, only the record is left."""

    item: Item
    leaf: Leaf | None
    fields: tuple[Field, ...] = ()
    told: tuple[Told, ...] = ()
    erased: bool = False
    masks: bool = False

    @property
    def guards(self) -> frozenset[str]:
        return frozenset(one.guard for one in self.told)

    @property
    def main(self) -> tuple[Piece, ...]:
        """The texts one after the other, for a line of the queue."""
        return tuple(piece for one in self.fields if one.role == "text" for piece in one.pieces)

    @property
    def short(self) -> tuple[Piece, ...]:
        """As much of ``main`` as a line of the queue holds."""
        return shortened(self.main)


def opened(warden: Warden, item: Item) -> Opened:
    """An item by its recorded findings, with personal data masked."""
    with warden.books.database.read() as conn:
        leaf = _leaf(conn, item)
        try:
            candidate = candidate_of(warden, conn, item)
        except VaultError:
            told = tuple(
                _told(at, note) for at, note in enumerate(leaf.findings if leaf else (), 1)
            )
            return Opened(item, leaf, told=told, erased=True)
    findings = _noted(candidate, leaf.findings if leaf else ())
    return shown(warden, item, candidate, findings, leaf)


def judged_again(warden: Warden, item: Item, *, revealed: Candidate | None = None) -> Opened:
    """An item by what today's policy finds in it; ``revealed`` shows it unmasked."""
    try:
        case = warden.review.show(item.id)
    except (VaultError, CannotDecide):
        return opened(warden, item)
    with warden.books.database.read() as conn:
        candidate = revealed or candidate_of(warden, conn, item)
    return shown(
        warden,
        item,
        candidate,
        case.findings,
        case.story.entered.leaf,
        revealed=revealed is not None,
    )


def candidate_of(warden: Warden, conn: sqlite3.Connection, item: Item) -> Candidate:
    """The sealed candidate. For masking it only: whoever shows it whole has to record that."""
    return unpack_candidate(open_seal(conn, warden.books.ring, item.tenant, item.seal))


def shown(
    warden: Warden,
    item: Item,
    candidate: Candidate,
    findings: Sequence[Finding],
    leaf: Leaf | None,
    *,
    revealed: bool = False,
) -> Opened:
    """A candidate cut into pieces by its findings and by what policy would replace."""
    slots = _slots(warden, item, candidate, findings)
    veils = {**veils_of(candidate, slots), **_kept_from_view(candidate, findings)}
    marks: dict[str, list[Mark]] = defaultdict(list)
    for number, found in enumerate(findings, 1):
        if found.part and found.start < found.end:
            marks[found.part].append(Mark(found.start, found.end, number, found.severity))
    fields = tuple(
        Field(
            plain(part.path) if revealed else "",
            part.role.value,
            pieces(part.text, marks[part.path], veils.get(part.path, ()), revealed=revealed),
        )
        for part in candidate.parts
    )
    told = tuple(
        Told(
            number,
            found.guard,
            found.rule,
            found.severity.label,
            found.score,
            found.reason,
            found.kind,
            found.entity,
            _quote(candidate, found, veils.get(found.part, ()), revealed=revealed),
        )
        for number, found in enumerate(findings, 1)
    )
    return Opened(item, leaf, fields, told, masks=any(veils.values()) and not revealed)


def veils_of(candidate: Candidate, slots: Sequence[Slot]) -> defaultdict[str, list[Veil]]:
    """What is masked in each part, with what would be stored in its place."""
    counts: dict[str, dict[str, int]] = {}

    def number(entity: str, value: str) -> int:
        known = counts.setdefault(entity, {})
        return known.setdefault(value, len(known) + 1)

    redactions = redact(candidate.parts, slots, number).redactions
    veils: defaultdict[str, list[Veil]] = defaultdict(list)
    for slot, done in zip(slots, redactions, strict=False):
        veils[slot.part].append(Veil(slot.start, slot.end, slot.entity, done.placeholder))
    return veils


def _kept_from_view(
    candidate: Candidate, findings: Sequence[Finding]
) -> Mapping[str, Sequence[Veil]]:
    """Personal data in keys and identifiers, which no policy rewrites: masked on the page only."""
    veils: defaultdict[str, list[Veil]] = defaultdict(list)
    other = {part.path for part in candidate.parts if part.role is not PartRole.TEXT}
    for found in sorted(findings, key=lambda one: (one.start, -one.end)):
        if found.entity and found.part in other:
            mine = veils[found.part]
            start = max(found.start, mine[-1].end if mine else 0)
            if start < found.end:
                mine.append(Veil(start, found.end, found.entity))
    return veils


def _slots(
    warden: Warden, item: Item, candidate: Candidate, findings: Sequence[Finding]
) -> tuple[Slot, ...]:
    try:
        policy = warden.chain.policy(item.tenant)
    except UsageError:
        # The tenant has no policy any more: whatever was found personal is masked.
        policy = warden.chain.policy("local")
    order = {part.path: at for at, part in enumerate(candidate.parts)}
    slots = slots_for(candidate, findings, policy, item.tier)
    return tuple(sorted(slots, key=lambda slot: (order[slot.part], slot.start)))


def _noted(candidate: Candidate, notes: Iterable[FindingNote]) -> tuple[Finding, ...]:
    """Recorded findings with the paths of this candidate's parts put back."""
    paths = [part.path for part in candidate.parts]
    return tuple(
        Finding(
            note.guard,
            note.rule,
            paths[note.part] if 0 <= note.part < len(paths) else "",
            note.start,
            note.end,
            note.score / 1000,
            note.severity,
            note.reason,
            kind=note.kind,
            entity=note.entity if 0 <= note.part < len(paths) else "",
        )
        for note in notes
    )


def _told(number: int, note: FindingNote) -> Told:
    return Told(
        number,
        note.guard,
        note.rule,
        note.severity.label,
        note.score / 1000,
        note.reason,
        note.kind,
        note.entity,
    )


def _quote(candidate: Candidate, found: Finding, veils: Sequence[Veil], *, revealed: bool) -> str:
    if not found.part:
        return ""
    text = candidate.part(found.part).text
    inside = [
        replace(veil, start=max(veil.start, found.start), end=min(veil.end, found.end))
        for veil in veils
        if veil.start < found.end and found.start < veil.end
    ]
    if revealed or not inside:
        return plain(text[found.start : found.end])
    words: list[str] = []
    at = found.start
    for veil in inside:
        words += (plain(text[at : veil.start]), f"<{veil.entity}>")
        at = veil.end
    return "".join((*words, plain(text[at : found.end])))


def _leaf(conn: sqlite3.Connection, item: Item) -> Leaf | None:
    try:
        return find(conn, item.tenant, item.decision).leaf
    except UsageError:
        return None
