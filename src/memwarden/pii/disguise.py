"""Numbers written so that no pattern sees them: 一三八…, one digit at a time, with dots between."""

from __future__ import annotations

import re
from typing import Final

import re2

from memwarden.model import View
from memwarden.pii.edges import stands_free
from memwarden.pii.fold import Rewritten
from memwarden.pii.pattern import Edge

_NUMERALS: Final = {
    **dict(zip("零一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    **dict(zip("〇壹貳參肆伍陸柒捌玖", "0123456789", strict=True)),
    "幺": "1",
    "两": "2",
    "洞": "0",
    "拐": "7",
    "勾": "9",
}
_NUMERAL_CLASS: Final = "".join(sorted(set(_NUMERALS)))
_MIN_NUMERALS: Final = 4
"""Fewer Chinese numerals than this in a run are ordinary counting."""

_RUNS: Final = re2.compile(rf"[0-9{_NUMERAL_CLASS}](?:[ \-.]?[0-9{_NUMERAL_CLASS}]){{6,60}}")
_SPREAD: Final = re2.compile(
    rf"[0-9{_NUMERAL_CLASS}](?:[ \-.·,、_*~/|]{{1,2}}[0-9{_NUMERAL_CLASS}]){{6,60}}"
)
_NUMERAL_LOOK: Final = re.compile(f"[{_NUMERAL_CLASS}]")
_SPREAD_LOOK: Final = re.compile(r"[0-9][^0-9A-Za-z][^A-Za-z]{0,1}[0-9][^0-9A-Za-z]")


def disguised(view: View) -> Rewritten | None:
    """A reading of ``view`` with spelled and spread-out digits as plain ones; None if none are."""
    text = view.text
    if not _worth_a_look(text):
        return None
    changes: dict[int, str] = {}
    for match in _RUNS.finditer(text):
        if sum(char in _NUMERALS for char in match.group()) >= _MIN_NUMERALS:
            changes |= {
                match.start() + at: _NUMERALS.get(char, char)
                for at, char in enumerate(match.group())
            }
    for match in _SPREAD.finditer(text):
        if stands_free(text, match.start(), match.end(), Edge.DIGIT):
            changes |= {match.start() + at: _plain(c) for at, c in enumerate(match.group())}
    return _rewritten(view, changes) if changes else None


def _worth_a_look(text: str) -> bool:
    if text.isascii():
        return _SPREAD_LOOK.search(text) is not None
    return len(_NUMERAL_LOOK.findall(text)) >= _MIN_NUMERALS or bool(_SPREAD_LOOK.search(text))


def _plain(char: str) -> str:
    return _NUMERALS.get(char, char if "0" <= char <= "9" else "")


def _rewritten(view: View, changes: dict[int, str]) -> Rewritten:
    kept = [(changes.get(at, char), view.span(at, at + 1)) for at, char in enumerate(view.text)]
    kept = [(char, span) for char, span in kept if char]
    return Rewritten(
        "disguised",
        "".join(char for char, _ in kept),
        tuple(span[0] for _, span in kept),
        tuple(span[1] for _, span in kept),
    )
