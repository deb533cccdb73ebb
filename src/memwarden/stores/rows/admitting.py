"""Which stored rows may be given out: nobody else's, and only what today's policy admits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memwarden.model import Memory
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.payloads import Payload, bare, parts_of_row, stamp_of, with_texts
from memwarden.warden.ports import Stored


@dataclass(frozen=True, slots=True)
class Found:
    """A row as the host holds it, memwarden's own field included."""

    id: str
    fields: Mapping[str, object] = field(repr=False)
    namespace: tuple[str, ...] = ()
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A row that may be given out: as a memory, and its fields as they may be shown."""

    memory: Memory
    fields: Payload = field(repr=False)


def shown(guard: RowGuard, rows: Sequence[Found], *, bound_id: bool = True) -> list[Shown | None]:
    """Each row by its verified stamp; None where it is not to be given out.

    What a recall finds wrong goes before the desk. ``bound_id`` is false for hosts that name a
    row only after storing it. Raises ScopeError or ReadLimit; then nothing may be given out.
    """
    found = [
        None if guard.is_foreign(row.fields) else _weighed(guard, row, bound_id) for row in rows
    ]
    told = [(at, one) for at, one in enumerate(found) if one is not None and one.memory.parts]
    if not told:
        return found
    answers = guard.session.admit([one.memory for _, one in told], store=guard.store())
    for (at, one), answer in zip(told, answers, strict=True):
        found[at] = None if answer is None else _as_answered(one, answer)
    return found


def _weighed(guard: RowGuard, row: Found, bound_id: bool) -> Shown:
    fields = bare(row.fields)
    stored = Stored(
        row.id,
        parts_of_row(fields, guard.options, row.id, row.namespace),
        stamp_of(row.fields),
        namespace=row.namespace,
    )
    memory = guard.session.memory(row.id, stored, bound_id=bound_id)
    return Shown(memory if row.score is None else replace(memory, score=row.score), fields)


def _as_answered(one: Shown, answer: Memory) -> Shown:
    """Where today's policy masks something, the fields are masked with it."""
    if answer.parts == one.memory.parts:
        return Shown(answer, one.fields)
    return Shown(answer, with_texts(one.fields, answer.parts))
