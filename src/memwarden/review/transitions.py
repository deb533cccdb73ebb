"""The review queue as a transition table. Pure: an item and a move give the next item.

A verdict that writes first goes to ``awaiting_writer``; the process that wraps the store applies
it, and only then is the item approved. So a crash between verdict and store leaves an item that
says so, and a desk that cannot open the store can decide all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from memwarden.errors import ReviewConflict, UsageError
from memwarden.model import Action, Kind, Severity, Tier


class State(StrEnum):
    """Where an item stands."""

    PENDING = "pending"
    AWAITING_SECOND = "awaiting_second"
    AWAITING_WRITER = "awaiting_writer"
    APPROVED = "approved"
    APPROVED_REDACTED = "approved_redacted"
    EDITED = "edited"
    REJECTED = "rejected"
    EXPIRED = "expired"

    @property
    def open(self) -> bool:
        """Whether somebody still has to do something; open items count against quotas."""
        return self in _OPEN


_OPEN: Final = frozenset((State.PENDING, State.AWAITING_SECOND, State.AWAITING_WRITER))

_UNDERWAY: Final = (State.AWAITING_SECOND, State.AWAITING_WRITER)

OPEN_STATES: Final = tuple(state for state in State if state.open)


class Move(StrEnum):
    """What can be done to an item.

    ``CONFIRM`` is the second person's yes to a critical item; ``APPLIED`` and ``FAILED`` are
    what the writing process reports; ``RESTORE`` puts an original back that was stored redacted,
    or reopens what was rejected or expired; ``UNDO`` takes the last verdict back.
    """

    APPROVE = "approve"
    APPROVE_REDACTED = "approve_redacted"
    EDIT = "edit"
    REJECT = "reject"
    CONFIRM = "confirm"
    EXPIRE = "expire"
    APPLIED = "applied"
    FAILED = "failed"
    RESTORE = "restore"
    UNDO = "undo"


class Effect(StrEnum):
    """What a move asks of the store. The composition root carries it out."""

    NONE = "none"
    WRITE_ORIGINAL = "write_original"
    WRITE_REDACTED = "write_redacted"
    WRITE_EDITED = "write_edited"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate that waits or waited for a person.

    ``seal`` names its sealed candidate, ``edit_seal`` the text a reviewer put in its place.
    ``version`` counts changes: whoever writes an item names the version they saw. ``verdict`` is
    the move that led to awaiting a second person or the writer, ``decided_by`` who made it.
    """

    id: str
    tenant: str
    decision: str
    seal: str
    store: str
    action: Action
    kind: Kind
    tier: Tier
    severity: Severity
    source: str
    origin: str
    created_at: datetime
    changed_at: datetime
    state: State = State.PENDING
    version: int = 1
    critical: bool = False
    expires_at: datetime | None = None
    rules: tuple[str, ...] = ()
    claimed_by: str = field(default="", repr=False)
    claimed_until: datetime | None = None
    verdict: Move | None = None
    decided_by: str = field(default="", repr=False)
    edit_seal: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """A move that was made: the item before and after, by whom, and what the store must do."""

    before: Item
    after: Item
    move: Move
    actor: str = field(repr=False)
    effect: Effect


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a move does in one state. ``after`` None: it depends on the item."""

    after: State | None
    effect: Effect = Effect.NONE


_VERDICTS: Final[Mapping[Move, State]] = {
    Move.APPROVE: State.APPROVED,
    Move.APPROVE_REDACTED: State.APPROVED_REDACTED,
    Move.EDIT: State.EDITED,
    Move.RESTORE: State.APPROVED,
}
"""Verdicts that write, and the state an item reaches once they are applied."""

_WRITES: Final[Mapping[Move, Effect]] = {
    Move.APPROVE: Effect.WRITE_ORIGINAL,
    Move.APPROVE_REDACTED: Effect.WRITE_REDACTED,
    Move.EDIT: Effect.WRITE_EDITED,
    Move.RESTORE: Effect.WRITE_ORIGINAL,
}

_WRITTEN: Final = (State.APPROVED, State.APPROVED_REDACTED, State.EDITED)

TABLE: Final[Mapping[tuple[State, Move], _Rule]] = {
    **{(State.PENDING, move): _Rule(None) for move in _WRITES if move is not Move.RESTORE},
    (State.PENDING, Move.REJECT): _Rule(State.REJECTED),
    (State.PENDING, Move.EXPIRE): _Rule(State.EXPIRED),
    (State.AWAITING_SECOND, Move.CONFIRM): _Rule(None),
    (State.AWAITING_SECOND, Move.REJECT): _Rule(State.REJECTED),
    (State.AWAITING_SECOND, Move.EXPIRE): _Rule(State.EXPIRED),
    (State.AWAITING_SECOND, Move.UNDO): _Rule(State.PENDING),
    (State.AWAITING_WRITER, Move.APPLIED): _Rule(None),
    (State.AWAITING_WRITER, Move.FAILED): _Rule(State.PENDING),
    (State.AWAITING_WRITER, Move.UNDO): _Rule(State.PENDING),
    (State.APPROVED_REDACTED, Move.RESTORE): _Rule(None),
    **{(state, Move.UNDO): _Rule(State.PENDING, Effect.REMOVE) for state in _WRITTEN},
    (State.REJECTED, Move.RESTORE): _Rule(State.PENDING),
    (State.REJECTED, Move.UNDO): _Rule(State.PENDING),
    (State.EXPIRED, Move.RESTORE): _Rule(State.PENDING),
}
"""Every move that is possible. What is not here is a ReviewConflict."""


def moves_from(item: Item) -> tuple[Move, ...]:
    """What can be done to an item now: for buttons and error messages."""
    return tuple(move for state, move in TABLE if state is item.state)


def make_move(
    item: Item, move: Move, actor: str, now: datetime, *, edit_seal: str = ""
) -> Transition:
    """The transition, or ReviewConflict saying why it cannot be made.

    ``actor`` names who does it; "" is memwarden itself and may only expire and report. Whoever
    is not the claimer of a claimed item has to wait until the claim ends. Editing needs the seal
    of the edited text.
    """
    rule = TABLE.get((item.state, move))
    if rule is None:
        able = ", ".join(moves_from(item)) or "nothing"
        raise ReviewConflict(
            f"item {item.id} is {item.state}: {move} is not possible, only: {able}"
        )
    _check_actor(item, move, actor, now)
    if (move is Move.EDIT) != bool(edit_seal):
        raise UsageError("an edit, and only an edit, comes with the seal of the edited text")
    after, effect = _next(item, move, actor, rule)
    return Transition(
        before=item,
        after=replace(after, changed_at=now, edit_seal=edit_seal or item.edit_seal),
        move=move,
        actor=actor,
        effect=effect,
    )


def _next(item: Item, move: Move, actor: str, rule: _Rule) -> tuple[Item, Effect]:
    released = replace(item, claimed_by="", claimed_until=None)
    if rule.after is not None:
        return _settled(released, move, actor, rule.after), rule.effect
    if move is Move.APPLIED:
        return replace(released, state=_VERDICTS[_verdict(item)]), Effect.NONE
    if move is Move.CONFIRM:
        return replace(released, state=State.AWAITING_WRITER), _WRITES[_verdict(item)]
    decided = replace(released, verdict=move, decided_by=actor)
    if item.critical:
        return replace(decided, state=State.AWAITING_SECOND), Effect.NONE
    return replace(decided, state=State.AWAITING_WRITER), _WRITES[move]


def _settled(item: Item, move: Move, actor: str, after: State) -> Item:
    """A move whose end is fixed."""
    if item.verdict is Move.RESTORE and item.state in _UNDERWAY:
        # It lies in the store, redacted; a restoring that comes to nothing leaves it there.
        return replace(item, state=State.APPROVED_REDACTED, verdict=Move.APPROVE_REDACTED)
    if after is State.PENDING:
        # As if nobody had decided yet; what a person reopened waits without a time-out.
        return replace(item, state=after, verdict=None, decided_by="", expires_at=None)
    return replace(item, state=after, verdict=move, decided_by=actor)


def _verdict(item: Item) -> Move:
    if item.verdict is None or item.verdict not in _WRITES:
        raise ReviewConflict(f"item {item.id} is {item.state} without a verdict; run doctor")
    return item.verdict


def _check_actor(item: Item, move: Move, actor: str, now: datetime) -> None:
    by_itself = move in (Move.EXPIRE, Move.APPLIED, Move.FAILED)
    if not actor and not by_itself:
        raise UsageError(f"{move} needs the name of the person who does it")
    if move is Move.CONFIRM and actor == item.decided_by:
        raise ReviewConflict(f"item {item.id} is critical: a second person has to confirm it")
    if by_itself:
        return
    if item.claimed_by not in ("", actor) and item.claimed_until and now < item.claimed_until:
        raise ReviewConflict(
            f"item {item.id} is claimed by another reviewer until "
            f"{item.claimed_until:%Y-%m-%d %H:%M:%S} UTC"
        )


def claim(item: Item, actor: str, now: datetime, lease: timedelta) -> Item:
    """The item claimed by ``actor`` for a while, so that two people do not read it at once."""
    if not item.state.open:
        raise ReviewConflict(f"item {item.id} is {item.state}; there is nothing to decide")
    if not actor:
        raise UsageError("a claim needs the name of the person who claims")
    _check_actor(item, Move.APPROVE, actor, now)
    return replace(item, claimed_by=actor, claimed_until=now + lease, changed_at=now)


def release(item: Item, actor: str, now: datetime) -> Item:
    """The item without its claim. Only the claimer can give it back before it ends."""
    _check_actor(item, Move.APPROVE, actor, now)
    return replace(item, claimed_by="", claimed_until=None, changed_at=now)
