"""Vetting what came back from a store, before anybody sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

import structlog

from memwarden.errors import UsageError
from memwarden.keys import TenantKeys
from memwarden.model import Influence, Memory, Policy, Sensitivity, Treatment
from memwarden.redaction import redact
from memwarden.warden.books import Books
from memwarden.warden.ports import Stored
from memwarden.warden.recall import consensus, honeytokens, quarantine
from memwarden.warden.recall.asking import Asked, Vetted, in_scope
from memwarden.warden.recall.corroborating import corroborated
from memwarden.warden.recall.facts import Facts, comes_from_revoked, facts_about
from memwarden.warden.recall.lineage import Lineage, Lineages
from memwarden.warden.recall.quarantine import Standing
from memwarden.warden.recall.quota import Quota
from memwarden.warden.recall.reader import Reader, ceiling_for
from memwarden.warden.recall.recalled import Recalled
from memwarden.warden.recall.rejudging import Rejudging, Today
from memwarden.warden.recall.reporting import Reporting
from memwarden.warden.recall.scoping import scope_of
from memwarden.warden.recall.sharing import Share
from memwarden.warden.recall.stamps import Stamps
from memwarden.warden.recall.windows import (
    Admission,
    Withheld,
    influence_of,
    memory_of,
    window,
)

if TYPE_CHECKING:
    from memwarden.warden.chain import Chain
    from memwarden.warden.teaching import TaughtLessons

_log = structlog.get_logger("memwarden.recall")


class Recalling:
    """The read side of a warden. Safe to use from any thread."""

    def __init__(self, chain: Chain, books: Books, taught: TaughtLessons) -> None:
        self._chain = chain
        self._books = books
        self._taught = taught
        self._rejudging = Rejudging(chain.judge)
        self._stamps = Stamps()
        self._lineages = Lineages()
        self._quota = Quota()
        self._reporting = Reporting(books)
        self._was_reviewed = lru_cache(maxsize=16_384)(books.was_reviewed)
        self.ask: consensus.Ask | None = None
        """Says what a memory would have the agent do; None asks the bundled encoder."""

    def asked(
        self,
        policy: Policy,
        reader: Reader | None,
        *,
        store: str,
        namespace: tuple[str, ...] | None = None,
        of: str = "",
        ceiling: Sensitivity | None = None,
    ) -> Asked:
        """How far a recall reaches. Raises ScopeError or ReadLimit, and then nothing was read."""
        keys = self._books.keys_of(policy.tenant)
        scope = scope_of(reader, policy.read, keys, namespace=namespace, of=of)
        for name in reader.names if reader is not None else ():
            self._quota.count(policy.tenant, name, policy.limits.recall_per_minute)
        highest = ceiling_for(policy.read, reader, ceiling)
        return Asked(policy, reader, keys, scope, highest, store, datetime.now(UTC))

    def memory(
        self, tenant: str, keys: TenantKeys | None, stored: Stored, stamp_id: str | None = None
    ) -> Memory:
        """What a stored memory is worth by its stamp. ``stamp_id`` is the id that the stamp is
        bound to, where that is another than the memory's own."""
        bound = stored.memory_id if stamp_id is None else stamp_id
        return memory_of(stored, self._stamps.said(tenant, keys, stored, bound))

    def counts(self, tenant: str) -> Mapping[str, int]:
        """How many memories were withheld, by reason, since this process began."""
        return self._reporting.counts(tenant)

    # -- each memory by itself -------------------------------------------------------------------

    def vet(
        self,
        memories: Sequence[Memory],
        asked: Asked,
        namespaces: Sequence[tuple[str, ...]] | None = None,
    ) -> list[Vetted]:
        """Everything that can be said of each memory by itself, by position.

        ``namespaces`` says where each lay, in a store of the warden's own; of a host it is only
        known by the stamp. Suspect memories go before a reviewer, honeytokens raise their alarm.
        """
        places: Sequence[tuple[str, ...] | None] = (
            [None] * len(memories) if namespaces is None else namespaces
        )
        vetted = [_by_itself(*one, asked) for one in zip(memories, places, strict=True)]
        within = [one.memory for one in vetted if one.withheld is not Withheld.OUT_OF_SCOPE]
        with self._books.database.read() as conn:
            facts = facts_about(conn, within, asked, self._lineages)
        vetted = [_by_facts(one, facts, asked) for one in vetted]
        if asked.policy.read.rejudge:
            self._rejudge(vetted, facts, asked)
        self._reporting.count(asked, (one.withheld for one in vetted))
        for one in vetted:
            self._report(one, asked)
        return vetted

    def _rejudge(self, vetted: list[Vetted], facts: Facts, asked: Asked) -> None:
        open_ = [at for at, one in enumerate(vetted) if one.withheld is None]
        said = self._rejudging.today(
            [vetted[at].memory for at in open_], asked.policy, facts.lessons
        )
        for at, today in zip(open_, said, strict=True):
            vetted[at] = self._by_today(vetted[at], today, facts, asked)

    def _by_today(self, one: Vetted, today: Today, facts: Facts, asked: Asked) -> Vetted:
        memory = one.memory
        if today.stores and not today.slots and today.sensitivity <= memory.sensitivity:
            return one
        reviewed = _standing(memory, facts, asked).approved or (
            memory.stamped and self._was_reviewed(asked.tenant, memory.decision_id)
        )
        if not (today.stores or reviewed):
            return replace(one, withheld=Withheld.NO_LONGER_ALLOWED, suspect=today.suspect)
        if today.slots and not reviewed:
            masked = [replace(slot, treatment=Treatment.REPLACE) for slot in today.slots]
            memory = replace(memory, parts=redact(memory.parts, masked, _no_number).parts)
        memory = replace(memory, sensitivity=max(memory.sensitivity, today.sensitivity))
        hidden = Withheld.TOO_SENSITIVE if memory.sensitivity > asked.ceiling else None
        return replace(one, memory=memory, withheld=hidden)

    def _report(self, one: Vetted, asked: Asked) -> None:
        if one.withheld is Withheld.HONEYTOKEN:
            self._reporting.alarm(one, asked)
        elif one.suspect and not self._reporting.knows(one, asked):
            ruling = self._rejudging.judged(one.memory, asked.policy).ruling
            self._reporting.quarantine(one, quarantine.suspect(one.memory, ruling), asked)

    # -- the result as a whole -------------------------------------------------------------------

    def best(
        self,
        memories: Sequence[Memory],
        asked: Asked,
        namespaces: Sequence[tuple[str, ...]],
        limit: int,
    ) -> Recalled:
        """The first ``limit`` memories that may be given out, with what was withheld on the way.

        Looks no further down the list than it must, so that a memory nobody gets costs nothing.
        """
        share = Share(asked.policy.read.max_origin_share, limit, asked.own)
        kept: list[Vetted] = []
        hidden: list[Memory] = []
        at = 0
        while len(kept) < limit and at < len(memories):
            here = slice(at, at + limit)
            at += limit
            vetted = self.vet(memories[here], asked, namespaces[here])
            hidden += [one.memory for one in vetted if one.withheld is not None]
            fine = [one for one in vetted if one.withheld is None]
            within = [one for one in fine if share.takes(one.memory)]
            self._reporting.count(asked, [Withheld.CROWDING] * (len(fine) - len(within)))
            kept += within
        given, diverging = self._agreeing(kept[:limit], asked)
        return Recalled(self._raised(given, asked), (*hidden, *diverging))

    def admissions(self, memories: Sequence[Memory], asked: Asked) -> tuple[Admission, ...]:
        """What a host's own search returned, vetted; by position, nothing is left out."""
        share = Share(asked.policy.read.max_origin_share, max(1, len(memories)), asked.own)
        vetted = self.vet(memories, asked)
        reasons = [_crowded(one, share) for one in vetted]
        self._reporting.count(asked, (r for r in reasons if r is Withheld.CROWDING))
        open_ = [at for at, reason in enumerate(reasons) if reason is None]
        raised = self._raised([vetted[at].memory for at in open_], asked)
        given = dict(zip(open_, raised, strict=True))
        return tuple(
            Admission(given.get(at, one.memory), reasons[at]) for at, one in enumerate(vetted)
        )

    def _raised(self, memories: Sequence[Memory], asked: Asked) -> list[Memory]:
        """The memories with the influence that independent others lend them."""

        def lineage_of(memory: Memory) -> Lineage:
            with self._books.database.read() as conn:
                return self._lineages.of(conn, asked.tenant, memory.decision_id)

        up = corroborated(memories, asked.policy, lineage_of)
        return [
            replace(one, influence=Influence.INFORM) if at in up else one
            for at, one in enumerate(memories)
        ]

    def _agreeing(
        self, vetted: Sequence[Vetted], asked: Asked
    ) -> tuple[list[Memory], list[Memory]]:
        """The memories that a majority does not contradict, where policy asks for consensus, and
        those that it does. Where there is no majority, all of them are only to be looked up.
        """
        memories = [one.memory for one in vetted]
        if not asked.policy.read.consensus or len(memories) < consensus.FEWEST:
            return memories, []
        verdict = self._consensus([memory.text for memory in memories])
        odd = [at for at in sorted(verdict.diverging) if not self._approved(vetted[at], asked)]
        for at in odd:
            if not self._reporting.knows(vetted[at], asked):
                self._reporting.quarantine(vetted[at], quarantine.diverges(memories[at]), asked)
                self._learn(memories[at], asked)
        self._reporting.count(asked, [Withheld.DIVERGING] * len(odd))
        kept = [one for at, one in enumerate(memories) if at not in odd]
        left_out = [memories[at] for at in odd]
        if verdict.agreed:
            return kept, left_out
        return [replace(one, influence=Influence.REFERENCE) for one in kept], left_out

    def _learn(self, memory: Memory, asked: Asked) -> None:
        """A memory that the others outvote is a lesson until a reviewer says otherwise."""
        if asked.keys is None or not memory.decision_id:
            return
        with self._books.database.read() as conn:
            item = quarantine.item_of(conn, asked.keys, memory, asked.policy.revision)
        self._taught.diverged(asked.keys, memory, item)

    def _consensus(self, texts: Sequence[str]) -> consensus.Verdict:
        if self.ask is None:
            return consensus.of_readings(self._chain.encoder.encode(texts))
        return consensus.of_answers([_answer(self.ask, text) for text in texts])

    def _approved(self, one: Vetted, asked: Asked) -> bool:
        with self._books.database.read() as conn:
            facts = facts_about(conn, [one.memory], asked, self._lineages)
        return _standing(one.memory, facts, asked).approved


