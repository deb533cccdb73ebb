"""The store that memwarden brings along: Qdrant in local mode, one collection per tenant.

It is what ``warden.write`` uses when no store is named, so that a first try needs no server.
A collection is named after a digest of the whole tenant name: no prefix of one name can reach
another's collection. Local mode scans linearly; beyond some 20,000 memories use a real server.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memwarden.errors import LedgerCorrupt
from memwarden.model import Part, PartRole
from memwarden.warden.ports import Stored
from memwarden.warden.scope import Clause, Condition

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, Record, ScoredPoint

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Texts in, one vector each out, all of the same length."""

_PAGE: Final = 256


class EmbeddedStore:
    """Memories of all tenants in one folder, or in RAM when ``folder`` is None."""

    name: Final = "embedded"

    def __init__(self, folder: Path | None, embed: Embed, dimensions: int) -> None:
        self._folder = folder
        self._embed = embed
        self._dimensions = dimensions
        self._lock = threading.RLock()
        self._client: QdrantClient | None = None

    def put(self, tenant: str, memories: Sequence[Stored]) -> None:
        """Write memories; durable on return. An id that exists is replaced."""
        from qdrant_client.models import PointStruct

        if not memories:
            return
        vectors = self._embed([_searchable(memory) for memory in memories])
        points = [
            PointStruct(id=memory.memory_id, vector=list(vector), payload=_payload(memory))
            for memory, vector in zip(memories, vectors, strict=True)
        ]
        with self._lock:
            self._open().upsert(self._collection(tenant, create=True), points)

    def search(
        self,
        tenant: str,
        query: str,
        *,
        limit: int,
        namespace: tuple[str, ...] | None,
        clauses: tuple[Clause, ...] | None = None,
    ) -> Sequence[Stored]:
        """The memories nearest to ``query``, nearest first."""
        (vector,) = self._embed([query])
        with self._lock:
            if not self._exists(tenant):
                return ()
            found = self._open().query_points(
                self._collection(tenant),
                query=list(vector),
                limit=limit,
                query_filter=_filter(namespace, clauses),
                with_payload=True,
            )
        return [_stored(point) for point in found.points]

    def get(self, tenant: str, memory_ids: Sequence[str]) -> Sequence[Stored]:
        with self._lock:
            if not memory_ids or not self._exists(tenant):
                return ()
            found = self._open().retrieve(
                self._collection(tenant), list(memory_ids), with_payload=True
            )
        return [_stored(record) for record in found]

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None:
        from qdrant_client.models import PointIdsList

        with self._lock:
            if memory_ids and self._exists(tenant):
                self._open().delete(self._collection(tenant), PointIdsList(points=list(memory_ids)))

    def scan(self, tenant: str) -> Iterator[Stored]:
        """All memories of a tenant, in pages, so that any number fits in memory."""
        offset: object = None
        while True:
            with self._lock:
                if not self._exists(tenant):
                    return
                records, offset = self._open().scroll(
                    self._collection(tenant),
                    limit=_PAGE,
                    offset=offset,  # type: ignore[arg-type]  # scroll's own token, passed back
                    with_payload=True,
                )
            yield from (_stored(record) for record in records)
            if offset is None:
                return

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _open(self) -> QdrantClient:
        if self._client is None:
            from qdrant_client import QdrantClient

            if self._folder is None:
                self._client = QdrantClient(":memory:")
            else:
                self._client = QdrantClient(
                    path=str(self._folder), force_disable_check_same_thread=True
                )
        return self._client

    def _exists(self, tenant: str) -> bool:
        return self._open().collection_exists(self._collection(tenant))

    def _collection(self, tenant: str, *, create: bool = False) -> str:
        name = "tenant-" + hashlib.sha256(tenant.encode()).hexdigest()[:40]
        if create and not self._open().collection_exists(name):
            from qdrant_client.models import Distance, VectorParams

            self._open().create_collection(
                name, VectorParams(size=self._dimensions, distance=Distance.COSINE)
            )
        return name


def _searchable(memory: Stored) -> str:
    return "\n".join(part.text for part in memory.parts if part.role is PartRole.TEXT)


def _payload(memory: Stored) -> dict[str, object]:
    return {
        "parts": [
            {"path": part.path, "text": part.text, "role": part.role.value} for part in memory.parts
        ],
        "namespace": _joined(memory.namespace),
        "stamp": dict(memory.stamp),
    }


def _joined(namespace: tuple[str, ...]) -> str:
    """One exact text per namespace: lengths first, so that no separator can be forged."""
    return "".join(f"{len(segment)}:{segment}" for segment in namespace)


def _split(joined: str) -> tuple[str, ...]:
    segments: list[str] = []
    at = 0
    while at < len(joined):
        colon = joined.index(":", at)
        end = colon + 1 + int(joined[at:colon])
        segments.append(joined[colon + 1 : end])
        at = end
    return tuple(segments)


def _filter(namespace: tuple[str, ...] | None, clauses: tuple[Clause, ...] | None) -> Filter | None:
    if namespace is None and clauses is None:
        return None
    from qdrant_client import models

    must: list[models.Condition] = []
    if namespace is not None:
        must.append(
            models.FieldCondition(
                key="namespace", match=models.MatchValue(value=_joined(namespace))
            )
        )
    if clauses is not None:
        # An empty list of alternatives would be no condition at all to Qdrant.
        anyone: list[models.Condition] = [_clause(clause) for clause in clauses]
        must.append(models.Filter(should=anyone) if anyone else _nothing())
    return models.Filter(must=must)


def _clause(clause: Clause) -> Filter:
    from qdrant_client import models

    return models.Filter(must=[_condition(one) for one in clause])


def _condition(condition: Condition) -> Filter:
    """One of the values; a field that is missing or null counts as the empty text."""
    from qdrant_client import models

    key = f"stamp.{condition.field}"
    ways: list[models.Condition] = []
    if condition.values:
        among = models.MatchAny(any=sorted(condition.values))
        ways.append(models.FieldCondition(key=key, match=among))
    if "" in condition.values:
        ways.append(models.IsEmptyCondition(is_empty=models.PayloadField(key=key)))
        ways.append(models.IsNullCondition(is_null=models.PayloadField(key=key)))
    return models.Filter(should=ways) if ways else _nothing()


def _nothing() -> Filter:
    from qdrant_client import models

    return models.Filter(must=[models.HasIdCondition(has_id=[])])


def _stored(point: Record | ScoredPoint) -> Stored:
    payload = point.payload or {}
    try:
        parts = tuple(
            Part(part["path"], part["text"], PartRole(part["role"])) for part in payload["parts"]
        )
        namespace = _split(payload["namespace"])
        stamp = {str(key): value for key, value in payload["stamp"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LedgerCorrupt(
            f"memory {point.id} in the embedded store is not in the form memwarden writes"
            f" ({type(error).__name__}); it was edited from outside, run `memwarden doctor`"
        ) from error
    return Stored(str(point.id), parts, stamp, namespace, getattr(point, "score", None))


def open_store(folder: Path, embed: Embed, dimensions: int) -> EmbeddedStore:
    """The embedded store of a data folder; what the entry point ``embedded`` names."""
    return EmbeddedStore(folder / "store", embed, dimensions)
