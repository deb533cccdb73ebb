"""A wrapped host as the review desk and the doctor reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memwarden.errors import ScopeError, WriteRefused
from memwarden.model import Candidate
from memwarden.stores.rows.admitting import Found
from memwarden.stores.rows.held import HeldRow, unpack
from memwarden.stores.rows.options import Legacy, RowOptions
from memwarden.stores.rows.payloads import (
    Payload,
    bare,
    marked,
    stamp_of,
    tenant_of,
    with_texts,
)
from memwarden.stores.rows.payloads import (
    parts_of_row as parts,
)
from memwarden.warden.ports import Stored


class Bare(Protocol):
    """The few things that are done to the bare host outside a caller's own call.

    A row's id is the only one of its kind in the host: where keys repeat in namespaces, the id
    holds both. ``fields`` carry memwarden's own field. ``held`` says everything of the write
    that was held.
    """

    def get(self, row_id: str) -> Mapping[str, object] | None: ...

    def put(self, held: HeldRow, fields: Payload) -> None: ...

    def delete(self, row_id: str) -> None: ...

    def scan(self) -> Iterator[Found]: ...


@dataclass(frozen=True, slots=True)
class RowPlace:
    """One wrapped host by name. Two places are the same if name and host are."""

    name: str
    bare: Bare = field(repr=False)
    options: RowOptions = field(compare=False)

    def put(self, tenant: str, memories: Sequence[Stored]) -> None:
        """Perform writes that a reviewer approved. Raises ScopeError, or what the host raises;
        what is already written stays written."""
        for memory in memories:
            held = unpack(memory.host) if memory.host else self._as_stored(memory)
            current = self.bare.get(held.id)
            self._check_own(tenant, current)
            if memory.host and (current or None) != (held.before or None):
                raise WriteRefused(
                    "the memory was changed after this write was held; nothing was written,"
                    " reject the item or write the memory again"
                )
            texts = with_texts(held.fields, memory.parts)
            self.bare.put(held, marked(texts, tenant, memory.stamp))

    def _as_stored(self, memory: Stored) -> HeldRow:
        """A recalled memory that a reviewer lets out again is in the host already."""
        current = self.bare.get(memory.memory_id)
        if current is None:
            raise ScopeError("the memory is no longer in its store; nothing was written")
        return HeldRow(memory.memory_id, bare(current), memory.namespace)

    def _check_own(self, tenant: str, current: Mapping[str, object] | None) -> None:
        if current is None:
            return
        label = tenant_of(current)
        if label != tenant and not (label is None and self.options.legacy is Legacy.INCLUDE):
            raise ScopeError("the row to be written now belongs to another tenant")

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Delete rows of this tenant; what is another's stays."""
        for one in memory_ids:
            current = self.bare.get(one)
            if current is not None and tenant_of(current) == tenant:
                self.bare.delete(one)

    def take_back(self, tenant: str, candidate: Candidate) -> None:
        """Undo an approved write: the fields from before, or no row where there was none."""
        if not candidate.host:
            return  # it was in the store before, and is withheld again
        held = unpack(candidate.host)
        current = self.bare.get(held.id)
        self._check_own(tenant, current)
        if held.before is not None:
            self.bare.put(held, held.before)
        elif current is not None:
            self.bare.delete(held.id)

    def scan(self, tenant: str) -> Iterator[Stored]:
        """Every row that bears this tenant's label."""
        for found in self.bare.scan():
            if tenant_of(found.fields) == tenant:
                yield Stored(
                    found.id,
                    parts(bare(found.fields), self.options, found.id, found.namespace),
                    stamp_of(found.fields),
                    found.namespace,
                )
