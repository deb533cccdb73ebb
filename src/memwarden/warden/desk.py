"""The desk: people read what was held, decide, and their verdict takes the guarded write path.

A verdict is recorded before the store is touched; the item is approved only when the store has
answered. Where this process does not have the store, the item waits for the one that does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memwarden import review
from memwarden.errors import UsageError, VaultError
from memwarden.ledger import Reveal, ReviewStep, SealRef, Story, append, new_id, show
from memwarden.model import (
    Candidate,
    Finding,
    Memory,
    Part,
    PartRole,
    Severity,
    Slot,
    Treatment,
)
from memwarden.redaction import redact
from memwarden.review import Effect, Item, Move, State, Transition, Wanted
from memwarden.ruling import slots_for
from memwarden.vault import open_seal, seal
from memwarden.warden.judge import Presented
from memwarden.warden.ports import Searchable, TakesBack, Writable
from memwarden.warden.sealed import unpack_candidate

if TYPE_CHECKING:
    from memwarden.warden.core import Warden


@dataclass(frozen=True, slots=True)
class Case:
    """An item with its history. Personal data is masked in ``preview``, and in ``quotes``: the
    words that each finding points at, by position."""

    item: Item
    story: Story
    preview: Candidate = field(repr=False)
    findings: tuple[Finding, ...]
    quotes: tuple[str, ...] = field(repr=False)


class Desk:
    """The review queue of a warden. Every step names who takes it, and is in the ledger."""

    def __init__(self, warden: Warden, stores: Mapping[str, Writable]) -> None:
        self._warden = warden
        self._stores = stores

    def items(
        self, wanted: Wanted | None = None, *, limit: int = 50, after: str = ""
    ) -> tuple[Item, ...]:
        """Items by age, oldest first; the open ones unless states are named."""
        self._expire()
        with self._warden.books.database.read() as conn:
            return review.listed(conn, wanted or Wanted(), limit=limit, after=after)

    def show(self, item_id: str) -> Case:
        """One item with its findings, personal data masked. Not a reveal, so not recorded."""
        with self._warden.books.database.read() as conn:
            item = review.get(conn, item_id)
            story = show(conn, item.tenant, item.decision)
            candidate = self._open(conn, item, item.seal)
        findings = self._findings(item, candidate)
        slots = self._slots(item, candidate, findings)
        return Case(
            item,
            story,
            candidate.with_parts(redact(candidate.parts, slots, _no_number).parts),
            findings,
            tuple(_quoted(candidate, slots, finding) for finding in findings),
        )

    def preview(self, item: Item) -> str:
        """The text of an item with personal data masked; a remark where it was erased."""
        try:
            with self._warden.books.database.read() as conn:
                candidate = self._open(conn, item, item.seal)
        except VaultError:
            return "(erased)"
        slots = self._slots(item, candidate, self._findings(item, candidate))
        return candidate.with_parts(redact(candidate.parts, slots, _no_number).parts).text

    def reveal(self, item_id: str, *, actor: str, reason: str) -> Candidate:
        """The candidate as it came. Who looked, and that they looked, goes into the ledger."""
        if not actor or not reason.strip():
            raise UsageError("revealing an original needs the name of who looks, and a reason")

        def step(conn: sqlite3.Connection) -> Candidate:
            item = review.get(conn, item_id)
            candidate = self._open(conn, item, item.seal)
            why = self._seal_words(conn, item, "reason", reason)
            who = self._warden.books.ring.tenant(conn, item.tenant).digest("actor", actor)
            append(
                conn,
                item.tenant,
                Reveal(item.decision, item.seal, who, (why,)),
                datetime.now(UTC),
            )
            return candidate

        return self._warden.books.database.write(step)

    def neighbours(self, item: Item, text: str, *, limit: int = 5) -> tuple[Memory, ...] | None:
        """What an item's store holds that is most like ``text``; None if it cannot be searched
        from here. For reading only: nothing is withheld, and nothing of it may reach a prompt."""
        store = self._stores.get(item.store)
        if store is None or not isinstance(store, Searchable):
            return None
        found = store.search(item.tenant, text, limit=limit, namespace=None)
        return tuple(self._warden.memory(item.tenant, one) for one in found)

    def approve(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """Write the candidate as it came."""
        return self._decide(item_id, Move.APPROVE, actor, reason)

    def approve_redacted(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """Write the candidate with personal data treated as policy says."""
        return self._decide(item_id, Move.APPROVE_REDACTED, actor, reason)

    def edit(self, item_id: str, text: str, *, actor: str, reason: str = "") -> Item:
        """Write another text in place of the candidate's hostile one; its other fields stay.

        Raises UsageError if a field that stays is hostile too.
        """
        if not text.strip():
            raise UsageError("the edited text is empty; reject the item instead")
        return self._decide(item_id, Move.EDIT, actor, reason, edited=text)

    def reject(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """Write nothing. The original stays sealed and can be restored."""
        return self._decide(item_id, Move.REJECT, actor, reason)

    def confirm(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """The second person's yes to a critical item."""
        return self._decide(item_id, Move.CONFIRM, actor, reason)

    def restore(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """Reopen what was rejected or expired, or put back what was stored redacted."""
        return self._decide(item_id, Move.RESTORE, actor, reason)

    def undo(self, item_id: str, *, actor: str, reason: str = "") -> Item:
        """Take the last verdict back; what it wrote is removed from the store."""
        return self._decide(item_id, Move.UNDO, actor, reason)

    def apply_waiting(self) -> int:
        """Perform verdicts that were given elsewhere and wait for this process's stores."""
        done = 0
        for name in self._stores:
            wanted = Wanted(states=(State.AWAITING_WRITER,), store=name)
            for item in self.items(wanted, limit=500):
                self._write(item)
                done += 1
        return done

    # -- a verdict, step by step -----------------------------------------------------------------

    def _decide(
        self, item_id: str, move: Move, actor: str, reason: str, *, edited: str = ""
    ) -> Item:
        made = self._warden.books.database.write(
            lambda conn: self._record_move(conn, item_id, move, actor, reason, edited)
        )
        if made.effect in _WRITES and made.after.store in self._stores:
            return self._write(made.after)
        if made.effect is Effect.REMOVE and made.before.store in self._stores:
            self._remove(made.before)
        return made.after

    def _record_move(
        self,
        conn: sqlite3.Connection,
        item_id: str,
        move: Move,
        actor: str,
        reason: str,
        edited: str,
    ) -> Transition:
        item = review.get(conn, item_id)
        if edited:
            self._edited(item, self._open(conn, item, item.seal), edited)
        edit = self._seal_words(conn, item, "edit", edited) if edited else None
        made = review.move(
            conn,
            item_id,
            item.version,
            move,
            actor,
            datetime.now(UTC),
            edit_seal=edit.id if edit else "",
        )
        seals = [edit] if edit else []
        if reason:
            seals.append(self._seal_words(conn, item, "reason", reason))
        self._note(conn, made, actor, tuple(seals))
        return made

    def _note(
        self, conn: sqlite3.Connection, made: Transition, actor: str, seals: tuple[SealRef, ...]
    ) -> None:
        item = made.after
        who = self._warden.books.ring.tenant(conn, item.tenant).digest("actor", actor)
        step = ReviewStep(
            about=item.decision,
            item=item.id,
            move=made.move.value,
            before=made.before.state.value,
            after=item.state.value,
            actor=who if actor else "",
            seals=seals,
        )
        append(conn, item.tenant, step, datetime.now(UTC))

    def _write(self, item: Item) -> Item:
        """Perform an approved write and report it; a failed one goes back to the queue."""
        store = self._stores[item.store]
        item = self._claimed(item)
        try:
            self._store_approved(item, store)
        except Exception:
            self._report(item, Move.FAILED)
            raise
        return self._report(item, Move.APPLIED)

    def _claimed(self, item: Item) -> Item:
        """The item in the writer's hand, so that nobody takes the verdict back meanwhile."""
        return self._warden.books.database.write(
            lambda conn: review.take(conn, item.id, item.version, _WRITER, datetime.now(UTC))
        )

    def _report(self, item: Item, move: Move) -> Item:
        def step(conn: sqlite3.Connection) -> Item:
            made = review.move(conn, item.id, item.version, move, "", datetime.now(UTC))
            self._note(conn, made, "", ())
            return made.after

        return self._warden.books.database.write(step)

    def _store_approved(self, item: Item, store: Writable) -> None:
        with self._warden.books.database.read() as conn:
            candidate = self._open(conn, item, item.seal)
            if item.verdict is Move.EDIT:
                edited = open_seal(conn, self._warden.books.ring, item.tenant, item.edit_seal)
                candidate = self._edited(item, candidate, edited.decode("utf-8", "surrogatepass"))
        self._warden.write_reviewed(candidate, item, store)

    def _remove(self, item: Item) -> None:
        with self._warden.books.database.read() as conn:
            candidate = self._open(conn, item, item.seal)
        store = self._stores[item.store]
        if isinstance(store, TakesBack):
            store.take_back(item.tenant, candidate)
        else:
            store.delete(item.tenant, [candidate.memory_id])

    # -- reading ---------------------------------------------------------------------------------

    def _expire(self) -> None:
        def step(conn: sqlite3.Connection) -> None:
            for made in review.expire_due(conn, datetime.now(UTC)):
                self._note(conn, made, "", ())

        self._warden.books.database.write(step)

    def _open(self, conn: sqlite3.Connection, item: Item, seal_id: str) -> Candidate:
        return unpack_candidate(open_seal(conn, self._warden.books.ring, item.tenant, seal_id))

    def _findings(self, item: Item, candidate: Candidate) -> tuple[Finding, ...]:
        policy = self._warden.chain.policy(item.tenant)
        (judged,) = self._warden.chain.judge([Presented(candidate, item.tier)], policy)
        return judged.ruling.findings

    def _edited(self, item: Item, candidate: Candidate, text: str) -> Candidate:
        """The candidate with ``text`` in place of the one field that must not stay as it came."""
        texts = [part.path for part in candidate.parts if part.role is PartRole.TEXT]
        if not texts:
            raise UsageError("the item has no text that may be edited")
        named = {finding.part for finding in self._findings(item, candidate)}
        for path in (texts[0], *(path for path in texts[1:] if path in named)):
            rest = [part for part in candidate.parts if part.path != path]
            if not self._hostile(item, candidate.with_parts(rest)):
                return with_text(candidate, path, text)
        raise UsageError(
            "an edit replaces one text, and another field of this item would stay that is held as"
            " well; reject the item, and write the corrected memory"
        )

    def _hostile(self, item: Item, rest: Candidate) -> bool:
        policy = self._warden.chain.policy(item.tenant)
        (judged,) = self._warden.chain.judge([Presented(rest, item.tier)], policy)
        return judged.ruling.action.blocks and any(
            not finding.entity and finding.severity >= Severity.MEDIUM
            for finding in judged.ruling.findings
        )

    def _slots(self, item: Item, candidate: Candidate, findings: tuple[Finding, ...]) -> list[Slot]:
        policy = self._warden.chain.policy(item.tenant)
        return [
            replace(slot, treatment=Treatment.REPLACE)
            for slot in slots_for(candidate, findings, policy, item.tier)
        ]

    def _seal_words(
        self, conn: sqlite3.Connection, item: Item, purpose: str, words: str
    ) -> SealRef:
        sealed = seal(
            conn,
            self._warden.books.ring,
            item.tenant,
            words.encode("utf-8", "surrogatepass"),
            seal_id=f"{item.id}.{purpose}.{new_id()}",
            record=item.decision,
        )
        return SealRef(purpose, sealed.id, sealed.digest)


_WRITER: Final = "the writer"

_WRITES: Final = frozenset({Effect.WRITE_ORIGINAL, Effect.WRITE_REDACTED, Effect.WRITE_EDITED})


def _no_number(entity: str, _: str) -> int:
    raise UsageError(f"a masked {entity} has no number")


def _quoted(candidate: Candidate, slots: Sequence[Slot], finding: Finding) -> str:
    """The words of a finding, with what is personal in them masked."""
    if not finding.part:
        return ""
    text = candidate.part(finding.part).text
    pieces: list[str] = []
    at = finding.start
    for slot in slots:
        if slot.part == finding.part and slot.start < finding.end and at < slot.end:
            pieces += (text[at : max(at, slot.start)], f"<{slot.entity}>")
            at = slot.end
    return "".join((*pieces, text[at : finding.end]))


def with_text(candidate: Candidate, path: str, text: str) -> Candidate:
    """The candidate with one text replaced, as a reviewer edited it."""
    return candidate.with_parts(
        Part(part.path, text, part.role) if part.path == path else part for part in candidate.parts
    )
