"""A collection of a wrapped client as the review desk and the doctor reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import ScopeError, UsageError, WriteRefused
from memwarden.model import Candidate
from memwarden.stores.qdrant.filters import mine
from memwarden.stores.qdrant.held import Held, How, unpack
from memwarden.stores.qdrant.options import Options
from memwarden.stores.qdrant.points import PointId, loose_id, point_struct
from memwarden.stores.qdrant.vectors import embeds_later, with_decided_texts
from memwarden.stores.rows.driving import at_once
from memwarden.stores.rows.options import Legacy, OnRedactVector
from memwarden.stores.rows.payloads import (
    Payload,
    bare,
    marked,
    parts_of,
    stamp_of,
    tenant_of,
    with_texts,
)
from memwarden.warden.ports import Stored

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient, QdrantClient
    from qdrant_client.http.models import Record

_PAGE: Final = 256


@dataclass(frozen=True, slots=True)
class Place:
    """One collection. Two places are the same if name and client are."""

    name: str
    collection: str
    host: QdrantClient | AsyncQdrantClient = field(repr=False)
    options: Options = field(compare=False)

    def put(self, tenant: str, memories: Sequence[Stored]) -> None:
        """Perform writes that a reviewer approved. Raises ScopeError, WriteRefused, or what the
        host raises; what is already written stays written."""
        for memory in memories:
            if not memory.host:
                self._stamp_again(tenant, memory)
                continue
            held = unpack(memory.host)
            if held.how is How.NAMES:
                raise UsageError(
                    "a collection, alias or index name cannot be approved into place;"
                    " call the method again once policy allows the name"
                )
            payload = marked(with_texts(held.payload, memory.parts), tenant, memory.stamp)
            if held.how is How.PAYLOAD:
                self._replace(tenant, held.id, payload)
            else:
                self._upsert(tenant, held, payload, self._vector(held, memory))

    def _stamp_again(self, tenant: str, memory: Stored) -> None:
        """A recalled memory that a reviewer lets out again is in the store already."""
        one = _native(memory.memory_id)
        self._check_own(tenant, one)
        for record in self._found(one):
            payload = with_texts(bare(record.payload), memory.parts)
            self._replace(tenant, one, marked(payload, tenant, memory.stamp))

    def _upsert(self, tenant: str, held: Held, payload: Payload, vector: object) -> None:
        self._check_own(tenant, held.id)
        self._call(
            "upsert",
            points=[point_struct(held.id, vector, payload)],
            update_filter=mine(tenant, self.options.legacy),
        )

    def _replace(self, tenant: str, one: PointId, payload: Payload) -> None:
        self._check_own(tenant, one)
        self._call("overwrite_payload", payload=payload, points=[one])

    def _vector(self, held: Held, memory: Stored) -> object:
        """The vector for what was approved, which may read otherwise than what was held."""
        before = {part.path: part.text for part in parts_of(held.payload, self.options)}
        decided = {before[part.path]: part.text for part in memory.parts if part.path in before}
        changed = any(text != was for was, text in decided.items())
        if not changed or embeds_later(held.vector):
            return with_decided_texts(held.vector, decided)
        if self.options.on_redact_vector is OnRedactVector.REJECT:
            raise WriteRefused("the approved text no longer fits its vector; nothing was written")
        if self.options.reembed is not None:
            (vector,) = self.options.reembed(["\n".join(part.text for part in memory.parts)])
            return vector
        return held.vector

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Delete points of this tenant; what is another's stays."""
        from qdrant_client.http import models

        ids = [_native(one) for one in memory_ids]
        own = mine(tenant, Legacy.EXCLUDE)
        self._call(
            "delete",
            points_selector=models.FilterSelector(
                filter=models.Filter(must=[models.HasIdCondition(has_id=ids), own])
            ),
        )

    def take_back(self, tenant: str, candidate: Candidate) -> None:
        """Undo an approved write: the payload from before, or no point where there was none."""
        if not candidate.host:
            return  # it was in the store before, and is withheld again
        held = unpack(candidate.host)
        if held.how is How.PAYLOAD and held.before is not None:
            self._replace(tenant, held.id, held.before)
        elif held.how is not How.NAMES:
            self.delete(tenant, [str(held.id)])

    def scan(self, tenant: str) -> Iterator[Stored]:
        """Every point that bears this tenant's label, in pages."""
        offset: object = None
        while self._call("collection_exists"):
            records, offset = cast(
                "tuple[list[Record], object]",
                self._call(
                    "scroll",
                    scroll_filter=mine(tenant, Legacy.EXCLUDE),
                    limit=_PAGE,
                    offset=offset,
                    with_payload=True,
                ),
            )
            yield from (self._stored(record) for record in records)
            if offset is None:
                return

    def _stored(self, record: Record) -> Stored:
        return Stored(
            str(loose_id(record.id)),
            parts_of(bare(record.payload), self.options),
            stamp_of(record.payload),
            (self.collection,),
        )

    def _check_own(self, tenant: str, one: PointId) -> None:
        for record in self._found(one):
            label = tenant_of(record.payload)
            if label != tenant and not (label is None and self.options.legacy is Legacy.INCLUDE):
                raise ScopeError("the point to be written now belongs to another tenant")

    def _found(self, one: PointId) -> list[Record]:
        return cast("list[Record]", self._call("retrieve", ids=[one], with_payload=True))

    def _call(self, method: str, **arguments: object) -> object:
        call = getattr(self.host, method)
        given: Mapping[str, object] = {"collection_name": self.collection, **arguments}
        return at_once(call(**given))


def _native(memory_id: str) -> PointId:
    return int(memory_id) if memory_id.isdecimal() else memory_id
