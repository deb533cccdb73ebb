"""What verdicts taught, gathered for the guards: lessons learned, looked up and revoked."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import structlog

from memwarden import lessons
from memwarden.errors import CannotDecide, LimitExceeded, ModelUnavailable, UsageError
from memwarden.keys import TenantKeys
from memwarden.ledger import ConfigChange, Leaf, append, new_id
from memwarden.lessons import Comparable, Known, Remembered, Taught, Unit
from memwarden.model import (
    COMMAND_KINDS,
    OTHER,
    UNSAID,
    Evidence,
    Kind,
    Lesson,
    Memory,
    Neighbour,
    Part,
    RecentWrite,
    Severity,
    Span,
    Tier,
)
from memwarden.text import is_prose
from memwarden.text.folding import cleaning
from memwarden.warden.books import Books
from memwarden.warden.judge import Presented

if TYPE_CHECKING:
    from memwarden.encoder import Encoder

_log = structlog.get_logger("memwarden.lessons")

DIGEST: Final = "lesson"
_PROBE: Final = "The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸跳过懒狗。"
"""A sentence whose vector tells whether two models see alike."""

_TENANTS: Final = 64
_STRETCHES: Final = 64
"""Stretches of one candidate that are compared by vectors; the words of all are compared."""

_NONE: Final = Known.of({}, 0)


@dataclass(frozen=True, slots=True)
class Learned:
    """What is to be learned: the words (whole parts, and the stretches that were hostile)."""

    parts: tuple[Part, ...] = field(repr=False)
    stretches: tuple[str, ...] = field(default=(), repr=False)
    kind: Kind = OTHER
    bound: Tier = Tier.AUTHORITATIVE

    @property
    def texts(self) -> list[str]:
        """The stretches if any is known, and every part whole; only what says something."""
        whole = [part.text for part in self.parts]
        return [text for text in dict.fromkeys((*self.stretches, *whole)) if lessons.telling(text)]


def of_leaf(leaf: Leaf, parts: Sequence[Part]) -> Learned:
    """What a decision teaches. A text that was held for what it says binds every writer; one that
    only its origin spoke against binds outsiders and agents, and writers of its own tier."""
    hostile = [
        found
        for found in leaf.findings
        if not found.entity
        and found.severity >= Severity.MEDIUM
        and (found.kind == UNSAID or found.kind in COMMAND_KINDS)
    ]
    spans = {(one.part, one.segment or (one.start, one.end)) for one in hostile}
    stretches = tuple(
        parts[at].text[slice(*span)] for at, span in sorted(spans) if 0 <= at < len(parts)
    )
    only_its_origin = leaf.action.blocks and not hostile
    return Learned(
        tuple(parts),
        stretches,
        leaf.kind if leaf.kind in COMMAND_KINDS else OTHER,
        max(leaf.tier, Tier.DERIVED) if only_its_origin else Tier.AUTHORITATIVE,
    )


class TaughtLessons:
    """The lessons of all tenants of one data folder. Safe to use from any thread."""

    def __init__(self, books: Books, encoder: Callable[[], Encoder]) -> None:
        self._books = books
        self._encoder = encoder
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._comparable: dict[str, tuple[int, Comparable]] = {}
        self._probe: tuple[float, ...] | None = None

    # -- evidence for the guards -----------------------------------------------------------------

    def lessons(self, tenant: str, one: Presented, evidence: Evidence) -> tuple[Lesson, ...]:
        """The lessons that a candidate is like, stretch by stretch."""
        known, keys = self._up_to_date(tenant)
        if known.empty or keys is None:
            return ()
        units = lessons.units_of(one.candidate.parts, evidence.views)
        found = known.exact(units, lambda text: keys.digest(DIGEST, text))
        if known.compares:
            found += self._near(tenant, known, units, evidence)
        return tuple(found)

    def recent(self, tenant: str, one: Presented) -> tuple[RecentWrite, ...]:  # noqa: ARG002
        """None are kept."""
        return ()

    def neighbours(self, tenant: str, one: Presented) -> tuple[Neighbour, ...]:  # noqa: ARG002
        """None are kept."""
        return ()

    def revision(self, tenant: str) -> int:
        """Counts every change of a tenant's lessons."""
        with self._books.database.read() as conn:
            return lessons.revision(conn, tenant)

    def _up_to_date(self, tenant: str) -> tuple[Known, TenantKeys | None]:
        with self._books.database.read() as conn:
            revision = lessons.revision(conn, tenant)
            if not revision:
                return _NONE, None
            keys = self._books.keys_of(tenant)
            known = self._known.get(tenant, _NONE)
            if known.revision != revision:
                opened = lessons.load(conn, self._books.ring, tenant, known.lessons)
                known = Known.of(opened, revision)
                self._remember(tenant, known)
        return known, keys

    def _remember(self, tenant: str, known: Known) -> None:
        with self._lock:
            self._known[tenant] = known
            self._known.move_to_end(tenant)
            while len(self._known) > _TENANTS:
                gone, _ = self._known.popitem(last=False)
                self._comparable.pop(gone, None)

    def _near(
        self, tenant: str, known: Known, units: Sequence[Unit], evidence: Evidence
    ) -> list[Lesson]:
        spoken = [unit for unit in units if is_prose(unit.text)][:_STRETCHES]
        if not spoken:
            return []
        vectors = self._vectors([unit.text for unit in spoken])
        revision, comparable = self._comparable.get(tenant, (0, None))
        if comparable is None or revision != known.revision:
            comparable = Comparable.of(known, self._own_probe())
            self._comparable[tenant] = (known.revision, comparable)
        return comparable.near(spoken, vectors, lambda unit: _attack(unit, evidence))

    # -- learning --------------------------------------------------------------------------------

    def keep(
        self,
        conn: sqlite3.Connection,
        tenant: str,
        remembered: Remembered,
        *,
        decision: str,
        item: str,
        owner: str,
    ) -> Taught:
        """Keep a lesson, as a step of a transaction."""
        return lessons.keep(
            conn,
            self._books.ring,
            tenant,
            new_id(),
            remembered,
            decision=decision,
            item=item,
            owner=owner,
        )

    def diverged(self, keys: TenantKeys, memory: Memory, item: str) -> None:
        """Learn from a memory that would have the agent do otherwise than the rest: its words
        only, and only until whoever reviews ``item`` approves it. Never raises for want of room
        or disk: the memory is withheld either way."""
        learned = Learned(memory.parts, bound=max(memory.tier, Tier.DERIVED))

        def step(conn: sqlite3.Connection) -> None:
            if lessons.holding(conn, keys.tenant, memory.decision_id):
                return
            taught = self.keep(
                conn,
                keys.tenant,
                self.remembered(keys, learned, hostile=True, confirmed=False),
                decision=memory.decision_id,
                item=item,
                owner=memory.subject,
            )
            note(conn, keys, taught.id, "learned, diverging", memory.decision_id)

        try:
            self._books.database.write(step)
        except (LimitExceeded, CannotDecide, UsageError) as error:
            _log.warning(
                "a diverging memory taught nothing",
                tenant=keys.tenant,
                error=type(error).__name__,
            )

    def remembered(
        self, keys: TenantKeys, learned: Learned, *, hostile: bool, confirmed: bool
    ) -> Remembered:
        """What is kept of a text. Raises UsageError for one that says too little to be known by."""
        texts = learned.texts
        if not texts:
            raise UsageError("the text is too short to learn from: any other could be like it")
        digests = dict.fromkeys(keys.digest(DIGEST, lessons.canonical(text)) for text in texts)
        vectors = self._known_by(texts) if confirmed else ()
        return Remembered(
            hostile=hostile,
            kind=learned.kind,
            bound=learned.bound,
            confirmed=confirmed,
            digests=tuple(digests),
            vectors=vectors,
            probe=self._own_probe() if vectors else (),
        )

    def _known_by(self, texts: Iterable[str]) -> tuple[tuple[float, ...], ...]:
        """The vectors of what models can read; none where there are no models."""
        spoken = [text for text in texts if is_prose(text)]
        try:
            return self._vectors(spoken) if spoken else ()
        except ModelUnavailable:
            _log.warning("a lesson counts for the same words only: there is no model")
            return ()

    def _vectors(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        return self._encoder().vectors([text.translate(cleaning()).strip() for text in texts])

    def _own_probe(self) -> tuple[float, ...]:
        if self._probe is None:
            (self._probe,) = self._encoder().vectors([_PROBE])
        return self._probe


def note(
    conn: sqlite3.Connection,
    keys: TenantKeys,
    lesson: str,
    change: str,
    detail: str = "",
    actor: str = "",
) -> None:
    """Record in the ledger what became of a lesson; without an ``actor``, by memwarden itself."""
    who = keys.digest("actor", actor) if actor else ""
    append(
        conn, keys.tenant, ConfigChange(f"lesson:{lesson}", change, detail, who), datetime.now(UTC)
    )


def _attack(unit: Unit, evidence: Evidence) -> float:
    """What the models made of the windows that a stretch touches; 0 where they were not asked."""
    return max(
        (
            window.attack
            for window in evidence.encoding.get(unit.part, ())
            if _overlap((window.start, window.end), (unit.start, unit.end))
        ),
        default=0.0,
    )


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
