"""AsyncWarden: the same warden, awaited. Judging runs in a bounded pool, never on the loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from memwarden.fence import Allowed, Block, Paraphrases
from memwarden.keys import KeyPlace
from memwarden.lessons import Taught
from memwarden.model import Candidate, Decision, Memory, Origin, Sensitivity
from memwarden.responses import events_async
from memwarden.warden.core import Warden
from memwarden.warden.ports import MemoryStore
from memwarden.warden.recall import Reader, Recalled

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_THREADS = 8


class AsyncWarden:
    """A Warden whose methods are awaited. Origins are taken from the caller's own context."""

    def __init__(self, warden: Warden, threads: int = _THREADS) -> None:
        self.warden = warden
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="memwarden")

    @classmethod
    async def open(
        cls,
        policies: str | Path | None = None,
        *,
        data_dir: str | Path = ".memwarden",
        keys: KeyPlace | None = None,
        store: MemoryStore | None = None,
        models: Path | None = None,
    ) -> Self:
        """Open a data folder; see ``Warden.open``."""
        opening = partial(
            Warden.open, policies, data_dir=data_dir, keys=keys, store=store, models=models
        )
        return cls(await asyncio.to_thread(opening))

    async def write(
        self, candidate: Candidate, *, tenant: str, store: MemoryStore | None = None
    ) -> Decision:
        """Judge one candidate and store what may be stored; see ``Warden.write``."""
        return await self._run(self.warden.write, candidate, tenant=tenant, store=store)

    async def write_many(
        self, candidates: Sequence[Candidate], *, tenant: str, store: MemoryStore | None = None
    ) -> tuple[Decision, ...]:
        """The same for many; see ``Warden.write_many``."""
        return await self._run(self.warden.write_many, candidates, tenant=tenant, store=store)

    async def decide(self, candidate: Candidate, *, tenant: str) -> Decision:
        """Judge and record without a store; see ``Warden.decide``."""
        return await self._run(self.warden.decide, candidate, tenant=tenant)

    async def recall(
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
        """The nearest memories that may be given out; see ``Warden.recall``."""
        return await self._run(
            self.warden.recall,
            query,
            tenant=tenant,
            reader=reader,
            limit=limit,
            namespace=namespace,
            of=of,
            ceiling=ceiling,
        )

    def may(self, action: str, *, because: Block) -> Allowed:
        """Whether an action may rest on recalled memories; see ``Warden.may``. Nothing to await."""
        return self.warden.may(action, because=because)

    def reading(self, reader: Reader) -> AbstractContextManager[Reader]:
        """State for whom everything inside the ``with`` block reads."""
        return self.warden.reading(reader)

    async def fence(
        self,
        memories: Sequence[Memory],
        *,
        tenant: str,
        language: str | None = None,
        seed: int | None = None,
        withheld: Sequence[Memory] | None = None,
    ) -> Block:
        """Text for the prompt; see ``Warden.fence``."""
        return await self._run(
            self.warden.fence,
            memories,
            tenant=tenant,
            language=language,
            seed=seed,
            withheld=withheld,
        )

    async def scrub(self, answer: T, block: Block, *, paraphrases: Paraphrases | None = None) -> T:
        """Take out of an answer what must not be in it; see ``Warden.scrub``."""
        return await self._run(self.warden.scrub, answer, block, paraphrases=paraphrases)

    async def scrub_stream(
        self, chunks: AsyncIterable[T], block: Block, *, paraphrases: Paraphrases | None = None
    ) -> AsyncIterator[T]:
        """The same while the answer streams; see ``Warden.scrub_stream``."""
        scrubs = await self._run(self.warden._scrubs, block, paraphrases)
        async for event in events_async(chunks, scrubs):
            yield event

    async def learn(
        self,
        decision_id: str,
        *,
        tenant: str,
        actor: str,
        hostile: bool = True,
        text: str | Memory = "",
        everyone: bool | None = None,
    ) -> Taught:
        """Learn from a decision; see ``Warden.learn``."""
        return await self._run(
            self.warden.learn,
            decision_id,
            tenant=tenant,
            actor=actor,
            hostile=hostile,
            text=text,
            everyone=everyone,
        )

    async def lessons(self, tenant: str, *, revoked: bool = False) -> tuple[Taught, ...]:
        """What a tenant learned; see ``Warden.lessons``."""
        return await self._run(self.warden.lessons, tenant, revoked=revoked)

    async def revoke_lesson(self, tenant: str, lesson: str, *, actor: str) -> bool:
        """Take a lesson back; see ``Warden.revoke_lesson``."""
        return await self._run(self.warden.revoke_lesson, tenant, lesson, actor=actor)

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
        return self.warden.origin(
            source,
            principal=principal,
            session=session,
            derived_from=derived_from,
            capability=capability,
        )

    def wrap(
        self,
        host: T,
        *,
        tenant: str,
        origin: str | None = None,
        reader: Reader | None = None,
        **options: object,
    ) -> T:
        """Guard a store the team already has; see ``Warden.wrap``."""
        return self.warden.wrap(host, tenant=tenant, origin=origin, reader=reader, **options)

    async def close(self) -> None:
        """Finish what waits and close everything."""
        await asyncio.to_thread(self.warden.close)
        self._pool.shutdown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _run(self, method: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a method in the pool within the caller's context, so that its scopes hold there."""
        call = partial(copy_context().run, partial(method, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)
