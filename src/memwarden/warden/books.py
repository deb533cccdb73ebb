"""The books: ledger, vault and review queue of one data folder, moved together or not at all.

Whatever a decision needs on disk is written in one durable step: originals sealed, the intent
appended, held candidates put into the queue. Only then may anything reach a store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from memwarden import capability, stamp
from memwarden.database import Database
from memwarden.errors import ScopeError, UsageError, VaultError
from memwarden.keys import KeyPlace, Keyring, TenantKeys, open_keyring
from memwarden.ledger import (
    Fate,
    Fault,
    Outcome,
    Outcomes,
    append,
    check_seals,
    memory_digest,
    show,
    sign_heads,
)
from memwarden.ledger import find as find_decision
from memwarden.model import Origin, Part, Policy, Receipt, Tier
from memwarden.review import Item
from memwarden.vault import digests_of, open_seal, subject_digest
from memwarden.warden.deciding import Verdict
from memwarden.warden.provenance import Provenance
from memwarden.warden.recording import Envelope, Recording
from memwarden.warden.sealed import ORIGINALS, SealedOriginal, unpack_originals

__all__ = ["FILE_NAME", "REVIEWED", "Books", "Envelope"]

FILE_NAME: Final = "memwarden.db"

REVIEWED: Final = "review"
"""The operation of envelopes that a reviewer's verdict opened."""


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

        recording = Recording(policy, verdicts, store, operation, models, known, also)
        return self.database.write(lambda conn: recording.record(conn, self.ring))

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
