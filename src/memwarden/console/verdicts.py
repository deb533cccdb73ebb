"""Verdicts: a form that asks why, the move itself, and what may follow from it in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from memwarden import review
from memwarden.console.accounts import Role
from memwarden.console.cases import judged_again
from memwarden.console.filters import Asked
from memwarden.console.item import claim_of, possible
from memwarden.console.moments import now
from memwarden.console.queue import neighbour, one_item
from memwarden.console.visit import Refused, Visit
from memwarden.errors import UsageError, VaultError
from memwarden.review import Item, Move

MOVES: Final = frozenset(
    (
        Move.APPROVE,
        Move.APPROVE_REDACTED,
        Move.EDIT,
        Move.REJECT,
        Move.CONFIRM,
        Move.RESTORE,
        Move.UNDO,
    )
)
_LONGEST_REASON: Final = 2_000
_LONGEST_TEXT: Final = 65_536


@dataclass(frozen=True, slots=True)
class Given:
    """A verdict as a form sent it."""

    move: Move
    version: int
    reason: str
    text: str = ""

    @classmethod
    def of(cls, visit: Visit) -> Given:
        form = visit.form
        move = move_named(visit.path("move"))
        try:
            version = int(form.get("version", ""))
        except ValueError:
            raise Refused(400, "refused.form") from None
        reason = form.get("reason", "").strip()
        text = form.get("text", "").replace("\r\n", "\n")
        if len(reason) > _LONGEST_REASON or len(text) > _LONGEST_TEXT:
            raise Refused(400, "refused.long")
        return cls(move, version, reason, text)


def move_named(word: str) -> Move:
    move = next((one for one in MOVES if one.value == word), None)
    if move is None:
        raise Refused(404, "refused.no_page")
    return move


def verdict_form(visit: Visit) -> Response:
    """Asks why, and shows what will happen. A dialog for htmx, a page of its own otherwise."""
    item = one_item(visit, Role.REVIEWER)
    move = move_named(visit.path("move"))
    able = any(move is one for one, _ in possible(visit, item))
    return visit.page(
        "verdict_form.html" if visit.partial else "verdict.html",
        item=item,
        move=move.value,
        able=able,
        claim=claim_of(visit, item),
        one=judged_again(visit.house.warden, item),
        draft=_draft(visit, item) if move is Move.EDIT else None,
        asked=Asked.of(visit.request.query_params),
        follow=follows(move),
    )


def verdict(visit: Visit) -> Response:
    """Give the verdict on the item as it was seen, then go on to the next one."""
    item = one_item(visit, Role.REVIEWER)
    given = Given.of(visit)
    asked = Asked.of(visit.request.query_params)
    following = neighbour(visit, item, asked, back=False)
    after = give(visit, item, given)
    visit.note(
        f"done.{after.state.value}",
        undo=after.id if given.move is not Move.UNDO else "",
        item=after.id[-6:],
    )
    _follow(visit, after, given)
    if given.move in (Move.UNDO, Move.RESTORE) or not following:
        return visit.go(f"/items/{after.id}") if given.move is Move.UNDO else visit.go("/")
    return visit.go(f"/items/{following}?{asked.query()}".rstrip("?"))


def give(visit: Visit, item: Item, given: Given) -> Item:
    """Make the move, if the item is as it was seen. Raises ReviewConflict if it is not."""
    desk = visit.house.warden.review
    _hold(visit, item, given.version)
    actor, reason = visit.name, given.reason
    if given.move is Move.EDIT:
        return desk.edit(item.id, given.text, actor=actor, reason=reason)
    moves = {
        Move.APPROVE: desk.approve,
        Move.APPROVE_REDACTED: desk.approve_redacted,
        Move.REJECT: desk.reject,
        Move.CONFIRM: desk.confirm,
        Move.RESTORE: desk.restore,
        Move.UNDO: desk.undo,
    }
    return moves[given.move](item.id, actor=actor, reason=reason)


def _hold(visit: Visit, item: Item, version: int) -> None:
    """Claim an open item in the very version that was seen, so that nothing comes between."""
    if not item.state.open:
        if item.version != version:
            raise Refused(409, "refused.changed")
        return
    _take(visit, item, version)


def claim(visit: Visit) -> Response:
    """Claim an item, or give a claim back."""
    item = one_item(visit, Role.REVIEWER)
    version = int(visit.form.get("version", "0") or 0)
    if visit.form.get("give_back"):
        visit.house.warden.books.database.write(
            lambda conn: review.give_back(conn, item.id, version, visit.name, now())
        )
    else:
        _take(visit, item, version)
    return visit.go(f"/items/{item.id}", **visit.request.query_params)


def _take(visit: Visit, item: Item, version: int) -> Item:
    lease = visit.house.settings.lease
    return visit.house.warden.books.database.write(
        lambda conn: review.take(conn, item.id, version, visit.name, now(), lease)
    )


def _draft(visit: Visit, item: Item) -> str | None:
    """The text to begin an edit with: masked, since an edit is no reveal. None if it is gone."""
    try:
        return visit.house.warden.review.preview(item)
    except (UsageError, VaultError):
        return None


def follows(move: Move) -> tuple[str, ...]:
    """What may follow from a verdict in the same step."""
    if move is Move.REJECT:
        return ("lesson",)
    if move in (Move.APPROVE, Move.APPROVE_REDACTED):
        return ("harmless",)
    return ()


def _follow(visit: Visit, item: Item, given: Given) -> None:
    """Learn from the verdict where the form asked for it."""
    wanted = [name for name in follows(given.move) if visit.form.get(name)]
    for name in wanted:
        try:
            visit.house.warden.learn(
                item.decision, tenant=item.tenant, actor=visit.name, hostile=name == "lesson"
            )
        except UsageError:
            visit.note("done.no_lesson", good=False)
        else:
            visit.note(f"done.{name}")
