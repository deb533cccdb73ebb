"""What the warden needs from a place that keeps memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memwarden.model import Part


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory as a store keeps it: redacted parts, its place, and the stamp beside them."""

    memory_id: str
    parts: tuple[Part, ...] = field(repr=False)
    stamp: Mapping[str, str | int | None]
    namespace: tuple[str, ...] = ()
    score: float | None = None


class MemoryStore(Protocol):
    """A store of the warden's own. Wrapped hosts have adapters instead.

    Every call names the tenant, and an implementation keeps tenants apart by whole names.
    Writes are durable when they return. ``search`` takes the words of the question and returns
    the nearest first, only from the exact namespace when one is given.
    """

    @property
    def name(self) -> str: ...

    def put(self, tenant: str, memories: Sequence[Stored]) -> None: ...

    def search(
        self, tenant: str, query: str, *, limit: int, namespace: tuple[str, ...] | None
    ) -> Sequence[Stored]: ...

    def get(self, tenant: str, memory_ids: Sequence[str]) -> Sequence[Stored]: ...

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None: ...

    def scan(self, tenant: str) -> Iterator[Stored]: ...

    def close(self) -> None: ...
