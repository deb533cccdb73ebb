"""The chain as a tenant's policy configures it: policies, evidence and guards, without a ledger.

Opening one is cheap: models are loaded when a guard first needs them.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from memwarden import bundled
from memwarden.errors import GuardFailed
from memwarden.ledger import new_id
from memwarden.model import (
    Action,
    Candidate,
    Decision,
    Entity,
    Evidence,
    Lesson,
    Need,
    Neighbour,
    Policy,
    RecentWrite,
    Views,
    WindowReading,
)
from memwarden.policy import LOCAL, PolicyBook
from memwarden.review import Item, Move
from memwarden.ruling import slots_for
from memwarden.text import read
from memwarden.warden.deciding import Verdict, decide
from memwarden.warden.gather import Gatherer, StoredEvidence
from memwarden.warden.judge import Judged, Presented, judge
from memwarden.warden.origins import Attested, attest, stated

if TYPE_CHECKING:
    from memwarden.encoder import Encoder, Encoders


_OWN: Final = "memwarden."
_PROBE: Final = Candidate("probe")


class NothingStored:
    """Stored evidence of a chain that has no store: there is none, and that is no failure."""

    def recent(self, tenant: str, one: Presented) -> tuple[RecentWrite, ...]:  # noqa: ARG002
        return ()

    def lessons(
        self,
        tenant: str,  # noqa: ARG002
        one: Presented,  # noqa: ARG002
        evidence: Evidence,  # noqa: ARG002
    ) -> tuple[Lesson, ...]:
        return ()

    def neighbours(self, tenant: str, one: Presented) -> tuple[Neighbour, ...]:  # noqa: ARG002
        return ()


class Chain:
    """Judges candidates by tenant. Safe to use from any thread."""

    def __init__(
        self, book: PolicyBook, models: Path, stored: StoredEvidence | None = None
    ) -> None:
        self._book = book
        self._models = models
        self._given = stored is not None
        self._of: Chain | None = None
        self._gather = Gatherer(
            read=read,
            encode=self._encode,
            find_entities=self._find_entities,
            stored=stored or NothingStored(),
        )

    @classmethod
    def open(
        cls,
        policies: str | Path | None = None,
        *,
        models: Path | None = None,
        stored: StoredEvidence | None = None,
    ) -> Self:
        """Compile the policies of a folder (none: those that ship). Raises PolicyError."""
        return cls(PolicyBook.open(policies), models or bundled.models_dir(), stored)

    def consulting(self, stored: StoredEvidence) -> Self:
        """This chain, with its models and policies, asking ``stored`` for evidence; the chain as
        it is, if it was given a store of its own when it was opened."""
        if self._given:
            return self
        other = copy.copy(self)
        other.__dict__.pop("encoders", None)
        other._of = self
        other._gather = replace(
            self._gather,
            encode=other._encode,
            find_entities=other._find_entities,
            stored=stored,
        )
        return other

    @property
    def tenants(self) -> tuple[str, ...]:
        return self._book.tenants

    def policy(self, tenant: str) -> Policy:
        """The policy of one tenant. Raises UnknownTenant."""
        return self._book.tenant(tenant)

    @property
    def book(self) -> PolicyBook:
        return self._book

    @cached_property
    def encoders(self) -> Encoders:
        """The models of every policy, each opened when first asked for."""
        if self._of is not None:
            return self._of.encoders
        from memwarden.encoder import Encoders

        return Encoders(self._models)

    @property
    def encoder(self) -> Encoder:
        """The bundled models. Raises ModelUnavailable if they are missing or altered."""
        return self.encoders.bundled

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models that any tenant's guards may ask."""
        names = [self.models_of(self.policy(tenant)) for tenant in (*self.tenants, LOCAL)]
        return tuple(dict.fromkeys(name for some in names for name in some))

    def models_of(self, policy: Policy) -> tuple[str, ...]:
        """Names and digests of the models that a policy's guards may ask; loads nothing."""
        asks = any(Need.ENCODING in used.guard.needs(_PROBE) for used in policy.guards)
        return self.encoders.of(policy).names if asks else ()

    def judge(self, presented: Sequence[Presented], policy: Policy) -> list[Judged]:
        """Rulings by position. Raises GuardFailed if a guard does not finish in time.

        Guards that ship are linear in a bounded text; only others are watched, in a thread.
        """
        now = datetime.now(UTC)
        if all(type(used.guard).__module__.startswith(_OWN) for used in policy.guards):
            return judge(presented, policy, self._gather, now)
        return self._watched(presented, policy, now)

    def _watched(
        self, presented: Sequence[Presented], policy: Policy, now: datetime
    ) -> list[Judged]:
        seconds = policy.limits.judge_seconds * (1 + len(presented) // 64)
        pool = ThreadPoolExecutor(1, thread_name_prefix="memwarden-judge")
        try:
            return pool.submit(judge, presented, policy, self._gather, now).result(seconds)
        except FutureTimeout:
            raise GuardFailed(
                f"a guard of tenant {policy.tenant!r} did not finish within {seconds:g} s"
                " (limits.judge_seconds); nothing was written"
            ) from None
        finally:
            pool.shutdown(wait=False)

    def verdicts(
        self, attested: Sequence[tuple[Candidate, Attested]], policy: Policy
    ) -> list[Verdict]:
        """Judge candidates whose origins were attested; each verdict holds the true origin."""
        started = time.perf_counter()
        originals = [one.with_origin(found.origin) for one, found in attested]
        presented = [
            Presented(original, found.tier)
            for original, (_, found) in zip(originals, attested, strict=True)
        ]
        judged = self.judge(presented, policy)
        each_ms = (time.perf_counter() - started) * 1000 / max(1, len(judged))
        now = datetime.now(UTC)
        return [
            Verdict(new_id(), original, one.candidate, one.ruling, now, each_ms)
            for original, one in zip(originals, judged, strict=True)
        ]

    def reviewed(self, candidate: Candidate, item: Item, policy: Policy) -> Verdict:
        """The verdict that a reviewer gave: the tier stays, the text is theirs to let through.

        Personal data is treated as policy says unless the original itself was approved.
        """
        (judged,) = self.judge([Presented(candidate, item.tier)], policy)
        redacted = item.verdict in (Move.APPROVE_REDACTED, Move.EDIT)
        slots = slots_for(candidate, judged.ruling.findings, policy, item.tier) if redacted else ()
        ruling = replace(
            judged.ruling,
            action=Action.REDACT if slots else Action.ALLOW,
            kind=item.kind,
            slots=slots,
            cuts=(),
            rest_findings=(),
        )
        return Verdict(new_id(), candidate, candidate, ruling, datetime.now(UTC), 0.0)

    def preview(self, candidates: Sequence[Candidate], *, tenant: str) -> list[Decision]:
        """Decide without recording anything. Placeholders count from 1 in this call."""
        policy = self.policy(tenant)
        numbers: dict[tuple[str, str], int] = {}
        counts: dict[str, int] = {}

        def number_for(entity: str, value: str) -> int:
            if (entity, value) not in numbers:
                counts[entity] = counts.get(entity, 0) + 1
                numbers[entity, value] = counts[entity]
            return numbers[entity, value]

        attested = [
            (
                candidate,
                attest((*stated(), candidate.origin), policy, shown={}, parents={}, believed=True),
            )
            for candidate in candidates
        ]
        verdicts = self.verdicts(attested, policy)
        return [decide(verdict, policy, number_for).decision for verdict in verdicts]

    def close(self) -> None:
        if "encoders" in self.__dict__:
            self.encoders.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _encode(
        self, texts: Sequence[Views], policy: Policy, /
    ) -> Sequence[tuple[WindowReading, ...]]:
        from memwarden.warden.reading import ViewEncoder

        return ViewEncoder(self.encoders.of(policy), policy.tenant)(texts)

    def _find_entities(self, texts: Sequence[str], /) -> Sequence[tuple[Entity, ...]]:
        from memwarden.encoder.ner import ner

        return ner(texts)
