"""What a warden learns from verdicts: the face of lessons."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from memwarden import lessons
from memwarden.errors import UsageError
from memwarden.keys import TenantKeys
from memwarden.ledger import Leaf, find, parts_digest
from memwarden.lessons import Taught
from memwarden.model import Memory, Part, Policy, Tier
from memwarden.model.candidate import MAIN_PATH
from memwarden.vault import open_seal
from memwarden.warden.books import Books
from memwarden.warden.chain import Chain
from memwarden.warden.ports import MemoryStore
from memwarden.warden.sealed import CANDIDATE, unpack_candidate
from memwarden.warden.teaching import Learned, TaughtLessons, note, of_leaf


class Teaches:
    """Learning from decisions, listing what was learned, taking it back."""

    chain: Chain
    books: Books
    _store: MemoryStore
    _taught: TaughtLessons

    def learn(
        self,
        decision_id: str,
        *,
        tenant: str,
        actor: str,
        hostile: bool = True,
        text: str | Memory = "",
        everyone: bool | None = None,
    ) -> Taught:
        """Learn from a decision: its text is hostile (or harmless), and so is what is like it.

        Held and rejected texts are taken from the vault, stored ones from the embedded store; for
        a memory in another store give it as ``text``, and it has to be the one that was decided
        on. ``everyone`` says whether the lesson speaks to all writers or only to outsiders,
        agents and the tier that wrote it (default: the first, unless nothing but its origin spoke
        against it). It counts from the next write and the next recall on, in every process. An
        earlier lesson of the same decision gives way. Raises UsageError for a text that is not
        there, or too short to be known by.
        """
        self._policy(tenant)
        _named(actor)
        keys = self.books.admitted(tenant)
        with self.books.database.read() as conn:
            leaf = find(conn, tenant, decision_id).leaf
            learned = self._learned(conn, tenant, keys, leaf, text)
        if everyone is not None:
            bound = Tier.AUTHORITATIVE if everyone else max(leaf.tier, Tier.DERIVED)
            learned = Learned(learned.parts, learned.stretches, learned.kind, bound)
        remembered = self._taught.remembered(keys, learned, hostile=hostile, confirmed=True)

        def step(conn: sqlite3.Connection) -> Taught:
            taught = self._taught.keep(
                conn,
                tenant,
                remembered,
                decision=decision_id,
                item=decision_id if hostile else "",
                owner=leaf.subject,
            )
            change = "learned, hostile" if hostile else "learned, harmless"
            note(conn, keys, taught.id, change, decision_id, actor)
            return taught

        return self.books.database.write(step)

    def lessons(self, tenant: str, *, revoked: bool = False) -> tuple[Taught, ...]:
        """What a tenant learned, oldest first; with ``revoked`` also what was taken back."""
        self._policy(tenant)
        with self.books.database.read() as conn:
            return lessons.listed(conn, self.books.ring, tenant, revoked=revoked)

    def revoke_lesson(self, tenant: str, lesson: str, *, actor: str) -> bool:
        """Take a lesson back, named by its id; False if there is none of that id that holds."""
        self._policy(tenant)
        _named(actor)

        def step(conn: sqlite3.Connection) -> bool:
            done = lessons.revoke(conn, tenant, lesson)
            if done:
                note(conn, self.books.ring.tenant(conn, tenant), lesson, "revoked", "", actor)
            return done

        return self.books.database.write(step)

    def _learned(
        self,
        conn: sqlite3.Connection,
        tenant: str,
        keys: TenantKeys,
        leaf: Leaf,
        text: str | Memory,
    ) -> Learned:
        if any(ref.purpose == CANDIDATE for ref in leaf.seals):
            plain = open_seal(conn, self.books.ring, tenant, f"{leaf.id}.{CANDIDATE}")
            return of_leaf(leaf, unpack_candidate(plain).parts)
        parts = _parts(text) if text else self._stored(tenant, leaf.id)
        digest = parts_digest(keys, parts)
        if digest == leaf.text:
            return of_leaf(leaf, parts)
        if digest == leaf.stored:
            # Redacted since: what was found in it stands elsewhere now.
            learned = of_leaf(leaf, parts)
            return Learned(learned.parts, (), learned.kind, learned.bound)
        raise UsageError(
            f"this is not the text of decision {leaf.id}; give the memory as the store has it"
        )

    def _stored(self, tenant: str, decision_id: str) -> Sequence[Part]:
        for one in self._store.scan(tenant):
            if one.stamp.get("dec") == decision_id:
                return one.parts
        raise UsageError(
            f"the text of decision {decision_id} is neither sealed nor in the store"
            f" {self._store.name!r}; give it as text="
        )

    def _policy(self, tenant: str) -> Policy:
        raise NotImplementedError


def _named(actor: str) -> None:
    if not actor:
        raise UsageError("say who teaches: actor is the name of a person or a job")


def _parts(text: str | Memory) -> Sequence[Part]:
    return (Part(MAIN_PATH, text),) if isinstance(text, str) else text.parts
