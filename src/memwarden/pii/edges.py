"""Whether a match may stand where it stands: the boundary rules that RE2 cannot express."""

from __future__ import annotations

from memwarden.pii.pattern import Edge

_JOINERS = frozenset("-/.:=+%")


def is_word(char: str) -> bool:
    """Whether ``char`` continues a Latin word or a number (Chinese characters never do)."""
    return char == "_" or (char.isascii() and char.isalnum())


def _digit(char: str) -> bool:
    return "0" <= char <= "9"


def _touches_number(text: str, start: int, end: int) -> bool:
    if start and _digit(text[start - 1]):
        return True
    if start > 1 and _digit(text[start - 2]) and _splits_number(text, start - 1):
        return True
    if end < len(text) and _digit(text[end]):
        return True
    return end + 1 < len(text) and text[end] == "." and _digit(text[end + 1])


def _splits_number(text: str, at: int) -> bool:
    """Whether the mark at ``at`` is a decimal point or sets off thousands, not a field's end."""
    return text[at] == "." or (text[at] == "," and not text[max(0, at - 4) : at].isdigit())


def _touches_word(text: str, start: int, end: int) -> bool:
    return bool(start and is_word(text[start - 1])) or (end < len(text) and is_word(text[end]))


def _is_joined(text: str, start: int, end: int) -> bool:
    """Whether a joiner ties the match to more: ``8046-1297901`` inside a longer code."""
    if start > 1 and text[start - 1] in _JOINERS and is_word(text[start - 2]):
        return text[start - 1] not in ":=+" or _digit(text[start - 2])
    return end + 1 < len(text) and text[end] in "-/=+%" and is_word(text[end + 1])


def stands_free(text: str, start: int, end: int, edge: Edge) -> bool:
    """Whether nothing that ``edge`` forbids touches ``text[start:end]``."""
    if edge is Edge.NONE:
        return True
    if edge is Edge.LEFT:
        return not start or not is_word(text[start - 1])
    if _touches_number(text, start, end) and edge is not Edge.WORD:
        return False
    if edge is Edge.DIGIT:
        return True
    if _touches_word(text, start, end):
        return False
    return edge is Edge.WORD or not _is_joined(text, start, end)


LONGEST = 64
"""Signs of a word or label that are looked at. Nothing of interest is longer than this."""


def label_before(text: str, start: int) -> str:
    """The Latin letters that touch the match on its left, in lower case (``Tel13800138000``)."""
    at = start
    floor = max(0, start - LONGEST)
    while at > floor and text[at - 1].isascii() and text[at - 1].isalpha():
        at -= 1
    if at and is_word(text[at - 1]):
        return ""
    return text[at:start].lower()


def run_end(text: str, start: int) -> int:
    """Where the word or number that holds position ``start`` ends (or is too long to matter)."""
    end = start
    stop = min(len(text), start + LONGEST)
    while end < stop and is_word(text[end]):
        end += 1
    return max(end, start + 1)
