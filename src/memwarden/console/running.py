"""What a console does besides answering: it opens the models before somebody waits for them, and
keeps the counters up with the ledger."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Final

import structlog
from anyio.to_thread import run_sync
from starlette.applications import Starlette

from memwarden.console.counts import catch_up
from memwarden.console.house import House
from memwarden.errors import MemwardenError
from memwarden.model import Candidate, Origin

_log = structlog.get_logger("memwarden.console")
_EVERY: Final = 5.0
_STRETCH: Final = timedelta(seconds=1)


def lifespan(house: House) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """The background of one console, from its first to its last request."""

    @asynccontextmanager
    async def around(_: Starlette) -> AsyncIterator[None]:
        over = threading.Event()
        threads = [
            threading.Thread(target=warm, args=(house,), name="memwarden-warm", daemon=True),
            threading.Thread(
                target=keep_up, args=(house, over), name="memwarden-counts", daemon=True
            ),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                await run_sync(thread.join)
            await run_sync(house.checks.wait)
            house.counts.close()

    return around


def warm(house: House) -> None:
    """Judge a word under every policy, so that the models behind it are open."""
    chain = house.warden.chain
    word = Candidate("tea 茶", origin=Origin("user", principal="console"))
    for tenant in chain.tenants:
        try:
            chain.preview([word], tenant=tenant)
        except MemwardenError as error:
            _log.warning("a policy could not be tried", error=type(error).__name__)


def keep_up(house: House, over: threading.Event) -> None:
    """Count until the console ends; pauses once everything is counted."""
    while not over.is_set():
        try:
            behind = catch_up(house.counts, house.warden.books.database, _STRETCH).behind
        except MemwardenError as error:
            _log.warning("counting paused", error=type(error).__name__)
            behind = False
        over.wait(0 if behind else _EVERY)
