"""The adapter suite's harness for LangGraph: stores in memory and in SQLite, sync and async."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from memwarden.stores.langgraph.guarded import OWN, PASSED, REFUSED

NOTES = ("memories", "sam")


class HostFailure(Exception):
    """What the bare host raises while it is made to fail."""


class LangGraphHarness:
    """One empty store, and all that the suite asks of it."""

    ids = tuple(f"note-{at}" for at in range(30))
    lacks = frozenset({"change", "stream"})

    def __init__(self, warden, bare):
        self.warden = warden
        self.bare = bare
        self.host_type = type(bare)

    def close(self):
        pass

    def run(self, answer):
        return answer

    def wrap(self, tenant, *, origin="user", **options):
        return self.warden.wrap(self.bare, tenant=tenant, origin=origin, **options)

    def write(self, guarded, memory_id, fields):
        return guarded.put(NOTES, memory_id, dict(fields))

    def write_many(self, guarded, rows):
        return guarded.batch([PutOp(NOTES, one, dict(fields)) for one, fields in rows])

    def remove(self, guarded, memory_id):
        return guarded.delete(NOTES, memory_id)

    def read(self, guarded, memory_id):
        item = guarded.get(NOTES, memory_id)
        return None if item is None else item.value

    def some(self, guarded, limit):
        return [item.value for item in guarded.search(NOTES, limit=limit)]

    def memories(self, guarded, memory_ids):
        return guarded.memwarden_memories(NOTES, memory_ids)

    no_such_place = InvalidNamespaceError

    def write_at(self, guarded, place, memory_id, fields):
        return guarded.put(place, memory_id, dict(fields))

    def read_at(self, guarded, place):
        found = guarded.search(place, limit=50)
        return [item.value for item in found if item.namespace == place]

    def below(self, guarded, place):
        return [item.value for item in guarded.search(place, limit=50)]

    def remove_at(self, guarded, place, memory_id):
        return guarded.delete(place, memory_id)

    def tricks(self):
        """Every namespace there is, and filters that name what is not the caller's."""
        return {
            "everything": lambda s: s.search((), limit=50),
            "a filter of nothing": lambda s: s.search((), filter={}, limit=50),
            "their tenant": lambda s: s.search((), filter={"_memwarden.tenant": "acme"}),
            "a field's own value": lambda s: s.search((), filter={"group": "blue door"}),
            "names": lambda s: s.list_namespaces(limit=50),
            "a page far down": lambda s: s.search((), offset=0, limit=1),
        }

    def write_routes(self):
        return {
            "put": lambda s, one, f: s.put(NOTES, one, dict(f)),
            "put without an index": lambda s, one, f: s.put(NOTES, one, dict(f), index=False),
            "batch": lambda s, one, f: s.batch([PutOp(NOTES, one, dict(f))]),
            "batch beside a read": lambda s, one, f: s.batch(
                [GetOp(NOTES, one), PutOp(NOTES, one, dict(f)), SearchOp(NOTES)]
            ),
        }

    def read_routes(self):
        return {
            "get": lambda s: [s.get(NOTES, one) for one in self.ids[:3]],
            "search": lambda s: s.search(NOTES),
            "search everywhere": lambda s: s.search(()),
            "batch": lambda s: s.batch([GetOp(NOTES, self.ids[0]), SearchOp(("memories",))]),
        }

    def refused_routes(self):
        names = [name for name in sorted(REFUSED) if hasattr(self.bare, name)]
        return {name: lambda s, name=name: getattr(s, name) for name in names}

    def unknown(self):
        decided = {*OWN, *PASSED, *REFUSED}
        return [name for name in dir(self.bare) if not name.startswith("_") and name not in decided]

    def plant(self, memory_id, fields):
        self.bare.put(NOTES, memory_id, dict(fields))

    def stored(self, memory_id):
        item = self.bare.get(NOTES, memory_id)
        return None if item is None else item.value

    def dump(self):
        return repr(self.bare.batch([SearchOp((), limit=1_000), ListNamespacesOp()]))

    @contextmanager
    def failing(self):
        real = type(self.bare).batch, type(self.bare).abatch

        def fail(store, ops):
            ops = list(ops)
            if any(isinstance(op, PutOp) for op in ops):
                raise HostFailure("the host is broken")
            return real[0](store, ops)

        async def fail_async(store, ops):
            ops = list(ops)
            if any(isinstance(op, PutOp) for op in ops):
                raise HostFailure("the host is broken")
            return await real[1](store, ops)

        type(self.bare).batch, type(self.bare).abatch = fail, fail_async
        yield HostFailure
        type(self.bare).batch, type(self.bare).abatch = real


class AsyncHarness(LangGraphHarness):
    """The same, awaited on a loop in a thread of its own, as a server runs it."""

    def __init__(self, warden, make):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.context, bare = self.run(make())
        super().__init__(warden, bare)

    def run(self, answer):
        return asyncio.run_coroutine_threadsafe(answer, self.loop).result(60)

    def close(self):
        if self.context is not None:
            self.run(self.context.__aexit__(None, None, None))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def write(self, guarded, memory_id, fields):
        return self.run(guarded.aput(NOTES, memory_id, dict(fields)))

    def write_many(self, guarded, rows):
        return self.run(guarded.abatch([PutOp(NOTES, one, dict(fields)) for one, fields in rows]))

    def remove(self, guarded, memory_id):
        return self.run(guarded.adelete(NOTES, memory_id))

    def read(self, guarded, memory_id):
        item = self.run(guarded.aget(NOTES, memory_id))
        return None if item is None else item.value

    def some(self, guarded, limit):
        return [item.value for item in self.run(guarded.asearch(NOTES, limit=limit))]

    def write_routes(self):
        return {
            "aput": lambda s, one, f: self.run(s.aput(NOTES, one, dict(f))),
            "abatch": lambda s, one, f: self.run(s.abatch([PutOp(NOTES, one, dict(f))])),
            **super().write_routes(),
        }

    def read_routes(self):
        return {
            "aget": lambda s: self.run(s.aget(NOTES, self.ids[0])),
            "asearch": lambda s: self.run(s.asearch(("memories",))),
            **super().read_routes(),
        }


async def _in_memory():
    return None, InMemoryStore()


def _async_sqlite(path):
    async def opened():
        context = AsyncSqliteStore.from_conn_string(str(path))
        store = await context.__aenter__()
        await store.setup()
        return context, store

    return opened


class SqliteHarness(LangGraphHarness):
    """On disk: what the file holds is part of what the suite looks at."""

    def __init__(self, warden, path):
        self.context = SqliteStore.from_conn_string(str(path))
        store = self.context.__enter__()
        store.setup()
        super().__init__(warden, store)

    def close(self):
        self.context.__exit__(None, None, None)


HARNESSES = {
    "in memory": lambda warden, _: LangGraphHarness(warden, InMemoryStore()),
    "in memory, awaited": lambda warden, _: AsyncHarness(warden, _in_memory),
    "sqlite": lambda warden, folder: SqliteHarness(warden, folder / "store.db"),
    "sqlite, awaited": lambda warden, folder: AsyncHarness(
        warden, _async_sqlite(folder / "store.db")
    ),
}
