"""What an adapter's author fills in, so that every law can be checked against the real host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from memwarden.model import Memory
from memwarden.warden import Warden

Fields = Mapping[str, object]
"""The fields of one memory. ``text`` is always among them, and holds its words."""

Write = Callable[[object, str, Fields], object]
"""(guarded host, memory id, fields): store exactly this, by one of the host's own routes."""

Read = Callable[[object], object]
"""(guarded host): everything that one of the host's own reading routes will say."""


class AdapterHarness(Protocol):
    """One fresh, empty host with its adapter. An async host is awaited inside.

    The suite speaks to the host only through this, so a check is the same for every store. What a
    host cannot do at all is named to ``checks_for``; the other methods are never called then.
    """

    warden: Warden
    ids: Sequence[str]
    """At least twelve ids that the host accepts."""

    host_type: type
    """The class whose instances the guarded host must remain."""

    def wrap(self, tenant: str, *, origin: str | None = "user", **options: object) -> object:
        """The host, guarded for a tenant. Called several times: all guard the same host."""
        ...

    def write(self, guarded: object, memory_id: str, fields: Fields) -> object:
        """The host's plainest write; returns what the host returned."""
        ...

    def write_many(self, guarded: object, rows: Sequence[tuple[str, Fields]]) -> object:
        """The host's plainest write of several memories in one call."""
        ...

    def write_lazily(self, guarded: object, rows: Callable[[], object]) -> object:
        """A write that consumes a generator of (id, fields) inside the host's call."""
        ...

    def change(self, guarded: object, memory_id: str, fields: Fields) -> object:
        """Set some fields of a memory that exists, leaving the others."""
        ...

    def drop_field(self, guarded: object, memory_id: str, field: str) -> object:
        """Take one field away."""
        ...

    def remove(self, guarded: object, memory_id: str) -> object:
        """Delete a memory."""
        ...

    def read(self, guarded: object, memory_id: str) -> Fields | None:
        """The fields of one memory as the guarded host gives them; None if it gives none."""
        ...

    def some(self, guarded: object, limit: int) -> Sequence[Fields]:
        """At most ``limit`` memories, in the host's own order."""
        ...

    def memories(self, guarded: object, memory_ids: Sequence[str]) -> Sequence[Memory]:
        """Memories with what their stamps say, as a caller hands them to the fence."""
        ...

    def write_routes(self) -> Mapping[str, Write]:
        """Every public way to store text, by name, each complete in itself."""
        ...

    def read_routes(self) -> Mapping[str, Read]:
        """Every public way to read, by name."""
        ...

    def refused_routes(self) -> Mapping[str, Read]:
        """Ways around the guard that must be refused by name."""
        ...

    def unknown(self) -> Sequence[str]:
        """Public names of the installed host that the adapter has no decision about."""
        ...

    def plant(self, memory_id: str, fields: Fields) -> None:
        """Write behind the guard, through the bare host: replaces what is there, stamp and all."""
        ...

    def stored(self, memory_id: str) -> Fields | None:
        """What the bare host holds, memwarden's own field included."""
        ...

    def dump(self) -> str:
        """Everything the bare host holds, as one text."""
        ...

    def failing(self) -> AbstractContextManager[type[Exception]]:
        """While it lasts, the bare host raises the given exception on every write."""
        ...


Place = tuple[str, ...]
"""A namespace, segment by segment."""


@runtime_checkable
class PlacedHarness(Protocol):
    """What the harness of a host that keeps memories apart by namespaces has besides. Where a
    host has none, leave these out, and what they are for is not checked."""

    ids: Sequence[str]

    no_such_place: type[Exception] | tuple[type[Exception], ...]
    """What the host raises for a namespace that it cannot have."""

    def write_at(self, guarded: object, place: Place, memory_id: str, fields: Fields) -> object:
        """Store a memory in a namespace."""
        ...

    def read_at(self, guarded: object, place: Place) -> Sequence[Fields]:
        """Every memory that lies in exactly this namespace."""
        ...

    def below(self, guarded: object, place: Place) -> Sequence[Fields]:
        """Every memory in this namespace and in those below it, by the host's own search."""
        ...

    def remove_at(self, guarded: object, place: Place, memory_id: str) -> object:
        """Delete a memory of a namespace."""
        ...


@runtime_checkable
class TrickyHarness(Protocol):
    """What the harness of a host has besides whose query language somebody may try to widen a
    scope with."""

    def tricks(self) -> Mapping[str, Read]:
        """Reads by name that ask, by filters, selectors or prefetches, for what lies outside: a
        field of memwarden's own, a negation, an alternative, a payload without its stamp."""
        ...


Check = Callable[[AdapterHarness], None]