def _by_itself(memory: Memory, namespace: tuple[str, ...] | None, asked: Asked) -> Vetted:
    if not in_scope(memory, namespace, asked):
        return Vetted(memory, namespace, Withheld.OUT_OF_SCOPE)
    tokens = asked.policy.read.honeytokens
    if tokens and honeytokens.declared(memory, tokens):
        return Vetted(memory, namespace, Withheld.HONEYTOKEN)
    allowed = influence_of(memory, asked.policy)
    if allowed is not memory.influence:
        memory = replace(memory, influence=allowed)
    return Vetted(memory, namespace, window(memory, asked.policy, asked.ceiling, asked.now))


def _by_facts(one: Vetted, facts: Facts, asked: Asked) -> Vetted:
    if one.withheld is Withheld.OUT_OF_SCOPE:
        return one
    if one.memory.memory_id in facts.planted:
        return replace(one, withheld=Withheld.HONEYTOKEN)
    if one.withheld is not None:
        return one
    if facts.revocations and comes_from_revoked(one.memory, facts):
        return replace(one, withheld=Withheld.REVOKED)
    if _standing(one.memory, facts, asked).refused:
        return replace(one, withheld=Withheld.REFUSED)
    return one


def _standing(memory: Memory, facts: Facts, asked: Asked) -> Standing:
    if not facts.standings or asked.keys is None:
        return Standing()
    return facts.standings.get(quarantine.memory_name(asked.keys, memory), Standing())


def _crowded(one: Vetted, share: Share) -> Withheld | None:
    if one.withheld is None and not share.takes(one.memory):
        return Withheld.CROWDING
    return one.withheld


def _answer(ask: consensus.Ask, text: str) -> str | None:
    try:
        answer = ask(text)
    except Exception as error:  # noqa: BLE001 a memory that could not be asked is withheld
        _log.warning("a memory could not be asked", error=type(error).__name__)
        return None
    return answer if isinstance(answer, str) else None


def _no_number(entity: str, _: str) -> int:
    raise UsageError(f"a replaced {entity} has no number")
