"""Recording an envelope: numbers, seals, the intent and the queue, in one transaction.

``Recording`` is the step that ``Books.record`` runs; every function takes its connection.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import zip_longest

from memwarden import stamp
from memwarden.errors import LimitExceeded
from memwarden.keys import Keyring, TenantKeys
from memwarden.ledger import Intent, Leaf, SealRef, append, leaf_of
from memwarden.model import Action, Decision, Policy, Severity
from memwarden.review import Item, Move, Quota, State, counts, enqueue
from memwarden.vault import number_for, seal
from memwarden.warden.deciding import Decided, Verdict, decide
from memwarden.warden.provenance import Provenance, provenance_of
from memwarden.warden.sealed import CANDIDATE, ORIGINALS, pack_candidate, pack_originals


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


@dataclass(frozen=True, slots=True)
class Recording:
    """Decisions of one envelope that are to be recorded.

    ``known`` says by position whose a candidate is that was stored before. ``also`` is done in
    the same step; what it raises undoes the envelope.
    """

    policy: Policy
    verdicts: Sequence[Verdict]
    store: str
    operation: str
    models: tuple[str, ...] = ()
    known: Sequence[Provenance | None] = ()
    also: Callable[[sqlite3.Connection], None] | None = None

    def record(self, conn: sqlite3.Connection, ring: Keyring) -> Envelope:
        """Append the intent and everything that hangs on it."""
        if self.also is not None:
            self.also(conn)
        tenant = self.policy.tenant
        keys = ring.admit(conn, tenant)
        entries = [
            self._entry(conn, ring, keys, verdict, given)
            for verdict, given in zip_longest(self.verdicts, self.known)
        ]
        leaves = tuple(entry.leaf for entry in entries)
        intent = Intent(self.store, self.operation, self.policy.revision, leaves, self.models)
        number = append(conn, tenant, intent, datetime.now(UTC)).seq
        for entry in entries:
            if entry.decision.action.blocks:
                _into_queue(conn, self.policy, entry, self.store)
        return Envelope(
            tenant,
            self.store,
            number,
            tuple(entry.decision for entry in entries),
            tuple(_stamp(keys, entry) for entry in entries),
        )

    def _entry(
        self,
        conn: sqlite3.Connection,
        ring: Keyring,
        keys: TenantKeys,
        verdict: Verdict,
        known: Provenance | None,
    ) -> _Entry:
        """Number, seal and note one decision."""
        whose = known or provenance_of(keys, verdict.candidate)
        owner = _Owner(
            self.policy.tenant, verdict.candidate.subject, verdict.id, digest=whose.subject
        )

        def numbered(entity: str, value: str) -> int:
            return number_for(
                conn,
                ring,
                owner.tenant,
                entity,
                value,
                subject=owner.subject,
                record=owner.record,
            )

        decided = decide(
            verdict,
            self.policy,
            numbered,
            models=self.models,
            seal=f"{verdict.id}.{ORIGINALS}",
        )
        seals = _seal_all(conn, ring, owner, verdict, decided)
        leaf = leaf_of(decided.decision, verdict.candidate, keys, seals)
        leaf = replace(leaf, origin=whose.origin, subject=whose.subject)
        return _Entry(verdict, decided.decision, leaf, seals, whose)


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

    verdict: Verdict
    decision: Decision
    leaf: Leaf
    seals: tuple[SealRef, ...]
    whose: Provenance


def _into_queue(conn: sqlite3.Connection, policy: Policy, entry: _Entry, store: str) -> None:
    """A held candidate waits; a rejected one lies there settled, to be restored if wrong."""
    decision, verdict = entry.decision, entry.verdict
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


def _refuse_flood(conn: sqlite3.Connection, item: Item, most: int) -> None:
    """Rejected originals are kept so that a wrong rejection can be undone, but not without end."""
    if counts(conn, item.tenant, item.origin).get(State.REJECTED, 0) >= most:
        raise LimitExceeded(
            f"{most} rejected writes of this origin are kept already; this one is refused and not"
            " kept. Decide or erase some, or block the origin",
            (item.decision,),
        )


def _seal_all(
    conn: sqlite3.Connection, ring: Keyring, owner: _Owner, verdict: Verdict, decided: Decided
) -> tuple[SealRef, ...]:
    """Seal what is not stored as it came: a held or cut candidate, redacted originals."""
    decision, redacted = decided.decision, decided.redacted
    seals: list[SealRef] = []
    if decision.action.blocks or decision.cuts:
        seals.append(_seal(conn, ring, owner, CANDIDATE, pack_candidate(verdict.candidate)))
    reversible = [
        (redaction, original)
        for redaction, original in zip(redacted.redactions, redacted.originals, strict=True)
        if redaction.seal
    ]
    if reversible:
        packed = pack_originals([r for r, _ in reversible], [o for _, o in reversible])
        seals.append(_seal(conn, ring, owner, ORIGINALS, packed))
    return tuple(seals)


def _seal(
    conn: sqlite3.Connection, ring: Keyring, owner: _Owner, purpose: str, plain: bytes
) -> SealRef:
    sealed = seal(
        conn,
        ring,
        owner.tenant,
        plain,
        seal_id=f"{owner.record}.{purpose}",
        subject=owner.subject,
        record=owner.record,
        owner=owner.digest,
    )
    return SealRef(purpose, sealed.id, sealed.digest)


def _stamp(keys: TenantKeys, entry: _Entry) -> stamp.StampFields | None:
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
        memory_id=entry.verdict.candidate.memory_id,
        parts=decision.parts,
    )
