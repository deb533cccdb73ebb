"""What a recall finds wrong goes before a reviewer, once; what the reviewer said then holds.

The memory stays where it is stored and is withheld. Approving gives it out again, under the same
origin and writer it had; rejecting withholds it for good, whatever a later policy would say.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import structlog

from memwarden.errors import CannotDecide, LimitExceeded
from memwarden.keys import TenantKeys
from memwarden.ledger import new_id, origin_digest
from memwarden.model import (
    Action,
    Candidate,
    Finding,
    Influence,
    Memory,
    Message,
    Origin,
    Part,
    Policy,
    Ruling,
    Severity,
)
from memwarden.review import Item, Move, State
from memwarden.warden.books import Books
from memwarden.warden.deciding import Verdict
from memwarden.warden.provenance import Provenance, kept_with

_log = structlog.get_logger("memwarden.recall")

QUARANTINE: Final = "quarantine"
ALARM: Final = "alarm"
"""Operations of envelopes that a recall opened."""

GUARD: Final = "recall"
_DIVERGES: Final = Message(
    "among the recalled memories only this one would have the agent do this",
    "在召回的记忆中，只有这一条会让智能体这样做",
)
_TOUCHED: Final = Message(
    "a honeytoken was recalled: nobody has a reason to read this memory",
    "诱饵记忆被召回：没有人有理由读取这条记忆",
)


class _KnownAlready(Exception):
    """This memory was put before a reviewer under this revision; nothing is recorded again."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What reviewers said of a stored memory so far."""

    approved: bool = False
    refused: bool = False


def memory_name(keys: TenantKeys, memory: Memory) -> str:
    """A stored memory by its id and its text: an edited one is another."""
    return keys.digest("recalled", memory.memory_id, *(part.text for part in memory.parts))


def standings(
    conn: sqlite3.Connection, tenant: str, names: Iterable[str]
) -> Mapping[str, Standing]:
    """What reviewers said of each memory that was ever put before them."""
    wanted = list(names)
    found: dict[str, Standing] = {}
    for at in range(0, len(wanted), 500):
        some = wanted[at : at + 500]
        rows = conn.execute(
            "SELECT r.memory, i.state, i.verdict, i.decided_by FROM recalled_item AS r"  # noqa: S608
            " JOIN review_item AS i ON i.id = r.item"
            f" WHERE r.tenant = ? AND r.memory IN ({', '.join('?' * len(some))})",
            (tenant, *some),
        )
        for name, state, verdict, decided_by in rows:
            said = _standing(State(state), verdict, decided_by)
            before = found.get(name, Standing())
            found[name] = Standing(before.approved or said.approved, before.refused or said.refused)
    return found


def _standing(state: State, verdict: str, decided_by: str) -> Standing:
    """Approved also where the verdict waits for its writer: the memory is in the store already.
    A rejection counts when a person gave it, not when a rule did."""
    waits = state is State.AWAITING_WRITER and verdict == Move.APPROVE
    return Standing(
        approved=state is State.APPROVED or waits,
        refused=state is State.REJECTED and bool(decided_by),
    )


def item_of(conn: sqlite3.Connection, keys: TenantKeys, memory: Memory, revision: str) -> str:
    """The item under which a reviewer has a memory; "" if none was told of it."""
    row = conn.execute(
        "SELECT item FROM recalled_item WHERE tenant = ? AND memory = ? AND revision = ?",
        (keys.tenant, memory_name(keys, memory), revision),
    ).fetchone()
    return "" if row is None else str(row[0])


def whose(conn: sqlite3.Connection, item: Item) -> Provenance | None:
    """Whose the memory behind an item is, if a recall put it there."""
    row = conn.execute(
        "SELECT origin, writer, subject, place FROM recalled_item WHERE item = ?", (item.id,)
    ).fetchone()
    return None if row is None else Provenance(*row)


@dataclass(frozen=True, slots=True)
class Found:
    """A memory to be put before a reviewer: in which store and namespace it lies, and why."""

    memory: Memory
    store: str
    namespace: tuple[str, ...]
    ruling: Ruling


