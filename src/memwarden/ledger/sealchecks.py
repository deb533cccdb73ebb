"""Whether the vault still holds what the chain says was sealed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from memwarden.ledger import faults
from memwarden.ledger.faults import Fault
from memwarden.ledger.queries import tombstones
from memwarden.ledger.reading import read_leaf
from memwarden.ledger.records import Leaf, SealRef

WHOLE_TENANT: Final = "tenant"
"""What a tombstone is about when everything of a tenant was erased."""

_BATCH: Final = 500

LookUp = Callable[[Sequence[str]], Mapping[str, str | None]]
"""Seal ids to the digests of what lies in the vault now; None where nothing lies."""

Owner = Callable[[Leaf], str]
"""Whose key sealed a decision's texts: the digest that a tombstone of them would name."""


def check_seals(
    conn: sqlite3.Connection, tenant: str, look_up: LookUp, owner: Owner
) -> Iterator[Fault]:
    """Every sealed text of every decision: there and unaltered, or erased on the record.

    The vault is handed in, because ledger and vault know nothing of each other. Raises
    LedgerCorrupt at a decision that cannot be read; ``verify`` says what is wrong with it.
    """
    erased = frozenset(tombstones(conn, tenant))
    if WHOLE_TENANT in erased:
        return
    rows = conn.execute(
        "SELECT seq, leaf FROM decision WHERE tenant = ? AND instr(leaf, '\"seals\":')"
        " ORDER BY seq, position",
        (tenant,),
    )
    while batch := rows.fetchmany(_BATCH):
        leaves = [(seq, read_leaf(text, {})) for seq, text in batch]
        there = look_up([ref.id for _, leaf in leaves for ref in leaf.seals])
        for seq, leaf in leaves:
            gone = owner(leaf) in erased
            for ref in leaf.seals:
                yield from _check(tenant, seq, ref, there.get(ref.id), gone=gone)


def _check(
    tenant: str, seq: int, ref: SealRef, found: str | None, *, gone: bool
) -> Iterator[Fault]:
    if found is None:
        if not gone:
            yield faults.seal_missing(tenant, seq, ref.id)
    elif found != ref.digest:
        yield faults.seal_altered(tenant, seq, ref.id)
