"""One item: what came, why it is held, what would be stored, where it came from, its history."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from starlette.responses import Response

from memwarden.console.accounts import Role
from memwarden.console.cases import Opened, judged_again
from memwarden.console.filters import Asked
from memwarden.console.moments import now
from memwarden.console.queue import neighbour, of_origin, one_item
from memwarden.console.visit import Refused, Visit
from memwarden.errors import MemwardenError
from memwarden.ledger import Event, Filter, ReviewStep, Story, show, tail
from memwarden.model import Action, Candidate
from memwarden.review import Item, Move, moves_from

VERDICTS: Final = (
    (Move.APPROVE, "a"),
    (Move.APPROVE_REDACTED, "r"),
    (Move.EDIT, "e"),
    (Move.REJECT, "x"),
    (Move.CONFIRM, "a"),
    (Move.RESTORE, "s"),
    (Move.UNDO, "u"),
)
"""What a person may decide, with the key for it, in the order of the buttons."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What else came from where an item came from."""

    items: tuple[Item, ...]
    decisions: int
    blocked: int


@dataclass(frozen=True, slots=True)
class Near:
    """A stored memory that is like the candidate, as far as this process can search its store."""

    text: str = field(repr=False)
    kind: str
    tier: str
    score: float | None
    decision: str


def item_page(visit: Visit) -> Response:
    """The item, with personal data masked."""
    return _page(visit, one_item(visit))


def reveal_form(visit: Visit) -> Response:
    """Asks why somebody wants to see an original."""
    item = one_item(visit, Role.REVIEWER)
    return visit.page("reveal_form.html" if visit.partial else "reveal.html", item=item)


def reveal(visit: Visit) -> Response:
    """The original, after the ledger recorded who looks."""
    item = one_item(visit, Role.REVIEWER)
    reason = visit.form.get("reason", "").strip()
    if not reason:
        raise Refused(400, "refused.no_reason")
    candidate = visit.house.warden.review.reveal(item.id, actor=visit.name, reason=reason)
    return _page(visit, item, revealed=candidate)


def changed(visit: Visit) -> Response:
    """Whether an item is still as the page shows it: asked for by the page every few seconds."""
    item = one_item(visit)
    seen = visit.query("version")
    return visit.page("item_changed.html", item=item, seen=seen, stale=str(item.version) != seen)


def _page(visit: Visit, item: Item, *, revealed: Candidate | None = None) -> Response:
    asked = Asked.of(visit.request.query_params)
    one = judged_again(visit.house.warden, item, revealed=revealed)
    with visit.house.warden.books.database.read() as conn:
        story = show(conn, item.tenant, item.decision)
    return visit.page(
        "item.html",
        one=one,
        item=item,
        story=story,
        asked=asked,
        verdicts=possible(visit, item),
        claim=claim_of(visit, item),
        before=neighbour(visit, item, asked, back=True),
        after=neighbour(visit, item, asked, back=False),
        origin=_origin(visit, item),
        near=_near(visit, one),
        steps=steps(story),
        revealed=revealed is not None,
    )


def possible(visit: Visit, item: Item) -> tuple[tuple[Move, str], ...]:
    """The verdicts that this account may give now, with their keys."""
    if not visit.may(item.tenant, Role.REVIEWER):
        return ()
    able = set(moves_from(item))
    if item.decided_by == visit.name:
        able.discard(Move.CONFIRM)
    return tuple((move, key) for move, key in VERDICTS if move in able)


def claim_of(visit: Visit, item: Item) -> str:
    """Whose claim lies on an item: "", "mine" or "other"."""
    if not item.claimed_by or item.claimed_until is None or item.claimed_until <= now():
        return ""
    return "mine" if item.claimed_by == visit.name else "other"


def steps(story: Story) -> tuple[tuple[Event, ReviewStep | None], ...]:
    """What happened after the decision; steps of the review as such."""
    return tuple(
        (event, event.body if isinstance(event.body, ReviewStep) else None)
        for event in story.events
    )


def _origin(visit: Visit, item: Item) -> Origin:
    with visit.house.warden.books.database.read() as conn:
        where = Filter(origin=item.origin)
        latest = list(tail(conn, item.tenant, where, limit=100)) if item.origin else []
    blocked = sum(entered.leaf.action >= Action.HOLD for entered in latest)
    return Origin(of_origin(visit, item), len(latest), blocked)


def _near(visit: Visit, one: Opened) -> tuple[Near, ...] | None:
    """None where the store cannot be searched from here."""
    text = "".join(piece.text for piece in one.main if not piece.hidden)
    try:
        found = visit.house.warden.review.neighbours(one.item, text)
    except (MemwardenError, OSError, RuntimeError):
        return None
    if found is None:
        return None
    return tuple(
        Near(memory.text, memory.kind, memory.tier.label, memory.score, memory.decision_id)
        for memory in found
    )
