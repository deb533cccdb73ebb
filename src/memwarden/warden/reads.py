"""The read side of a warden's face: recall, what may rest on it, and what is not given out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from memwarden.errors import ReadLimit, ScopeError, UsageError
from memwarden.fence import Allowed, Block
from memwarden.fence import may as allowed
from memwarden.fence.standing import standing
from memwarden.model import (
    Influence,
    Memory,
    Policy,
    Sensitivity,
)
from memwarden.warden.books import Books
from memwarden.warden.chain import Chain
from memwarden.warden.ports import Stored
from memwarden.warden.recall import (
    Admission,
    Ask,
    Reader,
    Recalled,
    Recalling,
    Withheld,
    reading,
    reading_now,
)
from memwarden.warden.recall.scoping import scope_of
from memwarden.warden.scope import Scope
from memwarden.warden.teaches import Teaches
from memwarden.warden.teaching import TaughtLessons
from memwarden.warden.watch import Watch

if TYPE_CHECKING:
    from memwarden.warden.recall.asking import Asked


class Reads(Teaches, Watch):
    """What a warden does for readers. ``Warden`` adds writing and opens what this stands on."""

    def __init__(self, chain: Chain, books: Books) -> None:
        self.books = books
        self._taught = TaughtLessons(books, lambda: chain.encoder)
        self.chain = chain.consulting(self._taught)
        self._recalling = Recalling(self.chain, books, self._taught)

    def recall(
        self,
        query: str,
        *,
        tenant: str,
        reader: Reader | None = None,
        limit: int = 10,
        namespace: tuple[str, ...] | None = None,
        of: str = "",
        ceiling: Sensitivity | None = None,
    ) -> Recalled:
        """The memories nearest to ``query`` that this reader may be given today, nearest first.

        ``reader`` says for whom (default: the ``reading`` scope around the call; without one, all
        of the tenant, unless policy requires a reader). ``namespace`` is one place, ``of`` one
        principal whose memories alone are asked for; what is out of the reader's reach raises
        ScopeError, or finds nothing where policy says ``out_of_scope: empty``. ``ceiling`` can
        only lower the highest sensitivity. Raises ReadLimit beyond the reader's quota.
        """
        policy = self._policy(tenant)
        if limit < 1:
            raise UsageError("limit counts memories and is at least 1")
        asked = self._within_scope(
            policy, reader, self._store.name, namespace=namespace, of=of, ceiling=ceiling
        )
        if asked is None:
            return Recalled(())
        found = self._searched(query, asked, limit)
        memories = [self._recalling.memory(tenant, asked.keys, one) for one in found]
        places = [one.namespace for one in found]
        return self._recalling.best(memories, asked, places, limit)

    def _within_scope(
        self,
        policy: Policy,
        reader: Reader | None,
        store: str,
        *,
        namespace: tuple[str, ...] | None = None,
        of: str = "",
        ceiling: Sensitivity | None = None,
    ) -> Asked | None:
        """What is asked for; None where it is out of scope and policy says to find nothing."""
        try:
            return self._recalling.asked(
                policy,
                reader or reading_now(),
                store=store,
                namespace=namespace,
                of=of,
                ceiling=ceiling,
            )
        except ReadLimit:
            raise
        except ScopeError:
            if policy.read.out_of_scope == "error":
                raise
            return None

    def _searched(self, query: str, asked: Asked, limit: int) -> Sequence[Stored]:
        """Ask the store for more than is wanted, since some of it may be withheld.

        What a store gives back against the very conditions it was asked by is its own fault, and
        raises ScopeError where policy says so; a memory tampered with is only withheld, later.
        """
        scope, wanted = asked.scope, min(4 * limit, limit + 64)
        restricted = {} if scope.clauses is None else {"clauses": scope.clauses}
        found = self._store.search(
            asked.tenant, query, limit=wanted, namespace=scope.namespace, **restricted
        )
        strays = sum(not scope.admits(one.namespace, one.stamp) for one in found)
        if strays and asked.policy.read.out_of_scope == "error":
            raise ScopeError(
                f"the store {asked.store!r} gave back {strays} memories outside of what it was"
                " asked for; nothing was read, see that it applies namespace and clauses"
            )
        return found

    def memory(self, tenant: str, stored: Stored, *, stamp_id: str | None = None) -> Memory:
        """What a stored memory is worth by its stamp; without a valid one it is untrusted."""
        return self._recalling.memory(tenant, self.books.keys_of(tenant), stored, stamp_id)

    def admit(
        self,
        memories: Sequence[Memory],
        *,
        tenant: str,
        reader: Reader | None = None,
        ceiling: Sensitivity | None = None,
        store: str = "",
    ) -> tuple[Admission, ...]:
        """Vet memories that a host's own search returned; what adapters call on every read.

        ``store`` is the name under which the host is registered, for what has to be reviewed.
        Raises ScopeError where policy requires a reader and none is stated, ReadLimit beyond the
        reader's quota.
        """
        policy = self._policy(tenant)
        asked = self._within_scope(policy, reader, store, ceiling=ceiling)
        if asked is None:
            return tuple(Admission(memory, Withheld.OUT_OF_SCOPE) for memory in memories)
        return self._recalling.admissions(memories, asked)

    def scope(self, tenant: str, reader: Reader | None = None) -> Scope:
        """What a reader may be given, for a host's own query; see ``Session.scope``."""
        keys = self.books.keys_of(tenant)
        return scope_of(reader or reading_now(), self._policy(tenant).read, keys)

    def may(
        self, action: str, *, because: Block, resting_on: Sequence[str] | None = None
    ) -> Allowed:
        """Whether an action may rest on recalled memories, with the reason; true or false as is.

            if not warden.may("tool", because=block): ...

        ``resting_on`` are the ids of the memories that it really rests on (default: the whole
        block). The least of them says what they may do: only a recall, which knows their lineage,
        lends a memory influence on the word of others.
        """
        told = allowed(action, because, because=resting_on)
        if not told:
            return told
        chosen = [
            memory
            for memory in because.memories
            if resting_on is None or memory.memory_id in resting_on
        ]
        given = min((standing(memory)[1] for memory in chosen), default=Influence.REFERENCE)
        return allowed(action, replace(because, influence=given))

    def reading(self, reader: Reader) -> AbstractContextManager[Reader]:
        """State for whom everything inside the ``with`` block reads, wrapped hosts included."""
        return reading(reader)

    def ask_with(self, ask: Ask | None) -> None:
        """Name the callable that says what a memory would have the agent do, for policies with
        ``read.consensus``. It may be called from any thread; None asks the bundled encoder."""
        self._recalling.ask = ask

    def withheld(self, tenant: str) -> Mapping[str, int]:
        """How many memories this process has withheld from a tenant's recalls, by reason."""
        self._policy(tenant)
        return self._recalling.counts(tenant)
