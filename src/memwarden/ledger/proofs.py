"""Proofs for people who do not trust the file: one record, one decision, two heads."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.ledger import merkle
from memwarden.ledger.canonical import utf8
from memwarden.ledger.chain import head_of


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That ``leaf`` is number ``index`` of the tree of ``size`` leaves."""

    leaf: bytes
    index: int
    size: int
    path: tuple[bytes, ...]

    def holds(self, root: bytes) -> bool:
        return merkle.verify_inclusion(self.leaf, self.index, self.size, self.path, root)


@dataclass(frozen=True, slots=True)
class Consistency:
    """That the tree of ``old`` leaves is the beginning of the tree of ``new``."""

    old: int
    new: int
    path: tuple[bytes, ...]

    def holds(self, old_root: bytes, new_root: bytes) -> bool:
        return merkle.verify_consistency(self.old, self.new, old_root, new_root, self.path)


def subtree_reader(conn: sqlite3.Connection, tenant: str) -> merkle.Subtree:
    """Roots of perfect subtrees: kept tiles where there are any, else folded from below."""

    def read(level: int, place: int) -> bytes:
        base = level - level % merkle.TILE_BITS
        span = 1 << (level - base)
        first = place * span
        if base == 0:
            sql = "SELECT hash FROM record WHERE tenant = ? AND seq >= ? AND seq < ? ORDER BY seq"
            rows = conn.execute(sql, (tenant, first, first + span)).fetchall()
        else:
            sql = (
                "SELECT hash FROM tile WHERE tenant = ? AND level = ? AND place >= ? AND place < ?"
                " ORDER BY place"
            )
            rows = conn.execute(sql, (tenant, base, first, first + span)).fetchall()
        if len(rows) != span:
            raise LedgerCorrupt(
                f"the tree of {tenant!r} lacks nodes at level {base} from {first}; run verify"
            )
        return merkle.fold([row[0] for row in rows])

    return read


def root_at(conn: sqlite3.Connection, tenant: str, size: int) -> bytes:
    """The root that the tree had when it had ``size`` leaves."""
    if size == 0:
        return merkle.EMPTY_ROOT
    _check_size(conn, tenant, size)
    return merkle.range_root(subtree_reader(conn, tenant), 0, size)


def prove_record(
    conn: sqlite3.Connection, tenant: str, seq: int, size: int | None = None
) -> Inclusion:
    """That record ``seq`` is in the tree of ``size`` records (the present one if not said)."""
    size = head_of(conn, tenant).size if size is None else size
    _check_size(conn, tenant, size)
    if not 0 <= seq < size:
        raise UsageError(f"tenant {tenant!r} has no record {seq} among its first {size}")
    read = subtree_reader(conn, tenant)
    return Inclusion(read(0, seq), seq, size, tuple(merkle.inclusion_proof(read, seq, size)))


def prove_decision(conn: sqlite3.Connection, tenant: str, seq: int, position: int) -> Inclusion:
    """That a decision is in its envelope; the root is the one in the record's body."""
    rows = conn.execute(
        "SELECT leaf FROM decision WHERE tenant = ? AND seq = ? ORDER BY position", (tenant, seq)
    ).fetchall()
    if not 0 <= position < len(rows):
        raise UsageError(f"record {seq} of {tenant!r} has no decision {position}")
    leaves = [merkle.leaf_hash(utf8(row[0])) for row in rows]

    def read(level: int, place: int) -> bytes:
        return merkle.fold(leaves[place << level : (place + 1) << level])

    path = merkle.inclusion_proof(read, position, len(leaves))
    return Inclusion(leaves[position], position, len(leaves), tuple(path))


def prove_growth(conn: sqlite3.Connection, tenant: str, old: int, new: int) -> Consistency:
    """That nothing of the first ``old`` records changed until there were ``new``."""
    if not 0 <= old <= new:
        raise UsageError("the older head must not be longer than the newer one")
    _check_size(conn, tenant, new)
    path = merkle.consistency_proof(subtree_reader(conn, tenant), old, new)
    return Consistency(old, new, tuple(path))


def _check_size(conn: sqlite3.Connection, tenant: str, size: int) -> None:
    have = head_of(conn, tenant).size
    if not 0 < size <= have:
        raise UsageError(f"tenant {tenant!r} has {have} records, not {size}")
