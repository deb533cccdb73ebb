"""A text as a reviewer reads it: findings marked in place, what is personal masked, what is
invisible spelled out. Pure; templates turn the pieces into HTML and escape them there."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from memwarden.model import Severity

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that count as printable and show nothing."""

_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_SHORT: Final = 24
_MOST_OF_IT: Final = 0.7
_TAGS: Final = range(0xE0020, 0xE007F)


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding's place in one text; ``number`` is what the page calls it."""

    start: int
    end: int
    number: int
    severity: Severity


@dataclass(frozen=True, slots=True)
class Veil:
    """A personal value: what it is, what stands there while it is hidden, and what policy would
    store in its place."""

    start: int
    end: int
    entity: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that looks the same all along.

    ``numbers`` are the findings that cover it, ``severity`` the worst of them; ``wide`` says that
    they only speak of the text as a whole, which is marked more quietly. ``entity`` is set
    on a masked or revealed personal value, ``hidden`` on characters that nobody would see:
    ``text`` then spells them.
    """

    text: str = field(repr=False)
    numbers: tuple[int, ...] = ()
    severity: str = ""
    entity: str = ""
    instead: str = ""
    hidden: bool = False
    masked: bool = False
    wide: bool = False


def pieces(
    text: str, marks: Sequence[Mark] = (), veils: Sequence[Veil] = (), *, revealed: bool = False
) -> tuple[Piece, ...]:
    """The text cut where anything changes. ``veils`` ascend and do not overlap."""
    edges = {0, len(text)}
    spans = [(one.start, one.end) for one in marks] + [(one.start, one.end) for one in veils]
    for start, end in spans:
        edges.update((max(0, start), min(len(text), end)))
    cover = {at: veil for veil in veils for at in range(veil.start, veil.end)}
    for veil in veils:
        edges.difference_update(range(veil.start + 1, veil.end))
    ordered = sorted(edges)
    found: list[Piece] = []
    for start, end in pairwise(ordered):
        here = [mark for mark in marks if mark.start < end and start < mark.end]
        close = [mark for mark in here if not _wide(mark, text)]
        for piece in _stretch(text[start:end], close or here, cover.get(start), revealed=revealed):
            numbers = tuple(sorted({mark.number for mark in here}))
            found.append(replace(piece, numbers=numbers, wide=bool(here) and not close))
    return tuple(found)


def _wide(mark: Mark, text: str) -> bool:
    """Whether a finding speaks of most of a text rather than of a place in it."""
    return len(text) > _SHORT and mark.end - mark.start > _MOST_OF_IT * len(text)


def _stretch(
    text: str, marks: Sequence[Mark], veil: Veil | None, *, revealed: bool
) -> Iterable[Piece]:
    numbers = tuple(sorted({mark.number for mark in marks}))
    worst = max((mark.severity for mark in marks), default=None)
    severity = worst.label if worst is not None else ""
    if veil is not None and not revealed:
        return (Piece("", numbers, severity, veil.entity, veil.instead, masked=True),)
    entity, instead = (veil.entity, veil.instead) if veil is not None else ("", "")
    return (
        Piece(run, numbers, severity, entity, instead if first else "", hidden)
        for first, (run, hidden) in _numbered(_runs(text))
    )


def _numbered(runs: Iterable[tuple[str, bool]]) -> Iterable[tuple[bool, tuple[str, bool]]]:
    for at, run in enumerate(runs):
        yield at == 0, run


def _runs(text: str) -> Iterable[tuple[str, bool]]:
    """Visible runs as they are, invisible ones spelled."""
    start = 0
    unseen = [_unseen(text, at) for at in range(len(text))]
    while start < len(text):
        end = start
        while end < len(text) and unseen[end] == unseen[start]:
            end += 1
        run = text[start:end]
        yield (_spelled(run), True) if unseen[start] else (run, False)
        start = end


def _unseen(text: str, at: int) -> bool:
    sign = text[at]
    if sign in "\n\t " or (sign.isprintable() and not _selects(sign)):
        return sign in _BLANK_LETTERS
    if sign in (_JOINER, _EMOJI_STYLE) and at and _is_symbol(text[at - 1]):
        return False
    return sign != "\u3000"


def _selects(sign: str) -> bool:
    return any(ord(sign) in codes for codes in _SELECTORS)


def _is_symbol(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sk") or sign in (_EMOJI_STYLE, _JOINER)


def _spelled(run: str) -> str:
    """Code points of a hidden run; tag characters also as the letters they smuggle."""
    if len(run) > 2 and all(ord(sign) in _TAGS for sign in run):
        letters = "".join(chr(ord(sign) - 0xE0000) for sign in run)
        return f"U+E00xx ×{len(run)} “{letters}”"
    groups: list[tuple[str, int]] = []
    for sign in run:
        if groups and groups[-1][0] == sign:
            groups[-1] = (sign, groups[-1][1] + 1)
        else:
            groups.append((sign, 1))
    shown = [f"U+{ord(sign):04X}" + (f"×{n}" if n > 1 else "") for sign, n in groups[:6]]
    if len(groups) > 6:
        shown.append(f"… ({len(run)})")
    return " ".join(shown)


def plain(text: str) -> str:
    """A short text for a place without markup: hidden characters spelled in angle brackets."""
    return "".join(f"⟨{run}⟩" if hidden else run for run, hidden in _runs(text))


def shortened(found: Sequence[Piece], most: int = 220) -> tuple[Piece, ...]:
    """The pieces that fit on a line of the queue, beginning shortly before the first mark."""
    first = next((at for at, piece in enumerate(found) if piece.numbers), 0)
    kept: list[Piece] = []
    if first and sum(len(piece.text) for piece in found[:first]) > most // 3:
        before = found[first - 1]
        kept.append(replace(before, text="…" + before.text[-most // 4 :].lstrip()))
    else:
        kept.extend(found[:first])
    left = most - sum(len(piece.text) for piece in kept)
    for piece in found[first:]:
        if left <= 0:
            kept.append(Piece("…"))
            break
        cut = piece if len(piece.text) <= left else replace(piece, text=piece.text[:left] + "…")
        kept.append(cut)
        left -= max(len(piece.text), len(piece.entity))
    return tuple(kept)
