"""Whether what was found stands by itself, and is not a piece of a longer word or number."""

from __future__ import annotations

import re
from typing import Final

from memwarden.fence.scrub.kinds import DIGIT, LETTER, UNSPACED, kind_of, unseen
from memwarden.fence.scrub.lists import words_before
from memwarden.fence.scrub.owner import Owner
from memwarden.fence.scrub.signs import is_numeral, signs_of

_FAR: Final = 16
"""Invisible characters that are looked past for a neighbour."""
_SHORT_NUMBER: Final = 7
_SUBSCRIBER: Final = 10
_CALLING_CODE: Final = re.compile(r"(?:^|[^0-9])(?:\+[1-9][0-9]{0,2}|00[1-9][0-9]{0,2}|86|0)$")
_GROUP: Final = re.compile(r",[0-9]{3}(?![0-9])")
_GROUP_UNSAID: Final = 4


def left_free(owner: Owner, text: str, at: int) -> bool:
    """Whether nothing to the left of ``at`` belongs to the word or number that begins there."""
    near = _left_of(text, at)
    if near < 0:
        return True
    if _labelled(owner, text[near]) and near == at - 1:
        return False
    if not _joined(text[near], text[at]):
        return not (_after_point(owner, text, at) or _after_word(owner, text, near, at))
    if owner.all_digits and len(owner.body) >= _SUBSCRIBER and near == at - 1:
        return bool(_CALLING_CODE.search(text, max(0, at - 6), at))
    return False


def right_free(owner: Owner, text: str, end: int) -> bool | None:
    """The same to the right of ``end``; None if that depends on what comes after the text."""
    near = _right_of(text, end)
    if near == len(text):
        return None
    if near < 0:
        return True
    if _joined(text[end - 1], text[near]) or (near == end and _labelled(owner, text[near])):
        return False
    return _before_point(owner, text, near)


def may_begin(text: str, at: int) -> bool:
    """Whether any original at all may begin at ``at``, as far as its left neighbour has a say."""
    return not joins_left(text, at) or (
        text[at].isdecimal() and bool(_CALLING_CODE.search(text, max(0, at - 6), at))
    )


def joins_left(text: str, at: int) -> bool:
    """Whether a word or number goes on from before ``at``."""
    near = _left_of(text, at)
    return near >= 0 and _joined(text[near], text[at])


def joins_right(text: str, end: int) -> bool | None:
    """Whether a word or number goes on after ``end``; None if the text ends before that shows."""
    near = _right_of(text, end)
    if near == len(text):
        return None
    return near >= 0 and _joined(text[end - 1], text[near])


def _left_of(text: str, at: int) -> int:
    for near in range(at - 1, max(-1, at - 1 - _FAR), -1):
        if not unseen(text[near]):
            return near
    return -1


def _right_of(text: str, end: int) -> int:
    """The next character that is seen, the text's length if it ends first, -1 if it is far."""
    for near in range(end, min(len(text), end + _FAR)):
        if not unseen(text[near]):
            return near
    return len(text) if end + _FAR > len(text) else -1


def _joined(left: str, right: str) -> bool:
    first, second = _sort(left), _sort(right)
    return first == second and first in (DIGIT, LETTER, _NUMERAL)


_NUMERAL: Final = "n"


def _sort(char: str) -> str:
    kind = kind_of(char)
    if kind == UNSPACED and is_numeral(char):
        return _NUMERAL
    return kind


def _labelled(owner: Owner, neighbour: str) -> bool:
    """Whether a letter makes a short number part of a longer label (A1234, 500ms)."""
    short = owner.all_digits and len(owner.body) < _SHORT_NUMBER
    return short and kind_of(neighbour) == LETTER


def _after_point(owner: Owner, text: str, at: int) -> bool:
    """Whether a short number is what stands behind the point of a longer one."""
    if not owner.all_digits or len(owner.body) >= _SHORT_NUMBER or at < 2:
        return False
    return text[at - 1] == "." and text[at - 2].isdecimal()


def _before_point(owner: Owner, text: str, near: int) -> bool | None:
    """Whether a short number is followed by no decimal places and no group of three digits."""
    if not owner.all_digits or len(owner.body) >= _SHORT_NUMBER or text[near] not in ".,":
        return True
    rest = text[near : near + _GROUP_UNSAID + 1]
    if text[near] == ".":
        return None if len(rest) < 2 else not rest[1].isdecimal()
    if _GROUP.match(rest) and len(rest) > _GROUP_UNSAID:
        return False
    return None if len(rest) <= _GROUP_UNSAID and rest[1:].isdecimal() | (len(rest) == 1) else True


def _after_word(owner: Owner, text: str, near: int, at: int) -> bool:
    """Whether a Chinese name of two characters begins inside an ordinary word."""
    if len(owner.body) != 2 or not owner.all_unspaced or near != at - 1:
        return False
    return text[near] in words_before().get(signs_of(text[at]), frozenset())
