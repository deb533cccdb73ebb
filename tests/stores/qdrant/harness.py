"""The adapter suite's harness for Qdrant: the sync client, and the async one awaited inside."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from contextlib import contextmanager
from functools import cache

import numpy as np
from qdrant_client import AsyncQdrantClient, QdrantClient, models
from qdrant_client.conversions.conversion import RestToGrpc

from memwarden.stores.qdrant.table import GUARDED, PASSED, REFUSED, WRITES

NOTES = "notes"
PLACES = "places"
VECTOR = [0.6, 0.8]
SIZE = 2
WITHOUT_TEXT = {"delete", "delete_payload", "clear_payload", "delete_vectors", "update_vectors"}


class HostFailure(Exception):
    """What the bare host raises while it is made to fail."""


def points(rows):
    return [models.PointStruct(id=one, vector=VECTOR, payload=dict(fields)) for one, fields in rows]


class QdrantHarness:
    """One local client with an empty collection, and all that the suite asks of it."""

    ids = tuple(str(uuid.UUID(int=at)) for at in range(1, 30))

    def __init__(self, warden, bare):
        self.warden = warden
        self.bare = bare
        self.host_type = type(bare)
        for left in self.run(bare.get_collections()).collections:
            self.run(bare.delete_collection(left.name))
        for name in (NOTES, PLACES):
            self.run(
                bare.create_collection(
                    name, models.VectorParams(size=SIZE, distance=models.Distance.COSINE)
                )
            )

    def run(self, answer):
        return answer

    def close(self):
        if self.bare is not in_memory(self.host_type):
            self.run(self.bare.close())

    def wrap(self, tenant, *, origin="user", **options):
        return self.warden.wrap(self.bare, tenant=tenant, origin=origin, **options)

    # -- through the guard -----------------------------------------------------------------------

    def write(self, guarded, memory_id, fields):
        return self.write_many(guarded, [(memory_id, fields)])

    def write_many(self, guarded, rows):
        return self.run(guarded.upsert(NOTES, points(rows)))

    def write_lazily(self, guarded, rows):
        stream = (point for row in rows() for point in points([row]))
        return self.run(guarded.upload_points(NOTES, stream))

    def change(self, guarded, memory_id, fields):
        return self.run(guarded.set_payload(NOTES, dict(fields), [memory_id]))

    def drop_field(self, guarded, memory_id, field):
        return self.run(guarded.delete_payload(NOTES, [field], [memory_id]))

    def remove(self, guarded, memory_id):
        return self.run(guarded.delete(NOTES, [memory_id]))

    def read(self, guarded, memory_id):
        found = self.run(guarded.retrieve(NOTES, [memory_id]))
        return found[0].payload if found else None

    def some(self, guarded, limit):
        return [point.payload for point in self.run(guarded.scroll(NOTES, limit=limit))[0]]

    def memories(self, guarded, memory_ids):
        return self.run(guarded.memwarden_memories(NOTES, memory_ids))

    # -- routes ----------------------------------------------------------------------------------

    def write_routes(self):
        routes = {
            "upsert list": lambda c, p: c.upsert(NOTES, [p]),
            "upsert batch": lambda c, p: c.upsert(
                NOTES, models.Batch(ids=[p.id], vectors=[p.vector], payloads=[p.payload])
            ),
            "upsert grpc": lambda c, p: c.upsert(NOTES, [RestToGrpc.convert_point_struct(p)]),
            "upload_points list": lambda c, p: c.upload_points(NOTES, [p]),
            "upload_points stream": lambda c, p: c.upload_points(NOTES, (one for one in [p])),
            "upload_points parallel": lambda c, p: c.upload_points(NOTES, [p], parallel=2),
            "upload_collection lists": lambda c, p: c.upload_collection(
                NOTES, [p.vector], [p.payload], [p.id]
            ),
            "upload_collection arrays": lambda c, p: c.upload_collection(
                NOTES, np.array([p.vector]), iter([p.payload]), iter([p.id])
            ),
            "batch_update_points list": lambda c, p: c.batch_update_points(
                NOTES, [models.UpsertOperation(upsert=models.PointsList(points=[p]))]
            ),
            "batch_update_points batch": lambda c, p: c.batch_update_points(
                NOTES,
                [
                    models.UpsertOperation(
                        upsert=models.PointsBatch(
                            batch=models.Batch(ids=[p.id], vectors=[p.vector], payloads=[p.payload])
                        )
                    )
                ],
            ),
            "set_payload ids": self.on_a_point(
                lambda c, p: c.set_payload(NOTES, p.payload, [p.id])
            ),
            "set_payload key": self.on_a_point(
                lambda c, p: c.set_payload(NOTES, p.payload, [p.id], key="inner.part")
            ),
            "set_payload filter": self.on_a_point(
                lambda c, p: c.set_payload(NOTES, p.payload, the(p.id))
            ),
            "set_payload list": self.on_a_point(
                lambda c, p: c.set_payload(NOTES, p.payload, models.PointIdsList(points=[p.id]))
            ),
            "overwrite_payload ids": self.on_a_point(
                lambda c, p: c.overwrite_payload(NOTES, p.payload, [p.id])
            ),
            "overwrite_payload selector": self.on_a_point(
                lambda c, p: c.overwrite_payload(
                    NOTES, p.payload, models.FilterSelector(filter=the(p.id))
                )
            ),
            "batch_update_points set": self.on_a_point(
                lambda c, p: c.batch_update_points(
                    NOTES,
                    [
                        models.SetPayloadOperation(
                            set_payload=models.SetPayload(payload=p.payload, points=[p.id])
                        )
                    ],
                )
            ),
            "batch_update_points overwrite": self.on_a_point(
                lambda c, p: c.batch_update_points(
                    NOTES,
                    [
                        models.OverwritePayloadOperation(
                            overwrite_payload=models.SetPayload(payload=p.payload, filter=the(p.id))
                        )
                    ],
                )
            ),
        }
        known = {name.partition(" ")[0] for name in routes}
        assert known == set(WRITES) - WITHOUT_TEXT, "a writing method has no route in the suite"
        return {name: self.route(do) for name, do in routes.items()}

    def on_a_point(self, do):
        """A route that changes a point needs one: harmless, and of whoever asks."""

        def change(client, point):
            held = self.bare_point(point.id)
            if held is None:
                self.run(client.upsert(NOTES, points([(point.id, {"text": "A point."})])))
            return do(client, point)

        return change

    def route(self, do):
        def write(guarded, memory_id, fields):
            return self.run(do(guarded, points([(memory_id, fields)])[0]))

        return write

    def read_routes(self):
        def everywhere(client, one):
            return client.query_points_groups(
                PLACES, "group", query=VECTOR, with_lookup=models.WithLookup(collection=NOTES)
            )

        request = models.QueryRequest(query=VECTOR, with_payload=True)
        grouped = {"group_by": "group", "query": VECTOR}
        matching = models.Filter(
            must=[models.FieldCondition(key="text", match=models.MatchText(text="blue door"))]
        )
        routes = {
            "query_points": lambda c: c.query_points(NOTES, VECTOR),
            "query_points all": lambda c: c.query_points(NOTES),
            "query_points prefetch": lambda c: c.query_points(
                NOTES, VECTOR, prefetch=models.Prefetch(query=VECTOR, limit=3)
            ),
            "query_batch_points": lambda c: c.query_batch_points(NOTES, [request]),
            "query_points_groups": lambda c: c.query_points_groups(NOTES, **grouped),
            "scroll": lambda c: c.scroll(NOTES),
            "scroll filter": lambda c: c.scroll(NOTES, matching),
            "retrieve": lambda c: c.retrieve(NOTES, self.ids[:3]),
            "facet": lambda c: c.facet(NOTES, "group"),
            "count": lambda c: c.count(NOTES, matching),
        }
        return {name: self.reading(do) for name, do in routes.items()}

    def reading(self, do):
        return lambda guarded: self.run(do(guarded))

    def tricks(self):
        """Filters that try to reach what the scope leaves out, payloads without their stamp."""
        own, twin = "_memwarden.tenant", {"value": "acme"}
        theirs = models.FieldCondition(key=own, match=models.MatchValue(**twin))
        anything = models.HasIdCondition(has_id=list(self.ids[:3]))
        filters = {
            "their tenant": models.Filter(must=[theirs]),
            "their tenant or nothing": models.Filter(should=[theirs, anything]),
            "not mine": models.Filter(
                must_not=[
                    models.FieldCondition(key=own, match=models.MatchValue(value="acme-corp"))
                ]
            ),
            "not nothing": models.Filter(must_not=[models.HasIdCondition(has_id=[])]),
            "by id": models.Filter(must=[anything]),
            "at least one of": models.Filter(
                min_should=models.MinShould(conditions=[theirs, anything], min_count=1)
            ),
            "nested alternatives": models.Filter(
                should=[models.Filter(must=[models.Filter(should=[theirs, anything])])]
            ),
            "writer": models.Filter(
                should=[
                    models.IsEmptyCondition(
                        is_empty=models.PayloadField(key="_memwarden.stamp.nothing")
                    )
                ]
            ),
        }
        tricks = {
            **{f"scroll {name}": self.scrolling(one) for name, one in filters.items()},
            **{f"query {name}": self.querying(one) for name, one in filters.items()},
            "only some fields": lambda c: c.scroll(NOTES, with_payload=["text"]),
            "all fields but the stamp": lambda c: c.scroll(
                NOTES, with_payload=models.PayloadSelectorExclude(exclude=["_memwarden"])
            ),
            "no payload to check": lambda c: c.retrieve(NOTES, self.ids[:1], with_payload=["text"]),
            "prefetch of all": lambda c: c.query_points(
                NOTES,
                VECTOR,
                prefetch=models.Prefetch(query=VECTOR, filter=filters["not nothing"], limit=9),
                query_filter=filters["their tenant or nothing"],
            ),
            "like a point": lambda c: c.query_points(NOTES, self.ids[0]),
            "groups by their field": lambda c: c.query_points_groups(
                NOTES, "text", query=VECTOR, query_filter=filters["by id"]
            ),
            "facet of theirs": lambda c: c.facet(NOTES, "text", facet_filter=filters["by id"]),
            "a page far down": lambda c: c.scroll(NOTES, limit=1, offset=self.ids[0]),
        }
        return {name: self.reading(do) for name, do in tricks.items()}

    def scrolling(self, narrowing):
        return lambda client: client.scroll(NOTES, narrowing)

    def querying(self, narrowing):
        return lambda client: client.query_points(NOTES, VECTOR, query_filter=narrowing)

    def refused_routes(self):
        properties = ("http", "grpc_points", "grpc_collections", "init_options")
        methods = {name: self.calling(name) for name in REFUSED if name not in properties}
        reading = {name: self.getting(name) for name in properties}
        return {**methods, **reading, "_client.upsert": self.getting("_client.upsert")}

    def calling(self, name):
        return lambda guarded: self.run(getattr(guarded, name)("a", 1))

    def getting(self, path):
        def get(guarded):
            value = guarded
            for name in path.split("."):
                value = getattr(value, name)
            return value

        return get

    def unknown(self):
        decided = {*GUARDED, *PASSED, *REFUSED}
        return [
            name for name in dir(self.host_type) if not name.startswith("_") and name not in decided
        ]

    # -- behind the guard ------------------------------------------------------------------------

    def bare_point(self, memory_id):
        found = self.run(self.bare.retrieve(NOTES, [memory_id]))
        return found[0] if found else None

    def plant(self, memory_id, fields):
        self.run(self.bare.upsert(NOTES, points([(memory_id, fields)])))

    def stored(self, memory_id):
        found = self.bare_point(memory_id)
        return None if found is None else found.payload

    def dump(self):
        kept = [self.run(self.bare.scroll(name, limit=1_000))[0] for name in (NOTES, PLACES)]
        names = self.run(self.bare.get_collections()), self.run(self.bare.get_aliases())
        texts = [repr(point.payload) for records in kept for point in records]
        return "\n".join([*texts, repr(names)])

    @contextmanager
    def failing(self):
        inside = self.bare._client
        names = ("upsert", "upload_points", "batch_update_points")

        def fail(*args, **kwargs):
            raise HostFailure("the host is broken")

        async def fail_async(*args, **kwargs):
            raise HostFailure("the host is broken")

        for name in names:
            waits = inspect.iscoroutinefunction(getattr(inside, name))
            setattr(inside, name, fail_async if waits else fail)
        yield HostFailure
        for name in names:
            delattr(inside, name)


class AsyncQdrantHarness(QdrantHarness):
    """The same, awaited on a loop of its own."""

    def __init__(self, warden, bare):
        self.runner = asyncio.Runner()
        super().__init__(warden, bare)

    def run(self, answer):
        async def awaited():
            return await answer

        return self.runner.run(awaited()) if inspect.isawaitable(answer) else answer

    def close(self):
        super().close()
        self.runner.close()


def the(memory_id):
    return models.Filter(must=[models.HasIdCondition(has_id=[memory_id])])


@cache
def in_memory(kind):
    """One client of a kind for all tests: making one takes longer than most tests."""
    return kind(":memory:")


HARNESSES = {
    "sync in memory": lambda warden, _: QdrantHarness(warden, in_memory(QdrantClient)),
    "async in memory": lambda warden, _: AsyncQdrantHarness(warden, in_memory(AsyncQdrantClient)),
    "sync on disk": lambda warden, folder: QdrantHarness(
        warden, QdrantClient(path=str(folder / "qdrant"))
    ),
}
