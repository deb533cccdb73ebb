"""The warden: one object that guards every write and every read of a team's memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from memwarden.capability import Capability, issue, parse, revoke
from memwarden.errors import CannotDecide, UsageError
from memwarden.fence import Block, Paraphrases, Scrubber
from memwarden.fence import wrap as fenced
from memwarden.keys import KeyPlace
from memwarden.ledger import Diagnosis, new_id
from memwarden.model import (
    Candidate,
    Decision,
    Memory,
    Message,
    Origin,
    Policy,
    Receipt,
)
from memwarden.responses import Scrubs, events, scrubbed
from memwarden.warden.answers import Answers
from memwarden.warden.books import REVIEWED, Books, Envelope
from memwarden.warden.chain import Chain
from memwarden.warden.doctor import examine, repair
from memwarden.warden.origins import Attested, attest, scope, stated
from memwarden.warden.ports import MemoryStore, Stored, Writable
from memwarden.warden.reads import Reads
from memwarden.warden.recall import Reader, Recalled
from memwarden.warden.recall.quarantine import whose
from memwarden.warden.wrapping import embedded_store, guarded

if TYPE_CHECKING:
    from memwarden.review import Item
    from memwarden.warden.desk import Desk
    from memwarden.warden.session import Session

T = TypeVar("T")

RESERVED = "local"
"""The tenant of ``check`` and ``evaluate``. Nothing is ever stored for it."""


class Warden(Reads):
    """Guards the memory of all tenants of one data folder.

        warden = Warden.open("policies/", data_dir=".memwarden")
        decision = warden.write(Candidate("Sam likes tea", origin=Origin("user")), tenant="acme")
        block = warden.fence(warden.recall("what does Sam drink?", tenant="acme"), tenant="acme")

    Safe to use from any thread. Several processes may open the same folder; the embedded store
    alone belongs to one process at a time.
    """

    def __init__(self, chain: Chain, books: Books, store: MemoryStore) -> None:
        super().__init__(chain, books)
        self._answers = Answers(books, lambda texts: self.chain.encoder.vectors(texts))
        self._store = store
        self._stores: dict[str, Writable] = {store.name: store}

    @classmethod
    def open(
        cls,
        policies: str | Path | None = None,
        *,
        data_dir: str | Path = ".memwarden",
        keys: KeyPlace | None = None,
        store: MemoryStore | None = None,
        models: Path | None = None,
    ) -> Self:
        """Open a data folder, making it if need be.

        ``policies`` is a folder of YAML policies (none: the ones that ship); ``keys`` says where
        the master key lives (default: a folder of its own outside the data, see SECURITY.md);
        ``store`` replaces the embedded store. Raises PolicyError, VaultError, LedgerUnavailable.
        """
        folder = Path(data_dir)
        chain = Chain.open(policies, models=models)
        books = Books.open(folder, keys or KeyPlace.of())
        return cls(chain, books, store or embedded_store(folder, chain))

    @property
    def notice(self) -> Message | None:
        """What to tell the owner at first start: where the master key lies."""
        return self.books.ring.notice

    # -- writing ---------------------------------------------------------------------------------

    def write(
        self, candidate: Candidate, *, tenant: str, store: MemoryStore | None = None
    ) -> Decision:
        """Judge one candidate and store what may be stored. Durable on return.

        The decision says what happened; a held or rejected candidate is in the review queue.
        Raises LimitExceeded, CannotDecide or UnknownTenant, and then nothing was written.
        """
        return self.write_many([candidate], tenant=tenant, store=store)[0]

    def write_many(
        self, candidates: Sequence[Candidate], *, tenant: str, store: MemoryStore | None = None
    ) -> tuple[Decision, ...]:
        """The same for many: one durable envelope, one store call, one receipt."""
        chosen = store or self._store
        named = [_named(candidate) for candidate in candidates]
        if not named:
            return ()
        envelope = self.intend(named, tenant=tenant, store=chosen.name, operation="write")
        kept = [
            (position, _to_store(candidate, decision, stamp))
            for position, (candidate, decision, stamp) in enumerate(
                zip(named, envelope.decisions, envelope.stamps, strict=True)
            )
            if decision.parts is not None and stamp is not None
        ]
        self._put(chosen, tenant, envelope, kept)
        return envelope.decisions

    def _put(
        self,
        store: Writable,
        tenant: str,
        envelope: Envelope,
        kept: Sequence[tuple[int, Stored]],
    ) -> None:
        if not kept:
            return
        stored = False
        try:
            store.put(tenant, [memory for _, memory in kept])
            stored = True
        finally:
            self.books.settle(
                envelope,
                [
                    Receipt(envelope.decisions[at].id, stored, store.name, at, memory.memory_id)
                    for at, memory in kept
                ],
            )

    def decide(self, candidate: Candidate, *, tenant: str) -> Decision:
        """Judge and record one candidate without a store: for hosts that write by themselves."""
        envelope = self.intend([candidate], tenant=tenant, store="none", operation="decide")
        self.books.settle(
            envelope,
            [
                Receipt(d.id, False, "none", at)
                for at, d in enumerate(envelope.decisions)
                if d.action.stores
            ],
        )
        return envelope.decisions[0]

    def intend(
        self,
        candidates: Sequence[Candidate],
        *,
        tenant: str,
        store: str,
        operation: str,
        ceiling: Origin | None = None,
        believed: bool = True,
    ) -> Envelope:
        """Judge candidates and record the intent; what adapters call before the host's write.

        ``ceiling`` is what the store's unstated writes count as. ``believed`` is false for
        anything that came over a wire. The caller settles the envelope afterwards.
        """
        policy = self._policy(tenant)
        around = (ceiling,) if ceiling is not None else ()
        attested = [
            (one, self._attest((*around, *stated(), one.origin), policy, believed=believed))
            for one in candidates
        ]
        verdicts = self.chain.verdicts(attested, policy)
        return self.books.record(
            policy, verdicts, store=store, operation=operation, models=self._models(policy)
        )

    def write_reviewed(self, candidate: Candidate, item: Item, store: Writable) -> Decision:
        """Store a candidate that a reviewer approved, with an intent and a receipt of its own."""
        policy = self._policy(item.tenant)
        verdict = self.chain.reviewed(candidate, self.books.as_recorded(item), policy)
        with self.books.database.read() as conn:
            known = whose(conn, item)
        envelope = self.books.record(
            policy, [verdict], store=store.name, operation=REVIEWED, known=[known]
        )
        (decision,), (stamp,) = envelope.decisions, envelope.stamps
        if stamp is None:
            raise CannotDecide(f"the approved item {item.id} was not to be stored; nothing was")
        self._put(store, item.tenant, envelope, [(0, _to_store(candidate, decision, stamp))])
        return decision

    def _attest(self, statements: Sequence[Origin], policy: Policy, *, believed: bool) -> Attested:
        parents = [parent for origin in statements for parent in origin.derived_from]
        return attest(
            statements,
            policy,
            shown=self.books.shown(policy.tenant, statements),
            parents=self.books.tiers_of(policy.tenant, parents) if parents else {},
            believed=believed,
        )

    # -- reading ---------------------------------------------------------------------------------

    def fence(
        self,
        memories: Sequence[Memory],
        *,
        tenant: str,
        language: str | None = None,
        seed: int | None = None,
        withheld: Sequence[Memory] | None = None,
    ) -> Block:
        """Text for the prompt: every memory quoted, with who said it and how far to trust it.

        ``withheld`` are memories whose words must not be in the answer either (default: what the
        recall that ``memories`` come from withheld).
        """
        if withheld is None:
            withheld = memories.withheld if isinstance(memories, Recalled) else ()
        setting = self._policy(tenant).fence
        return fenced(
            memories, setting, tenant=tenant, language=language, seed=seed, withheld=withheld
        )

    def scrub(self, answer: T, block: Block, *, paraphrases: Paraphrases | None = None) -> T:
        """Take out of a model's answer what must not be in it: the sealed originals behind a
        block's memories and of the persons they are about, and what withheld memories say.

        ``answer`` is a text, or a response, message or block as OpenAI-style and Anthropic-style
        APIs give them (objects or dictionaries); it comes back as the same type. With
        ``paraphrases`` sentences that say the same in other words go too; it counts the cost.
        """
        return scrubbed(answer, self._scrubs(block, paraphrases))

    def scrub_stream(
        self, chunks: Iterable[T], block: Block, *, paraphrases: Paraphrases | None = None
    ) -> Iterator[T]:
        """The same while the answer streams, as texts or as a provider's events; gives together
        exactly what ``scrub`` gives."""
        return events(chunks, self._scrubs(block, paraphrases))

    def scrubber(self, block: Block) -> Scrubber:
        """The scrubber behind ``scrub``, for answers that come in a shape of their own."""
        return self._answers.scrubber(block, self._policy(block.tenant).scrub)

    def _scrubs(self, block: Block, paraphrases: Paraphrases | None) -> Scrubs:
        setting = self._policy(block.tenant).scrub
        if paraphrases is None:
            return self._answers.scrubber(block, setting)
        return self._answers.checked(block, setting, paraphrases)

    # -- places ----------------------------------------------------------------------------------

    def origin(
        self,
        source: str,
        *,
        principal: str = "",
        session: str = "",
        derived_from: tuple[str, ...] = (),
        capability: str = "",
    ) -> AbstractContextManager[Origin]:
        """State where everything written inside the ``with`` block comes from."""
        return scope(Origin(source, principal, session, derived_from, capability))

    def wrap(
        self,
        host: T,
        *,
        tenant: str,
        origin: str | None = None,
        reader: Reader | None = None,
        **options: object,
    ) -> T:
        """Guard a store the team already has. Returns an object that is still that store.

        ``reader`` is for whom it reads where no ``reading`` scope says otherwise.
        """
        return guarded(host, self.session(tenant, origin=origin, reader=reader), options)

    def session(
        self,
        tenant: str,
        *,
        origin: str | None = None,
        believed: bool = True,
        reader: Reader | None = None,
    ) -> Session:
        """This warden as one store's adapter sees it: one tenant, one ceiling, one reader."""
        from memwarden.warden.session import Session

        self._policy(tenant)
        return Session(self, tenant, Origin(origin) if origin else None, believed, reader)

    @property
    def review(self) -> Desk:
        """The review queue."""
        from memwarden.warden.desk import Desk

        return Desk(self, self._stores)

    @property
    def stores(self) -> Mapping[str, Writable]:
        """The stores that this process can reach, by name."""
        return MappingProxyType(self._stores)

    def register_store(self, store: Writable) -> None:
        """Let this process's review desk and doctor reach a wrapped host.

        Raises UsageError when another host has the name: an approved memory must not end up in
        the wrong one.
        """
        if self._stores.setdefault(store.name, store) != store:
            raise UsageError(
                f"two stores are called {store.name!r}; give each its own name when wrapping it"
            )

    def forget_store(self, store: Writable) -> None:
        """Take back ``register_store``, when the host is closed."""
        if self._stores.get(store.name) == store:
            del self._stores[store.name]

    def examine(self, *, patience: float = 60.0) -> tuple[Diagnosis, ...]:
        """What a crash left unfinished; see ``memwarden doctor``."""
        return examine(self.books, self._stores, patience=patience)

    def repair(self, diagnoses: Sequence[Diagnosis]) -> int:
        """Append the receipts that diagnoses propose; says how many."""
        return repair(self.books, diagnoses)

    def issue_capability(
        self, tenant: str, sources: tuple[str, ...], *, principal: str = "", expires: datetime
    ) -> str:
        """A signed token that lets its writer claim ``sources`` in a tenant until it expires."""
        self._policy(tenant)
        granted = Capability(new_id(), tenant, sources, expires, principal)
        return issue(self.books.ring.root.capabilities, granted)

    def revoke_capability(self, tenant: str, token: str) -> bool:
        """End a capability, named by its token or its id; False if it was ended already."""
        name = parse(self.books.ring.root.capabilities, token).id if "." in token else token
        return self.books.database.write(lambda conn: revoke(conn, tenant, name, datetime.now(UTC)))

    def close(self) -> None:
        """Finish what waits and close the store, the books and the models."""
        self._store.close()
        self.books.close()
        self.chain.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _policy(self, tenant: str) -> Policy:
        if tenant == RESERVED:
            raise UsageError(
                "`local` is reserved for trying texts and stores nothing; name a tenant of a policy"
            )
        return self.chain.policy(tenant)

    def _models(self, policy: Policy) -> tuple[str, ...]:
        return self.chain.models_of(policy)


def _named(candidate: Candidate) -> Candidate:
    """The candidate with an id for the store, made now where the caller gave none."""
    return candidate if candidate.memory_id else candidate.with_id(str(uuid.uuid4()))


def _to_store(
    candidate: Candidate, decision: Decision, stamp: Mapping[str, str | int | None]
) -> Stored:
    return Stored(
        candidate.memory_id,
        decision.parts or (),
        stamp,
        candidate.namespace,
        host=candidate.host,
    )
