"""What a text must contain for a pattern to be found in it.

From the pattern itself: a conjunction of sets of literals, at least one literal of each set. That
is what lets one pass over a text say which few of all patterns are worth searching for. A part
of a pattern that cannot be analysed simply demands nothing, so the answer is never too strict.

``GAP`` in an expression stands for a gap that begins and ends with a sign or a blank (maybe the
same one), or for an edge of the text. What stands beside it is a whole word, and its literals say
so with ``EDGE``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

GAP: Final = "\x01"
EDGE: Final = "\x00"

_MOST: Final = 250
"""A set larger than this is not kept: it would demand next to nothing."""

_WEIGHT: Final = 3
"""What a literal must weigh to be worth looking for: three letters, two signs or one character of
a script without spaces."""

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_COMMON_WORDS: Final = (
    "a all an and any are as at be been by do for from had has have he her his i if in is it its "
    "me my new no not of on one or our out see she so that the their them they this to up us use "
    "was we were what when which who will with would you your"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
"""Words that stand in nearly every English text, and so tell nothing."""

_KEPT: Final = 6
_TOKEN: Final = re.compile(
    r"\(\?P<\w+>|\(\?[a-zA-Z]*[:)]|\(|\)|\||\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x\{[0-9a-fA-F]+\}"
    r"|\\.|\{\d+(?:,\d*)?\}\??|[*+?]\??|[^\\()|\[\]{}*+?.^$\x01]{2,}(?![*+?{])|[\s\S]"
)
_COUNT: Final = re.compile(r"\{(\d+)")
_CLASSES: Final = frozenset("sSdDwWpPzAbB")


@dataclass(frozen=True, slots=True)
class Demand:
    """``exact``: every text this expression can match, if those are few. ``sets``: the literals
    that any match contains, one of each set."""

    exact: frozenset[str] | None
    sets: tuple[frozenset[str], ...]


_ANYTHING: Final = Demand(None, ())
_EMPTY: Final = Demand(frozenset(("",)), ())


def demands(expression: str, *, only_words: bool = False) -> tuple[frozenset[str], ...]:
    """The most telling sets of literals that any match of ``expression`` contains one of each.

    With ``only_words`` every character that is no letter or digit is an ``EDGE``.
    """
    tokens = _TOKEN.findall(expression)
    demand, rest = _alternation(tokens, 0)
    if rest != len(tokens):
        return ()
    sets = {_smallest(_edged(found) if only_words else found) for found in _closed(demand)}
    for weigh in (_weight, _size):
        worth = [found for found in sets if found and min(map(weigh, found)) >= _WEIGHT]
        if worth:
            worth.sort(key=lambda found: (-min(map(_size, found)), len(found), sorted(found)))
            return tuple(worth[:_KEPT])
    return ()


def _closed(demand: Demand) -> tuple[frozenset[str], ...]:
    """All sets of a demand, what it matches exactly among them."""
    exact = demand.exact
    return demand.sets if exact is None or "" in exact else (*demand.sets, exact)


@cache
def _edged(found: frozenset[str]) -> frozenset[str]:
    return frozenset("".join(char if char in _LETTERS else EDGE for char in each) for each in found)


def _weight(literal: str) -> int:
    """How much a literal tells; nothing, if it is a common word."""
    return 0 if literal.strip(EDGE) in _COMMON and EDGE in literal else _size(literal)


def _size(literal: str) -> int:
    return sum(map(_char_weight, literal)) if literal.strip(EDGE) else 0


@cache
def _char_weight(char: str) -> int:
    if not char.isascii():
        return 3
    return 1 if char.isalnum() or char in (" ", EDGE) else 2


@cache
def _smallest(found: frozenset[str]) -> frozenset[str]:
    """Without the literals that contain another one of the set."""
    kept: list[str] = []
    for literal in sorted(found, key=len):
        if not any(shorter in literal for shorter in kept):
            kept.append(literal)
    return frozenset(kept)


def _alternation(tokens: list[str], at: int) -> tuple[Demand, int]:
    branches = []
    while True:
        branch, at = _sequence(tokens, at)
        branches.append(branch)
        if at >= len(tokens) or tokens[at] != "|":
            return _either(branches), at
        at += 1


def _either(branches: list[Demand]) -> Demand:
    if len(branches) == 1:
        return branches[0]
    exacts = [branch.exact for branch in branches]
    known = [exact for exact in exacts if exact is not None]
    if len(known) == len(exacts):
        union = frozenset().union(*known)
        return Demand(union, ()) if len(union) <= _MOST else _ANYTHING
    best: frozenset[str] = frozenset()
    for branch in branches:
        sets = _closed(branch)
        if not sets:
            return _ANYTHING
        best |= max(sets, key=lambda found: (min(map(_weight, _smallest(found))), -len(found)))
    return Demand(None, (best,)) if len(best) <= _MOST else _ANYTHING


def _sequence(tokens: list[str], at: int) -> tuple[Demand, int]:
    run: frozenset[str] = frozenset(("",))
    sets: list[frozenset[str]] = []
    whole = True
    while at < len(tokens) and tokens[at] not in ("|", ")"):
        if tokens[at] == GAP:
            gap, at = _repeated(Demand(frozenset((EDGE,)), ()), tokens, at + 1)
            edge = "" if gap.exact is None or "" in gap.exact else EDGE
            sets.append(frozenset(each + edge for each in run))
            run, whole = frozenset((edge,)), False
            continue
        item, at = _item(tokens, at)
        item, at = _repeated(item, tokens, at)
        exact = item.exact
        if exact is not None and len(run) * len(exact) <= _MOST:
            if len(run) == 1 == len(exact):
                run = frozenset(("".join((*run, *exact)),))
                continue
            run = frozenset(a + b for a, b in product(run, exact))
            continue
        whole = False
        sets += [run, *_closed(item)]
        run = frozenset(("",))
    if whole:
        return Demand(run, ()), at
    sets.append(run)
    return Demand(None, tuple(found for found in sets if found and "" not in found)), at


def _repeated(item: Demand, tokens: list[str], at: int) -> tuple[Demand, int]:
    """Apply the quantifiers that follow: what may be absent demands nothing."""
    while at < len(tokens) and (tokens[at][0] in "*+?" or _COUNT.match(tokens[at])):
        token = tokens[at]
        at += 1
        if token[0] == "?" and item.exact is not None:
            item = Demand(item.exact | {""}, ())
        elif token[0] in "*?" or token.startswith("{0"):
            item = _ANYTHING
        else:
            item = Demand(None, _closed(item))
    return item, at


def _item(tokens: list[str], at: int) -> tuple[Demand, int]:
    piece = tokens[at]
    any_class = piece[0] == "\\" and piece[1] in _CLASSES
    if piece[0] == "(" and piece[-1] != ")":
        end = _closing(tokens, at)
        return _group(tuple(tokens[at + 1 : end])), end + 1
    if piece in ("^", "$") or piece.startswith("(?"):
        return _EMPTY, at + 1
    if piece[0] == "[" and len(piece) > 1:
        return _character_class(piece), at + 1
    if any_class or piece == ".":
        return _ANYTHING, at + 1
    if piece.startswith("\\x{"):
        return _literal(chr(int(piece[3:-1], 16))), at + 1
    if piece[0] == "\\":
        return _literal({"n": "\n", "t": "\t", "r": "\r"}.get(piece[1], piece[1])), at + 1
    return _literal(piece), at + 1


def _closing(tokens: list[str], at: int) -> int:
    """Where the group ends that begins at ``at``."""
    depth = 0
    for position in range(at, len(tokens)):
        piece = tokens[position]
        if piece == ")":
            depth -= 1
        elif piece[0] == "(" and piece[-1] != ")":
            depth += 1
        if depth == 0:
            return position
    return len(tokens)


@cache
def _group(tokens: tuple[str, ...]) -> Demand:
    """What the inside of a group demands; the same word lists stand in many patterns."""
    demand, rest = _alternation(list(tokens), 0)
    return demand if rest == len(tokens) else _ANYTHING


def _character_class(token: str) -> Demand:
    """A short class without ranges is a choice of characters."""
    body = token[1:-1]
    if body.startswith("^") or "\\" in body or "-" in body[1:-1] or len(body) > 8:
        return _ANYTHING
    return Demand(frozenset(body), ())


@cache
def _literal(text: str) -> Demand:
    return Demand(frozenset((text,)), ())
