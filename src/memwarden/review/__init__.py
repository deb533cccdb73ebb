"""The review queue: what waits for a person, and what that person may do with it."""

from memwarden.review.listing import Wanted, listed
from memwarden.review.queue import (
    Quota,
    bulk,
    counts,
    enqueue,
    expire_due,
    get,
    give_back,
    move,
    of_decision,
    take,
)
from memwarden.review.transitions import (
    OPEN_STATES,
    TABLE,
    Effect,
    Item,
    Move,
    State,
    Transition,
    claim,
    make_move,
    moves_from,
    release,
)

__all__ = [
    "OPEN_STATES",
    "TABLE",
    "Effect",
    "Item",
    "Move",
    "Quota",
    "State",
    "Transition",
    "Wanted",
    "bulk",
    "claim",
    "counts",
    "enqueue",
    "expire_due",
    "get",
    "give_back",
    "listed",
    "make_move",
    "move",
    "moves_from",
    "of_decision",
    "release",
    "take",
]
