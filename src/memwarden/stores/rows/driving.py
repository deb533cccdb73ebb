"""One account of every operation, for the sync client and the async one alike.

An operation is a generator: it yields what it wants done and is sent the answer. ``drive`` does
it at once, ``drive_async`` awaits the host and keeps judging off the event loop. So there is one
place where a write is guarded, and no second one that could forget something.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator, Mapping
from contextvars import Context
from dataclasses import dataclass
from typing import TypeVar, cast

from memwarden.errors import UnguardedOperation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """A call of one of the host's own methods."""

    method: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Work:
    """Judging or recording: memwarden's own work, which an event loop must not wait for."""

    do: Callable[[], object]


Steps = Generator[Ask | Work, object, T]
"""An operation under way; returns a T when it is done."""


def ask(method: str, arguments: Mapping[str, object]) -> Steps[object]:
    """Call the host and return its answer; its exceptions come through as they are."""
    return (yield Ask(method, arguments))


def work(do: Callable[[], T]) -> Steps[T]:
    """Do memwarden's own work and return its result."""
    return cast("T", (yield Work(do)))


def drive(steps: Steps[T], host: object, context: Context) -> T:
    """Run an operation to its end. ``context`` is the caller's own: it says who is speaking."""
    try:
        step = next(steps)
        while True:
            try:
                answer = _performed(step, host, context)
            except Exception as error:  # noqa: BLE001 the operation itself decides what to do
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast("T", end.value)


async def drive_async(steps: Steps[T], host: object, context: Context) -> T:
    """The same, awaited."""
    try:
        step = next(steps)
        while True:
            try:
                answer = await _awaited(step, host, context)
            except Exception as error:  # noqa: BLE001 the operation itself decides what to do
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast("T", end.value)


def _performed(step: Ask | Work, host: object, context: Context) -> object:
    if isinstance(step, Work):
        return context.run(step.do)
    return at_once(getattr(host, step.method)(**step.arguments))


async def _awaited(step: Ask | Work, host: object, context: Context) -> object:
    if isinstance(step, Work):
        return await asyncio.to_thread(context.run, step.do)
    answer = getattr(host, step.method)(**step.arguments)
    return await answer if inspect.isawaitable(answer) else answer


def at_once(answer: object) -> object:
    """The result of an async method that never waits, as those of a local host.

    Raises UnguardedOperation where it would wait: some methods of async clients block,
    so they cannot await a server.
    """
    if not inspect.iscoroutine(answer):
        return answer
    try:
        answer.send(None)
    except StopIteration as end:
        return cast("object", end.value)
    answer.close()
    raise UnguardedOperation(
        "this blocking method of an async host would have to wait for its server before it"
        " writes; nothing was written, await the host's async writes instead"
    )
