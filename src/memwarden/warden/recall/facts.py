"""What the database knows of the memories at hand, asked once per recall."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memwarden.model import Memory
from memwarden.warden.recall import honeytokens, quarantine
from memwarden.warden.recall.asking import Asked
from memwarden.warden.recall.lineage import Lineage, Lineages
from memwarden.warden.recall.quarantine import Standing
from memwarden.warden.recall.revoking import Revocation, revoked


@dataclass(frozen=True, slots=True)
class Facts:
    """Planted honeytokens by id, the revoked origins, reviewers' words by memory name, the
    lineages by decision id (only where an origin was revoked), the revision of the lessons."""

    planted: frozenset[str] = frozenset()
    revocations: tuple[Revocation, ...] = ()
    standings: Mapping[str, Standing] = field(default_factory=dict)
    lineages: Mapping[str, Lineage] = field(default_factory=dict)
    lessons: int = 0


NO_FACTS: Final = Facts()


def facts_about(
    conn: sqlite3.Connection, memories: Sequence[Memory], asked: Asked, lineages: Lineages
) -> Facts:
    """Look whether there is anything to know, and only then for what."""
    keys, tenant = asked.keys, asked.tenant
    if keys is None or not memories:
        return NO_FACTS
    tokens, revocations, items, lessons = conn.execute(_ANYTHING, {"tenant": tenant}).fetchone()
    if not (tokens or revocations or items or lessons):
        return NO_FACTS
    names = [quarantine.memory_name(keys, one) for one in memories] if items else []
    drawn = [one.decision_id for one in memories if revocations and one.stamped]
    return Facts(
        honeytokens.planted(conn, keys, (m.memory_id for m in memories)) if tokens else frozenset(),
        revoked(conn, tenant) if revocations else (),
        quarantine.standings(conn, tenant, names) if items else {},
        {decision: lineages.of(conn, tenant, decision) for decision in drawn},
        lessons or 0,
    )


def comes_from_revoked(memory: Memory, facts: Facts) -> bool:
    """Whether a memory, or anything it was drawn from, came from a revoked origin."""
    lineage = facts.lineages.get(memory.decision_id)
    return any(_reaches(entry, memory, lineage) for entry in facts.revocations)


def _reaches(entry: Revocation, memory: Memory, lineage: Lineage | None) -> bool:
    source = memory.origin.source
    if entry.covers(source, memory.writer, memory.origin_digest, memory.stored_at):
        return True
    if lineage is None:
        return False
    return not lineage.whole or any(
        entry.covers(one.source, "", one.origin, one.stored_at) for one in lineage.ancestors
    )


_ANYTHING: Final = (
    "SELECT EXISTS (SELECT 1 FROM honeytoken WHERE tenant = :tenant),"
    " EXISTS (SELECT 1 FROM revoked_origin WHERE tenant = :tenant),"
    " EXISTS (SELECT 1 FROM recalled_item WHERE tenant = :tenant),"
    " (SELECT n FROM lesson_revision WHERE tenant = :tenant)"
)
