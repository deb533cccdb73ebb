"""What the warden needs from a place that keeps memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from memwarden.model import Candidate, Part
from memwarden.warden.scope import Clause


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory as a store keeps it: redacted parts, its place, and the stamp beside them.

    ``host`` is the candidate's own: what an adapter needs to write it (a vector, a target).
    """

    memory_id: str
    parts: tuple[Part, ...] = field(repr=False)
    stamp: Mapping[str, str | int | None]
    namespace: tuple[str, ...] = ()
    score: float | None = None
    host: str = field(default="", repr=False)


class Writable(Protocol):
    """Where an approved memory is written: a store of the warden's own, or a wrapped host."""

    @property
    def name(self) -> str: ...

    def put(self, tenant: str, memories: Sequence[Stored]) -> None: ...

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None: ...

    def scan(self, tenant: str) -> Iterator[Stored]: ...


@runtime_checkable
class TakesBack(Protocol):
    """A place whose writes are more than new memories, so that undoing one needs the candidate."""

    def take_back(self, tenant: str, candidate: Candidate) -> None: ...


@runtime_checkable
class Searchable(Protocol):
    """A place that can be asked for what is most like a text."""

    def search(
        self, tenant: str, query: str, *, limit: int, namespace: tuple[str, ...] | None
    ) -> Sequence[Stored]: ...


class MemoryStore(Protocol):
    """A store of the warden's own. Wrapped hosts have adapters instead.

    Every call names the tenant, and an implementation keeps tenants apart by whole names.
    Writes are durable when they return. ``search`` takes the words of the question and returns
    the nearest first, only from the exact namespace when one is given, and only memories whose
    stamp meets one of the clauses: both belong into the store's own query, before its limit.
    """

    @property
    def name(self) -> str: ...

    def put(self, tenant: str, memories: Sequence[Stored]) -> None: ...

    def search(
        self,
        tenant: str,
        query: str,
        *,
        limit: int,
        namespace: tuple[str, ...] | None,
        clauses: tuple[Clause, ...] | None = None,
    ) -> Sequence[Stored]: ...

    def get(self, tenant: str, memory_ids: Sequence[str]) -> Sequence[Stored]: ...

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None: ...

    def scan(self, tenant: str) -> Iterator[Stored]: ...

    def close(self) -> None: ...
