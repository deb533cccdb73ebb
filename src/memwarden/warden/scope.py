"""Which memories a reader may be given, as conditions that a store puts into its own query.

A filter after the search loses to pagination and to hosts that leave fields out, so the store
itself has to ask. What comes back is checked once more by the very same conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """The stamp's ``field`` holds one of ``values``, exactly. A missing field counts as ""."""

    field: str
    values: frozenset[str]

    def holds(self, stamp: Mapping[str, object]) -> bool:
        said = stamp.get(self.field)
        return ("" if said is None else said) in self.values


Clause = tuple[Condition, ...]
"""Conditions that must all hold."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What one reader may be given of a tenant.

    ``namespace`` is matched whole; None is every namespace. Of ``clauses`` one must hold; None is
    no condition at all, which only the process's own code gets.
    """

    namespace: tuple[str, ...] | None = None
    clauses: tuple[Clause, ...] | None = None

    def admits(self, namespace: tuple[str, ...], stamp: Mapping[str, object]) -> bool:
        """Whether a memory with this place and these stamp fields is in scope."""
        return (self.namespace is None or self.namespace == namespace) and self.allows(stamp)

    def allows(self, stamp: Mapping[str, object]) -> bool:
        """The same for a memory whose place the host's own query has settled."""
        if self.clauses is None:
            return True
        return any(all(one.holds(stamp) for one in clause) for clause in self.clauses)
