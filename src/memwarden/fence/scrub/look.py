"""Looking at one reading of an answer: what in it must go, and from where it must wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memwarden.fence.scrub.codes import shows
from memwarden.fence.scrub.edges import joins_left, joins_right, left_free, right_free
from memwarden.fence.scrub.gaps import gaps_in, passable, tolerated
from memwarden.fence.scrub.kinds import unseen
from memwarden.fence.scrub.owner import Owner
from memwarden.fence.scrub.signs import Signs, is_numeral
from memwarden.fence.scrub.wanted import Hit, Wanted
from memwarden.model import Span

_STRIDE: Final = 64


class Found(NamedTuple):
    """An original, or enough of one, at ``start:end`` of the text. ``sure`` is False while what
    follows the text may still show that it is something else."""

    start: int
    end: int
    owner: Owner
    sure: bool = True


def look(
    wanted: Wanted, text: str, signs: Signs, ranges: Sequence[Span] | None = None
) -> Iterator[Found]:
    """Everything found in ``text``, in no particular order, possibly overlapping. ``ranges`` (of
    signs) say where to look, if not everywhere."""
    quoted: dict[int, Span] = {}
    for hit in wanted.hits(signs, ranges):
        body = hit.seed.body
        if body.face is not None:
            found = _face(hit, text, signs)
        elif body.owner.window:
            begin, end = quoted.get(id(body), (0, 0))
            if begin <= hit.start and hit.end <= end:
                continue
            found, quoted[id(body)] = _quotation(hit, text, signs)
        else:
            found = _whole(hit, text, signs)
        if found is not None:
            yield found


def _face(hit: Hit, text: str, signs: Signs) -> Found | None:
    body = hit.seed.body
    places = signs.span(hit.start, hit.end)
    if body.face is None or places[-1] - places[0] > 2 * len(places):
        return None
    start, end = places[0], places[-1] + 1
    shown = shows(body.face, text, start, end)
    if shown is False:
        return None
    return Found(start, end, body.owner, shown is not None)


def _whole(hit: Hit, text: str, signs: Signs) -> Found | None:
    owner = hit.seed.body.owner
    if _splits_character(signs, hit.start, hit.end):
        return None
    places = signs.span(hit.start, hit.end)
    start, end = places[0], places[-1] + 1
    capital = text[start].isupper()
    if (owner.capital and not capital) or not left_free(owner, text, start):
        return None
    free = right_free(owner, text, end)
    if free is False or not _written_alike(owner, text, places, 0):
        return None
    gaps = gaps_in(text, places, owner.gaps)
    if gaps is None or not tolerated(owner, gaps, 0, len(places), capital):
        return None
    return Found(start, _with_marks(text, end), owner, free is not None)


def _quotation(hit: Hit, text: str, signs: Signs) -> tuple[Found | None, Span]:
    """The longest quotation around a seed, and the signs up to which it was looked for."""
    owner = hit.seed.body.owner
    low, high = _agreeing(hit, owner.body, signs.text)
    first = hit.seed.offset - (hit.start - low)
    places = signs.span(low, high)
    begin, end = _close(owner, text, places, first, hit.start - low, hit.end - low)
    extent = (low + begin, low + end)
    trimmed = _trimmed(owner, text, places, begin, end, first)
    if trimmed is None:
        return None, extent
    begin, end, sure = trimmed
    chosen = places[begin:end]
    if not _written_alike(owner, text, chosen, first + begin):
        return None, extent
    gaps = gaps_in(text, chosen, owner.gaps, first + begin)
    capital = text[chosen[0]].isupper()
    if gaps is None or not tolerated(owner, gaps, first + begin, len(chosen), capital):
        return None, extent
    return Found(chosen[0], _with_marks(text, chosen[-1] + 1), owner, sure), extent


def _agreeing(hit: Hit, body: str, read: str) -> Span:
    """How far signs and body agree on both sides of the seed. Compared in strides."""
    low, offset = hit.start, hit.seed.offset
    high, after = hit.end, hit.seed.offset + hit.end - hit.start
    stride = _STRIDE
    while stride:
        if offset >= stride <= low and read[low - stride : low] == body[offset - stride : offset]:
            low, offset = low - stride, offset - stride
        else:
            stride //= 2
    stride = _STRIDE
    while stride:
        fits = stride <= min(len(body) - after, len(read) - high)
        if fits and read[high : high + stride] == body[after : after + stride]:
            high, after = high + stride, after + stride
        else:
            stride //= 2
    return low, high


def _close(
    owner: Owner, text: str, places: Sequence[int], first: int, begin: int, end: int
) -> Span:
    """``begin:end`` widened as long as the gaps are not too wide."""
    own = owner.gaps.get
    while begin > 0 and _passes(text, places[begin - 1], places[begin], own(first + begin, 0)):
        begin -= 1
    while end < len(places) and _passes(text, places[end - 1], places[end], own(first + end, 0)):
        end += 1
    return begin, end


def _passes(text: str, left: int, right: int, own: int) -> bool:
    return right - left <= 1 or passable(text[left + 1 : right], own) is not None


def _trimmed(
    owner: Owner, text: str, places: list[int], begin: int, end: int, first: int
) -> tuple[int, int, bool] | None:
    """The extent cut back to whole words, and whether that is sure; None if it is too short."""
    whole = first + begin == 0 and end - begin == len(owner.body)
    if not (whole and left_free(owner, text, places[begin])):
        while begin < end and joins_left(text, places[begin]):
            if owner.all_digits:
                return None
            begin += 1
    sure = True
    while begin < end:
        joined = joins_right(text, places[end - 1] + 1)
        sure = joined is not None
        if not joined:
            break
        if owner.all_digits:
            return None
        end -= 1
    return (begin, end, sure) if end - begin >= owner.window else None


def _splits_character(signs: Signs, start: int, end: int) -> bool:
    """Whether the signs begin or end within one character of the text (``ﬁ`` is two signs)."""
    places = signs.places
    before = start > 0 and places[start - 1] == places[start]
    after = end < len(places) and places[end] == places[end - 1]
    return bool(before or after)


def _written_alike(owner: Owner, text: str, places: list[int], first: int) -> bool:
    """Whether numerals that are characters of a name stand as such (王三 is not 王3)."""
    return all(
        is_numeral(text[places[at - first]]) == numeral
        for at, numeral in owner.settled
        if first <= at < first + len(places)
    )


def _with_marks(text: str, end: int) -> int:
    while end < len(text) and unseen(text[end]):
        end += 1
    return end
