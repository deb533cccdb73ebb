"""What a change of a stored row makes of it: judged whole, and no cleaner than it was before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from memwarden.errors import ScopeError
from memwarden.model import PartRole
from memwarden.stores.rows.batch import Row
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.payloads import Payload, bare, parts_of_row, stamp_of
from memwarden.warden.ports import Stored

UNSTAMPED: Final = "unstamped"
"""Stands among the parents of a memory that keeps text of unknown history: no decision has this
id, so the memory counts as untrusted."""


def replacing(guard: RowGuard, row: Row, stored: Mapping[str, object] | None) -> Row:
    """A row that takes the place of a stored one (None: of nothing).

    What it keeps of the older texts makes it a descendant of them: a writer does not vouch for
    what was there before. Raises ScopeError where the stored one is another tenant's.
    """
    if stored is None:
        return row
    if guard.is_foreign(stored):
        raise ScopeError(
            "one of the ids belongs to another tenant; nothing was written, use ids of your own"
        )
    return replace(row, parents=_parents(guard, row, stored), before=cast("Payload", dict(stored)))


def _parents(guard: RowGuard, row: Row, stored: Mapping[str, object]) -> tuple[str, ...]:
    before = parts_of_row(bare(stored), guard.options, row.id, row.namespace)
    known = {(part.path, part.text) for part in before if part.role is not PartRole.KEY}
    kept = any(
        (part.path, part.text) in known
        for part in parts_of_row(row.fields, guard.options, row.id, row.namespace)
    )
    if not kept:
        return ()
    memory = guard.session.memory(
        row.id, Stored(row.id, before, stamp_of(stored), namespace=row.namespace)
    )
    return (memory.decision_id if memory.stamped else UNSTAMPED,)