def suspect(memory: Memory, ruling: Ruling) -> Ruling:
    """Today's ruling on a stored memory as the reason to hold it."""
    return replace(
        ruling,
        action=max(ruling.action, Action.HOLD),
        tier=memory.tier,
        slots=(),
        cuts=(),
        rest_findings=(),
    )


def diverges(memory: Memory) -> Ruling:
    """The ruling on a memory that the others outvote."""
    return _held(memory, "recall.diverging", Severity.HIGH, _DIVERGES)


def touched(memory: Memory) -> Ruling:
    """The ruling that raises an alarm."""
    return _held(memory, "recall.honeytoken", Severity.CRITICAL, _TOUCHED)


def _held(memory: Memory, rule: str, severity: Severity, reason: Message) -> Ruling:
    first = memory.parts[0] if memory.parts else Part("", "")
    return Ruling(
        action=Action.HOLD,
        kind=memory.kind,
        tier=memory.tier,
        sensitivity=memory.sensitivity,
        influence=Influence.REFERENCE,
        findings=(Finding(GUARD, rule, first.path, 0, len(first.text), 1.0, severity, reason),),
    )


def put_before_reviewer(books: Books, policy: Policy, found: Found, keys: TenantKeys) -> bool:
    """Quarantine a memory that is withheld, once per revision; True if a reviewer has it now.

    Never raises for want of room or disk: the memory is withheld either way, and the next recall
    tries again.
    """
    origin = Origin(
        found.memory.origin.source,
        derived_from=(found.memory.decision_id,) if found.memory.decision_id else (),
    )
    return _record(
        books,
        policy,
        found,
        origin,
        operation=QUARANTINE,
        name=memory_name(keys, found.memory),
        revision=policy.revision,
        known=_kept(found.memory, origin, keys),
    )


def _kept(memory: Memory, origin: Origin, keys: TenantKeys) -> Provenance:
    kept = kept_with(memory)
    return kept if kept.origin else replace(kept, origin=origin_digest(keys, origin))


def raise_alarm(
    books: Books,
    policy: Policy,
    found: Found,
    keys: TenantKeys,
    reader: str,
    reader_digest: str,
    day: str,
) -> bool:
    """Put a touched honeytoken before a reviewer, once per reader and day.

    The item's origin is the reader, so that the desk lists one reader's alarms together.
    """
    return _record(
        books,
        policy,
        found,
        Origin(GUARD, principal=reader),
        operation=ALARM,
        name=keys.digest("alarm", memory_name(keys, found.memory), reader_digest),
        revision=day,
        known=None,
    )


def _record(
    books: Books,
    policy: Policy,
    found: Found,
    origin: Origin,
    *,
    operation: str,
    name: str,
    revision: str,
    known: Provenance | None,
) -> bool:
    candidate = Candidate(
        found.memory.parts,
        origin=origin,
        namespace=found.namespace,
        memory_id=found.memory.memory_id,
    )
    verdict = Verdict(new_id(), candidate, candidate, found.ruling, datetime.now(UTC), 0.0)
    row = (policy.tenant, name, revision, verdict.id, *_columns(kept_with(found.memory)))

    def note(conn: sqlite3.Connection) -> None:
        added = conn.execute(
            "INSERT OR IGNORE INTO recalled_item"
            " (tenant, memory, revision, item, origin, writer, subject, place)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        if not added.rowcount:
            raise _KnownAlready

    try:
        books.record(
            policy, [verdict], store=found.store, operation=operation, known=[known], also=note
        )
    except _KnownAlready:
        return True
    except (LimitExceeded, CannotDecide) as error:
        _log.warning(
            "memory withheld but not quarantined",
            tenant=policy.tenant,
            operation=operation,
            error=type(error).__name__,
        )
        return False
    return True


def _columns(one: Provenance) -> tuple[str, str, str, str]:
    return (one.origin, one.writer, one.subject, one.place)
