"""Checks of what stands beside the chain: tiles, search tables, wordings, the schema itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Set
from typing import Final

from memwarden.database.opening import definitions
from memwarden.ledger import faults
from memwarden.ledger.faults import Fault
from memwarden.ledger.merkle import TILE_BITS, fold
from memwarden.ledger.writing import wording_digest
from memwarden.model import Message

_MISSING_HITS: Final = """
  SELECT d.seq FROM decision AS d, json_each(d.leaf, '$.findings') AS f
  WHERE d.tenant = ? AND instr(d.leaf, '"findings":') AND NOT EXISTS (
    SELECT 1 FROM rule_hit AS h WHERE h.tenant = d.tenant AND h.seq = d.seq
      AND h.position = d.position AND h.at = d.at AND h.rule = json_extract(f.value, '$.rule'))
  LIMIT 1"""

_FALSE_HITS: Final = """
  SELECT h.seq FROM rule_hit AS h
  WHERE h.tenant = ? AND NOT EXISTS (
    SELECT 1 FROM decision AS d, json_each(d.leaf, '$.findings') AS f
    WHERE d.tenant = h.tenant AND d.seq = h.seq AND d.position = h.position
      AND d.at = h.at AND json_extract(f.value, '$.rule') = h.rule)
  LIMIT 1"""

_MISSING_PARENTS: Final = """
  SELECT d.seq FROM decision AS d, json_each(d.leaf, '$.derived_from') AS p
  WHERE d.tenant = ? AND instr(d.leaf, '"derived_from":') AND NOT EXISTS (
    SELECT 1 FROM derived AS x WHERE x.tenant = d.tenant AND x.parent = p.value
      AND x.seq = d.seq AND x.position = d.position)
  LIMIT 1"""

_FALSE_PARENTS: Final = """
  SELECT x.seq FROM derived AS x
  WHERE x.tenant = ? AND NOT EXISTS (
    SELECT 1 FROM decision AS d, json_each(d.leaf, '$.derived_from') AS p
    WHERE d.tenant = x.tenant AND d.seq = x.seq AND d.position = x.position
      AND p.value = x.parent)
  LIMIT 1"""


def check_side_tables(
    conn: sqlite3.Connection, tenant: str, open_intents: Set[int]
) -> Iterator[Fault]:
    """Everything that is not hashed itself but leads people to what is."""
    yield from _check_schema(conn)
    yield from _check_wordings(conn)
    try:
        yield from _check_tiles(conn, tenant)
        yield from _check_searches(conn, tenant)
        yield from _check_unfinished(conn, tenant, open_intents)
    except sqlite3.Error as error:
        yield faults.unreadable(tenant, 0, str(error))


def _check_searches(conn: sqlite3.Connection, tenant: str) -> Iterator[Fault]:
    for table, sql in (
        ("rule_hit", _MISSING_HITS),
        ("rule_hit", _FALSE_HITS),
        ("derived", _MISSING_PARENTS),
        ("derived", _FALSE_PARENTS),
    ):
        row = conn.execute(sql, (tenant,)).fetchone()
        if row is not None:
            yield faults.index_differs(tenant, table, row[0])


def _check_unfinished(
    conn: sqlite3.Connection, tenant: str, open_intents: Set[int]
) -> Iterator[Fault]:
    rows = conn.execute("SELECT seq FROM unfinished WHERE tenant = ?", (tenant,))
    listed = {row[0] for row in rows}
    for seq in sorted(listed ^ open_intents)[:10]:
        yield faults.index_differs(tenant, "unfinished", seq)


def _check_tiles(conn: sqlite3.Connection, tenant: str) -> Iterator[Fault]:
    """Every tile against the hashes one level below it."""
    below = conn.execute("SELECT hash FROM record WHERE tenant = ? ORDER BY seq", (tenant,))
    level = TILE_BITS
    while True:
        kept = conn.execute(
            "SELECT place, hash FROM tile WHERE tenant = ? AND level = ? ORDER BY place",
            (tenant, level),
        )
        count = 0
        while len(group := below.fetchmany(1 << TILE_BITS)) == 1 << TILE_BITS:
            row = kept.fetchone()
            if row is None or row[0] != count or row[1] != fold([item[0] for item in group]):
                yield faults.tree_differs(tenant, count << level)
                return
            count += 1
        if kept.fetchone() is not None:
            yield faults.tree_differs(tenant, count << level)
            return
        if count < 1 << TILE_BITS:
            return
        below = conn.execute(
            "SELECT hash FROM tile WHERE tenant = ? AND level = ? ORDER BY place", (tenant, level)
        )
        level += TILE_BITS


def _check_wordings(conn: sqlite3.Connection) -> Iterator[Fault]:
    for digest, en, zh in conn.execute("SELECT digest, en, zh FROM wording"):
        if wording_digest(Message(en=en, zh=zh)) != digest:
            yield faults.wording_differs(digest)


def _check_schema(conn: sqlite3.Connection) -> Iterator[Fault]:
    expected = definitions()
    rows = conn.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%'"
        " ESCAPE '!'"
    )
    found = dict(rows.fetchall())
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            yield faults.schema_differs(name)
