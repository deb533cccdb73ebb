"""The books: ledger, vault and review queue of one data folder, moved together or not at all.

Whatever a decision needs on disk is written in one durable step: originals sealed, the intent
appended, held candidates put into the queue. Only then may anything reach a store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from memwarden import capability, stamp
from memwarden.database import Database
from memwarden.errors import LimitExceeded, ScopeError, UsageError, VaultError
from memwarden.keys import KeyPlace, Keyring, TenantKeys, open_keyring
from memwarden.ledger import (
    Fate,
    Fault,
    Intent,
    Leaf,
    Outcome,
    Outcomes,
    SealRef,
    append,
    check_seals,
    leaf_of,
    memory_digest,
    show,
    sign_heads,
)
from memwarden.ledger import find as find_decision
from memwarden.model import (
    Action,
    Candidate,
    Decision,
    Origin,
    Part,
    Policy,
    Receipt,
    Severity,
    Tier,
)
from memwarden.review import Item, Move, Quota, State, counts, enqueue
from memwarden.vault import digests_of, number_for, open_seal, seal, subject_digest
from memwarden.warden.deciding import Decided, Verdict, decide
from memwarden.warden.provenance import Provenance, provenance_of
from memwarden.warden.sealed import (
    CANDIDATE,
    ORIGINALS,
    SealedOriginal,
    pack_candidate,
    pack_originals,
    unpack_originals,
)

FILE_NAME: Final = "memwarden.db"

REVIEWED: Final = "review"
"""The operation of envelopes that a reviewer's verdict opened."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Decisions that are durably recorded, with the stamp of each one that may be stored.

    ``number`` is the intent's place in the tenant's chain; a receipt answers it.
    """

    tenant: str
    store: str
    number: int
    decisions: tuple[Decision, ...]
    stamps: tuple[Mapping[str, str | int | None] | None, ...]


class Books:
    """Opens the data folder and records in it. Safe to use from any thread and process."""

    def __init__(self, database: Database, ring: Keyring) -> None:
        self.database = database
        self.ring = ring

    @classmethod
    def open(cls, folder: Path, place: KeyPlace) -> Books:
        """Open or create the books. Raises LedgerUnavailable or VaultError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = Database.open(folder / FILE_NAME)
        ring = database.write(lambda conn: open_keyring(conn, place))
        database.before_commit(lambda conn: sign_heads(conn, ring.root.sign, datetime.now(UTC)))
        return cls(database, ring)

    def record(
        self,
        policy: Policy,
        verdicts: Sequence[Verdict],
        *,
        store: str,
        operation: str,
        models: tuple[str, ...] = (),
        known: Sequence[Provenance | None] = (),
        also: Callable[[sqlite3.Connection], None] | None = None,
    ) -> Envelope:
        """Record decisions before anything is done about them; durable on return.

        ``known`` says by position whose a candidate is that was stored before; otherwise its
        own origin, subject and namespace say it. ``also`` is done in the same step; what it raises
        undoes the envelope. Raises LimitExceeded when a queue is full, LedgerUnavailable when
        nothing can be recorded; in all these cases nothing of this envelope was.
        """

        def step(conn: sqlite3.Connection) -> Envelope:
            if also is not None:
                also(conn)
            return self._record(conn, policy, verdicts, store, operation, models, known)

        return self.database.write(step)

    def _record(
        self,
        conn: sqlite3.Connection,
        policy: Policy,
        verdicts: Sequence[Verdict],
        store: str,
        operation: str,
        models: tuple[str, ...],
        known: Sequence[Provenance | None],
    ) -> Envelope:
        tenant = policy.tenant
        keys = self.ring.admit(conn, tenant)
        whose = [
            given or provenance_of(keys, verdict.candidate)
            for verdict, given in zip_longest(verdicts, known)
        ]
        entries = [
            self._entry(conn, policy, keys, verdict, models, its)
            for verdict, its in zip(verdicts, whose, strict=True)
        ]
        leaves = tuple(entry.leaf for entry in entries)
        number = append(
            conn,
            tenant,
            Intent(store, operation, policy.revision, leaves, models),
            datetime.now(UTC),
        ).seq
        for verdict, entry in zip(verdicts, entries, strict=True):
            if entry.decision.action.blocks:
                self._into_queue(conn, policy, verdict, entry, store)
        return Envelope(
            tenant,
            store,
            number,
            tuple(entry.decision for entry in entries),
            tuple(
                _stamp(keys, verdict.candidate, entry)
                for verdict, entry in zip(verdicts, entries, strict=True)
            ),
        )

    def _entry(
        self,
        conn: sqlite3.Connection,
        policy: Policy,
        keys: TenantKeys,
        verdict: Verdict,
        models: tuple[str, ...],
        whose: Provenance,
    ) -> _Entry:
        """Number, seal and note one decision."""
        owner = _Owner(policy.tenant, verdict.candidate.subject, verdict.id, digest=whose.subject)

        def numbered(entity: str, value: str) -> int:
            return number_for(
                conn,
                self.ring,
                owner.tenant,
                entity,
                value,
                subject=owner.subject,
                record=owner.record,
            )

        decided = decide(verdict, policy, numbered, models=models, seal=f"{verdict.id}.{ORIGINALS}")
        seals = self._seal_all(conn, owner, verdict, decided)
        leaf = leaf_of(decided.decision, verdict.candidate, keys, seals)
        leaf = replace(leaf, origin=whose.origin, subject=whose.subject)
        return _Entry(decided.decision, leaf, seals, whose)

    def _into_queue(
        self,
        conn: sqlite3.Connection,
        policy: Policy,
        verdict: Verdict,
        entry: _Entry,
        store: str,
    ) -> None:
        """A held candidate waits; a rejected one lies there settled, to be restored if wrong."""
        decision = entry.decision
        (sealed,) = (ref for ref in entry.seals if ref.purpose == CANDIDATE)
        held = decision.action is Action.HOLD
        item = Item(
            id=decision.id,
            tenant=policy.tenant,
            decision=decision.id,
            seal=sealed.id,
            store=store,
            action=decision.action,
            kind=decision.kind,
            tier=decision.tier,
            severity=max((f.severity for f in decision.findings), default=Severity.INFO),
            source=entry.leaf.source,
            origin=entry.leaf.origin,
            created_at=verdict.decided_at,
            changed_at=verdict.decided_at,
            state=State.PENDING if held else State.REJECTED,
            verdict=None if held else Move.REJECT,
            critical=decision.critical,
            rules=tuple(sorted({f.rule for f in decision.findings})),
            expires_at=verdict.decided_at + timedelta(days=policy.limits.review_days),
        )
        limits = policy.limits
        if not held:
            _refuse_flood(conn, item, limits.rejected_per_origin)
        enqueue(conn, item, Quota(limits.pending_per_origin, limits.pending_per_tenant))

    def _seal_all(
        self, conn: sqlite3.Connection, owner: _Owner, verdict: Verdict, decided: Decided
    ) -> tuple[SealRef, ...]:
        """Seal what is not stored as it came: a held or cut candidate, redacted originals."""
        decision, redacted = decided.decision, decided.redacted
        seals: list[SealRef] = []
        if decision.action.blocks or decision.cuts:
            seals.append(self._seal(conn, owner, CANDIDATE, pack_candidate(verdict.candidate)))
        reversible = [
            (redaction, original)
            for redaction, original in zip(redacted.redactions, redacted.originals, strict=True)
            if redaction.seal
        ]
        if reversible:
            packed = pack_originals([r for r, _ in reversible], [o for _, o in reversible])
            seals.append(self._seal(conn, owner, ORIGINALS, packed))
        return tuple(seals)

    def _seal(self, conn: sqlite3.Connection, owner: _Owner, purpose: str, plain: bytes) -> SealRef:
        sealed = seal(
            conn,
            self.ring,
            owner.tenant,
            plain,
            seal_id=f"{owner.record}.{purpose}",
            subject=owner.subject,
            record=owner.record,
            owner=owner.digest,
        )
        return SealRef(purpose, sealed.id, sealed.digest)

    def settle(self, envelope: Envelope, receipts: Sequence[Receipt]) -> None:
        """Record what became of an envelope in its store; durable on return.

        ``receipts`` answers every decision that was to be stored, by ``position``.
        """
        if not any(decision.action.stores for decision in envelope.decisions):
            return

        def step(conn: sqlite3.Connection) -> None:
            keys = self.ring.tenant(conn, envelope.tenant)
            outcomes = tuple(
                Outcome(
                    receipt.position,
                    Fate.STORED if receipt.stored else Fate.FAILED,
                    memory_digest(keys, receipt.memory_id),
                )
                for receipt in receipts
            )
            append(conn, envelope.tenant, Outcomes(envelope.number, outcomes), datetime.now(UTC))

        self.database.write(step)

    def tiers_of(self, tenant: str, decision_ids: Iterable[str]) -> dict[str, Tier]:
        """The tier of each decision that this tenant knows."""
        known: dict[str, Tier] = {}
        with self.database.read() as conn:
            for decision_id in decision_ids:
                try:
                    known[decision_id] = find_decision(conn, tenant, decision_id).leaf.tier
                except UsageError:
                    continue
        return known

    def as_recorded(self, item: Item) -> Item:
        """The item with the tier and kind that the ledger has: the queue's row is not signed."""
        with self.database.read() as conn:
            leaf = find_decision(conn, item.tenant, item.decision).leaf
        return replace(item, tier=leaf.tier, kind=leaf.kind)

    def was_reviewed(self, tenant: str, decision_id: str) -> bool:
        """Whether a person let this memory through, so that no guard withholds it again."""
        if not decision_id:
            return False
        with self.database.read() as conn:
            try:
                return show(conn, tenant, decision_id).operation == REVIEWED
            except UsageError:
                return False

    def shown(self, tenant: str, origins: Iterable[Origin]) -> dict[str, bool]:
        """For each capability shown: whether it lets its writer claim the source it states."""
        answers: dict[str, bool] = {}
        for origin in origins:
            if origin.capability:
                answers[origin.capability] = self._attests(tenant, origin)
        return answers

    def _attests(self, tenant: str, origin: Origin) -> bool:
        with self.database.read() as conn:
            try:
                capability.verify(
                    self.ring.root.capabilities,
                    origin.capability,
                    tenant=tenant,
                    source=origin.source,
                    now=datetime.now(UTC),
                    revoked=lambda token_id: capability.is_revoked(conn, token_id),
                    principal=origin.principal,
                )
            except ScopeError:
                return False
        return True

    def originals_of(self, tenant: str, decision_ids: Iterable[str]) -> list[SealedOriginal]:
        """The sealed originals of stored memories; what was erased since is not among them.

        Raises VaultError for one that lies there and does not open: it was altered, and an answer
        that could not be searched for it must not pass for a clean one.
        """
        found: list[SealedOriginal] = []
        with self.database.read() as conn:
            for decision_id in decision_ids:
                seal_id = f"{decision_id}.{ORIGINALS}"
                try:
                    plain = open_seal(conn, self.ring, tenant, seal_id)
                except VaultError:
                    if digests_of(conn, tenant, (seal_id,))[seal_id] is None:
                        continue
                    raise
                found.extend(unpack_originals(plain, seal_id))
        return found

    def verify_stamp(
        self, tenant: str, fields: Mapping[str, object], memory_id: str, parts: Iterable[Part]
    ) -> stamp.Stamp | None:
        """What a memory's stamp says, if it is whole, ours and about this very memory."""
        keys = self.keys_of(tenant)
        if keys is None:
            return None
        return stamp.verify(keys.stamps, fields, tenant=tenant, memory_id=memory_id, parts=parts)

    def keys_of(self, tenant: str) -> TenantKeys | None:
        """The tenant's keys; None if it never wrote anything, or was erased."""
        try:
            with self.database.read() as conn:
                return self.ring.tenant(conn, tenant)
        except VaultError:
            return None

    def admitted(self, tenant: str) -> TenantKeys:
        """The tenant's keys, made now if it is new. Raises VaultError if they were destroyed."""
        return self.database.write(lambda conn: self.ring.admit(conn, tenant))

    def seal_faults(self, conn: sqlite3.Connection, tenant: str) -> Iterator[Fault]:
        """Sealed originals that are missing or altered without a record of their erasure."""
        try:
            keys = self.ring.tenant(conn, tenant)
        except VaultError:
            return
        yield from check_seals(
            conn,
            tenant,
            lambda ids: digests_of(conn, tenant, ids),
            lambda leaf: leaf.subject or subject_digest(keys, "", leaf.id),
        )

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose key seals: a subject's, by name or by digest, or that of the one record."""

    tenant: str
    subject: str
    record: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A decision on its way into the chain."""

    decision: Decision
    leaf: Leaf
    seals: tuple[SealRef, ...]
    whose: Provenance


def _refuse_flood(conn: sqlite3.Connection, item: Item, most: int) -> None:
    """Rejected originals are kept so that a wrong rejection can be undone, but not without end."""
    if counts(conn, item.tenant, item.origin).get(State.REJECTED, 0) >= most:
        raise LimitExceeded(
            f"{most} rejected writes of this origin are kept already; this one is refused and not"
            " kept. Decide or erase some, or block the origin",
            (item.decision,),
        )


def _stamp(keys: TenantKeys, candidate: Candidate, entry: _Entry) -> stamp.StampFields | None:
    decision = entry.decision
    if decision.parts is None:
        return None
    said = stamp.Stamp(
        tier=decision.tier,
        kind=decision.kind,
        sensitivity=decision.sensitivity,
        influence=decision.influence,
        origin=entry.whose.origin,
        writer=entry.whose.writer,
        subject=entry.whose.subject,
        place=entry.whose.place,
        decision_id=decision.id,
        stored_at=decision.decided_at,
        valid_until=decision.valid_until,
        source=entry.leaf.source,
    )
    return stamp.make(
        keys.stamps,
        said,
        tenant=decision.tenant,
        memory_id=candidate.memory_id,
        parts=decision.parts,
    )
