"""What a warden watches over: origins that were revoked, and memories that are bait."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from memwarden.errors import UsageError
from memwarden.ledger import ConfigChange, append, new_id
from memwarden.ledger.notes import source_word
from memwarden.model import (
    FACT,
    UNSTATED,
    Action,
    Candidate,
    Influence,
    Origin,
    Policy,
    Ruling,
    Sensitivity,
)
from memwarden.warden.books import Books, Envelope
from memwarden.warden.deciding import Verdict
from memwarden.warden.ports import MemoryStore, Stored, Writable
from memwarden.warden.recall import Revocation, honeytokens, revoking

PLANT: Final = "plant"
"""The operation of envelopes that planted a honeytoken."""


class Watch:
    """Revoking origins and planting honeytokens. ``Warden`` opens what this stands on."""

    books: Books
    _store: MemoryStore

    # -- revoked origins -------------------------------------------------------------------------

    def revoke_origin(
        self,
        tenant: str,
        *,
        source: str = "",
        principal: str = "",
        since: datetime | None = None,
        actor: str,
    ) -> Revocation:
        """Withhold what an origin wrote, and what was derived from it, from every recall.

        A source alone is everyone who wrote as it; a principal alone is whatever they wrote as;
        ``since`` spares what was stored before. Nothing is deleted: see ``reinstate_origin``.
        """
        policy = self._policy(tenant)
        if since is not None and since.tzinfo is None:
            raise UsageError("since needs a time zone")

        def step(conn: sqlite3.Connection) -> Revocation:
            keys = self.books.ring.admit(conn, tenant)
            entry = revoking.revoke(
                conn,
                keys,
                source=source,
                principal=principal,
                since=since,
                known_sources=(*policy.sources, UNSTATED),
            )
            self._note(conn, tenant, f"origin:{entry.id}", "revoked", source, actor)
            return entry

        return self.books.database.write(step)

    def reinstate_origin(self, tenant: str, revocation: str, *, actor: str) -> bool:
        """Take a revocation back, named by its id; False if there is none of that id."""
        self._policy(tenant)

        def step(conn: sqlite3.Connection) -> bool:
            done = revoking.reinstate(conn, tenant, revocation)
            if done:
                self._note(conn, tenant, f"origin:{revocation}", "reinstated", "", actor)
            return done

        return self.books.database.write(step)

    def revoked_origins(self, tenant: str) -> tuple[Revocation, ...]:
        """The origins whose memories are withheld, oldest entry first."""
        self._policy(tenant)
        with self.books.database.read() as conn:
            return revoking.revoked(conn, tenant)

    def _note(
        self,
        conn: sqlite3.Connection,
        tenant: str,
        about: str,
        change: str,
        source: str,
        actor: str,
    ) -> None:
        if not actor:
            raise UsageError("say who does this: actor is the name of a person or a job")
        who = self.books.ring.tenant(conn, tenant).digest("actor", actor)
        detail = source_word(source) if source else ""
        append(conn, tenant, ConfigChange(about, change, detail, who), datetime.now(UTC))

    # -- honeytokens -----------------------------------------------------------------------------

    def plant(
        self,
        text: str,
        *,
        tenant: str,
        source: str,
        principal: str = "",
        namespace: tuple[str, ...] = (),
    ) -> str:
        """Store a memory that nobody has a reason to read; returns its id.

        It lies in the store like any memory of ``source`` and ``principal``, unjudged, is given
        to nobody, and raises an alarm when a recall finds it: in the log, the ledger and the
        review queue.
        """
        policy = self._policy(tenant)
        origin = Origin(source, principal)
        candidate = Candidate(text, origin=origin, namespace=namespace, memory_id=str(uuid.uuid4()))
        tier = policy.tier_of_source(source)
        ruling = Ruling(Action.ALLOW, FACT, tier, Sensitivity.INTERNAL, Influence.REFERENCE, ())
        verdict = Verdict(new_id(), candidate, candidate, ruling, datetime.now(UTC), 0.0)

        def remember(conn: sqlite3.Connection) -> None:
            keys = self.books.ring.admit(conn, tenant)
            honeytokens.remember(conn, keys, candidate.memory_id)

        store = self._store
        envelope = self.books.record(
            policy, [verdict], store=store.name, operation=PLANT, also=remember
        )
        (decision,), (stamp,) = envelope.decisions, envelope.stamps
        stored = Stored(candidate.memory_id, decision.parts or (), stamp or {}, namespace)
        self._put(store, tenant, envelope, [(0, stored)])
        return candidate.memory_id

    def uproot(self, memory_id: str, *, tenant: str) -> None:
        """Remove a planted honeytoken from the store, and forget that it was one."""
        self._policy(tenant)
        keys = self.books.admitted(tenant)
        with self.books.database.read() as conn:
            if memory_id not in honeytokens.planted(conn, keys, [memory_id]):
                raise UsageError("no honeytoken of this id was planted in this tenant")
        self._store.delete(tenant, [memory_id])
        self.books.database.write(lambda conn: honeytokens.forget(conn, keys, memory_id))

    # -- what the whole warden provides ----------------------------------------------------------

    def _policy(self, tenant: str) -> Policy:
        raise NotImplementedError

    def _put(
        self,
        store: Writable,
        tenant: str,
        envelope: Envelope,
        kept: Sequence[tuple[int, Stored]],
    ) -> None:
        raise NotImplementedError
