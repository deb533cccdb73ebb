"""The guarded store: a BaseStore in front of another one."""

from __future__ import annotations

import asyncio
import copy
import threading
import uuid
from collections.abc import Iterable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Final, NoReturn, cast
from weakref import WeakKeyDictionary

from langgraph.store.base import BaseStore, GetOp, Item, Op, Result, TTLConfig

from memwarden.errors import UnguardedOperation
from memwarden.model import Memory
from memwarden.stores.langgraph.bare import BareStore, found
from memwarden.stores.langgraph.operations import Asked, operate
from memwarden.stores.rows.admitting import shown
from memwarden.stores.rows.driving import drive, drive_async
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.options import RowOptions
from memwarden.stores.rows.places import RowPlace
from memwarden.stores.rows.report import Report, ReportBox
from memwarden.warden.session import Session

PASSED: Final = frozenset(
    {
        "embeddings",
        "index_config",
        "is_setup",
        "setup",
        "start_ttl_sweeper",
        "stop_ttl_sweeper",
        "supports_pipeline",
        "sweep_ttl",
    }
)
"""What stores offer beside a BaseStore's own and no memory goes through."""

OWN: Final = frozenset(
    {
        "abatch",
        "adelete",
        "aget",
        "alist_namespaces",
        "aput",
        "asearch",
        "batch",
        "delete",
        "get",
        "list_namespaces",
        "put",
        "search",
        "supports_ttl",
        "ttl_config",
    }
)
"""What goes through ``batch`` and ``abatch``, or says something about the store itself."""

REFUSED: Final = frozenset(
    {"MIGRATIONS", "VECTOR_MIGRATIONS", "conn", "from_conn_string", "lock", "loop", "pipe"}
)
"""Ways to the bare store, or to another one that nobody guards."""


@dataclass(frozen=True, slots=True)
class _Inside:
    """What a guarded store keeps where no attribute of it leads."""

    guard: RowGuard
    host: BaseStore


_inside: WeakKeyDictionary[BaseStore, _Inside] = WeakKeyDictionary()
_locks: WeakKeyDictionary[BaseStore, threading.RLock] = WeakKeyDictionary()
_async_locks: WeakKeyDictionary[BaseStore, asyncio.Lock] = WeakKeyDictionary()


def guard_of(session: Session, host: BaseStore, options: RowOptions) -> RowGuard:
    """One tenant's view of a store."""
    return RowGuard(session, options, RowPlace(options.name, BareStore(host), options))


class GuardedStore(BaseStore):
    """Every operation of the bare store, judged on its way in and verified on its way out."""

    __slots__ = ()

    def __init__(self, guard: RowGuard, host: BaseStore) -> None:
        _inside[self] = _Inside(guard, host)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Code that asks whether this is its own store is told yes, as with the bare one."""
        return type(_inside[self].host)

    @property
    def supports_ttl(self) -> bool:  # type: ignore[override]
        return _inside[self].host.supports_ttl

    @property
    def ttl_config(self) -> TTLConfig | None:  # type: ignore[override]
        return _inside[self].host.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """As the host's: results by position. Raises WriteHeld or WriteRefused where policy says
        so, and then nothing of the batch was done."""
        context = copy_context()
        my = _inside[self]
        steps = operate(my.guard, Asked("batch", my.host), list(ops))
        with _locks.setdefault(my.host, threading.RLock()):
            return drive(steps, my.host, context)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, awaited; judging stays off the loop."""
        context = copy_context()
        my = _inside[self]
        steps = operate(my.guard, Asked("abatch", my.host), list(ops))
        async with _async_locks.setdefault(my.host, asyncio.Lock()):
            return await drive_async(steps, my.host, context)

    def memwarden_memories(self, namespace: tuple[str, ...], keys: Sequence[str]) -> list[Memory]:
        """Items as memories for ``warden.fence``: by their stamps, nothing withheld among them."""
        my = _inside[self]
        items = my.host.batch([GetOp(namespace, key, refresh_ttl=False) for key in keys])
        rows = [found(cast("Item", item)) for item in items if item is not None]
        return [one.memory for one in shown(my.guard, rows) if one is not None]

    @property
    def memwarden_report(self) -> Report | None:
        """What became of this task's last write, where policy says ``on_refused: report``."""
        return _inside[self].guard.reports.last()

    def __getattr__(self, name: str) -> object:
        host = _inside[self].host
        if (name.startswith("__") and name.endswith("__")) or not hasattr(host, name):
            raise AttributeError(f"{type(host).__name__!r} object has no attribute {name!r}")
        if name in PASSED:
            return getattr(host, name)
        raise UnguardedOperation(
            f"{name} of a {type(host).__name__} is not guarded by memwarden, so it is refused;"
            " everything a BaseStore offers is guarded"
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise UnguardedOperation(f"setting {name} of a guarded store would change the guard")

    def __repr__(self) -> str:
        return f"<GuardedStore of tenant {_inside[self].guard.tenant!r}>"

    def __copy__(self) -> GuardedStore:
        my = _inside[self]
        return GuardedStore(replace(my.guard, reports=ReportBox()), my.host)

    def __deepcopy__(self, memo: dict[int, object]) -> GuardedStore:
        my = _inside[self]
        host = copy.deepcopy(my.host, memo)
        name = f"{my.guard.options.name}~{uuid.uuid4().hex[:8]}"
        options = replace(my.guard.options, name=name)
        return GuardedStore(guard_of(my.guard.session, host, options), host)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            "a guarded store cannot be pickled, because its warden belongs to this process;"
            " open a warden and wrap a store in the other one"
        )
