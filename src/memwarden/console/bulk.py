"""One verdict for many: by origin, by rule or by likeness, after a look at what would change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from memwarden import review
from memwarden.console.accounts import Role
from memwarden.console.cases import Opened, opened
from memwarden.console.filters import Asked
from memwarden.console.queue import stream
from memwarden.console.verdicts import Given, give
from memwarden.console.visit import Refused, Visit
from memwarden.errors import MemwardenError, UsageError
from memwarden.review import Item, Move, moves_from

WAYS: Final = ("similar", "origin", "rule")
MOVES: Final = (Move.REJECT, Move.APPROVE_REDACTED, Move.APPROVE)
_MOST: Final = 100
_LOOKED_AT: Final = 1_000
_ALIKE: Final = 0.55


@dataclass(frozen=True, slots=True)
class Row:
    """An item that the verdict would reach; ``like`` between 0 and 1."""

    one: Opened
    like: float
    able: bool


def bulk_page(visit: Visit) -> Response:
    """The items that a verdict would reach, each with a box to leave it out."""
    item = _item(visit, visit.query("item"))
    by = visit.query("by") if visit.query("by") in WAYS else "similar"
    rule = visit.query("rule") if visit.query("rule") in item.rules else next(iter(item.rules), "")
    move = next((one for one in MOVES if one.value == visit.query("move")), Move.REJECT)
    rows = _rows(visit, item, by, rule, move)
    return visit.page(
        "bulk.html",
        item=item,
        by=by,
        ways=WAYS,
        rule=rule,
        move=move.value,
        moves=tuple(one.value for one in MOVES),
        rows=rows,
        able=sum(row.able for row in rows),
        store=item.store,
    )


def bulk(visit: Visit) -> Response:
    """Give the verdict item by item, each as it was seen; what changed meanwhile is left alone."""
    move = next((one for one in MOVES if one.value == visit.form.get("move")), None)
    chosen = visit.rows.get("chosen", ())[:_MOST]
    reason = visit.form.get("reason", "").strip()[:2_000]
    if move is None or not chosen:
        raise Refused(400, "refused.none_chosen")
    done = sum(_given(visit, one, move, reason) for one in chosen)
    visit.note("bulk.done", n=str(done))
    if done < len(chosen):
        visit.note("bulk.left", good=False, n=str(len(chosen) - done))
    return visit.go("/")


def _given(visit: Visit, chosen: str, move: Move, reason: str) -> bool:
    name, _, version = chosen.partition(":")
    if not version.isdecimal():
        raise Refused(400, "refused.form")
    item = _item(visit, name)
    try:
        give(visit, item, Given(move, int(version), reason))
    except (MemwardenError, Refused):
        return False
    return True


def _item(visit: Visit, name: str) -> Item:
    with visit.house.warden.books.database.read() as conn:
        try:
            item = review.get(conn, name)
        except UsageError:
            raise Refused(404, "refused.no_item") from None
    return visit.item_for(item, Role.REVIEWER)


def _rows(visit: Visit, item: Item, by: str, rule: str, move: Move) -> list[Row]:
    asked = Asked(
        tenant=item.tenant,
        state="pending",
        origin=item.origin if by == "origin" else "",
        rule=rule if by == "rule" else "",
    )
    warden = visit.house.warden
    like = _grams(opened(warden, item))
    rows: list[Row] = []
    for at, one in enumerate(stream(visit, asked)):
        if at == _LOOKED_AT or len(rows) == _MOST:
            break
        shown = opened(warden, one)
        near = 1.0 if one.id == item.id else likeness(like, _grams(shown))
        if by != "similar" or near >= _ALIKE:
            rows.append(Row(shown, near, move in moves_from(one)))
    return sorted(rows, key=lambda row: -row.like) if by == "similar" else rows


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """How much of two texts is the same, letter group by letter group: 0 nothing, 1 all."""
    shared = sum((one & other).values())
    whole = sum((one | other).values())
    return shared / whole if whole else 0.0


def _grams(one: Opened) -> Counter[str]:
    text = "".join(piece.text or piece.entity for piece in one.main if not piece.hidden)
    text = " ".join(text.casefold().split())
    return Counter(text[at : at + 3] for at in range(max(1, len(text) - 2)))
