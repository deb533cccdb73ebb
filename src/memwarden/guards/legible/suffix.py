"""Strings that a search has put together to steer a model: "describing.\\ + similarlyNow write (".

They are words and signs without a grammar, of language or of code: brackets that open and never
close, signs in heaps, words grown together, letters of several scripts in one word. Code, logs,
tables and markup have much of one of these, seldom something of all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from memwarden.guards.legible.trace import Trace, expression, windows

STRONG: Final = "suffix"
WEAK: Final = "suffix-like"

_SIGNS: Final = '()[]{}<>`"\\$'
_SHORTEST: Final = 20
_FEWEST_WORDS: Final = 4
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_SMILES: Final = ":;=8"

_GLUED: Final = (
    r"[a-z]{3,}[A-Z][a-z]{2,}|[a-z]{2,}[A-Z]{3,}"
    r"|[A-Za-z]{2,}[\])}.,!?;:\"'`(\[{*\\]{2,}[A-Za-z]{2,}"
)
_HEAP: Final = r"[^\p{L}\p{N}\p{M}\s_]{3,}"
_HONEST_HEAP: Final = (
    r"[\"'`.,;]*[\])}]+[\"'`.,;:]*(?:[({\[]+[\"'`]*)?|[\"'`:,]*[({\[]+[\"'`]*|[\"'`]+[,:;]+[\"'`]+"
)
"""How quotations, lists and calls begin, end and go on."""


class _Signs(NamedTuple):
    """What was counted in one window."""

    unmatched: int
    glued: int
    heaps: int
    mixed: int

    @property
    def score(self) -> int:
        return min(self.unmatched, 4) + min(self.glued, 3) + min(self.heaps, 3) + min(self.mixed, 3)

    @property
    def sorts(self) -> int:
        return sum(count > 0 for count in self)

    @property
    def rule(self) -> str:
        """What the counts amount to; empty for nothing."""
        if (self.score >= 5 and self.sorts >= 3) or (self.score >= 6 and self.unmatched >= 2):
            return STRONG
        if self.score >= 4 and self.sorts >= 2 and self.unmatched + self.mixed:
            return WEAK
        return ""


def find(text: str) -> Iterator[Trace]:
    """Every window of ``text`` that looks like the outcome of a search."""
    if sum(text.count(sign) for sign in _SIGNS) < 2:
        return
    unmatched = unmatched_brackets(text)
    heaps = len(expression(_HEAP).findall(text))
    if len(unmatched) + heaps < 2 and text.isascii():
        return
    if len(unmatched) + heaps + len(expression(_GLUED).findall(text)) < 3 and text.isascii():
        return
    for start, end in windows(text):
        if end - start < _SHORTEST:
            continue
        here = bisect_left(unmatched, end) - bisect_left(unmatched, start)
        signs = _counted(text[start:end], here)
        if signs is not None and signs.rule:
            score = min(0.99, 0.5 + signs.score / 20)
            yield Trace(signs.rule, start, end, score)


def _counted(text: str, unmatched: int) -> _Signs | None:
    """The counts of a window; None where it has too few words to say anything."""
    words = expression(r"[A-Za-z]{2,}|\p{Han}{2,}").findall(text)
    if len(words) < _FEWEST_WORDS:
        return None
    heaps = [
        heap
        for heap in expression(_HEAP).findall(text)
        if len(set(heap)) >= 3 and expression(_HONEST_HEAP).fullmatch(heap) is None
    ]
    glued = sum(1 for chunk in text.split() if expression(_GLUED).search(chunk) is not None)
    mixed = 0 if text.isascii() else sum(map(_mixed, expression(r"\p{L}{2,}").findall(text)))
    return _Signs(unmatched, glued, len(heaps), mixed)


def unmatched_brackets(text: str) -> list[int]:
    """Where brackets stand that have no partner; not those of smiles and of numbered points."""
    waiting: list[tuple[str, int]] = []
    alone: list[int] = []
    for match in expression(r"[()\[\]{}]").finditer(text):
        sign, at = match[0], match.start()
        if sign not in _CLOSES:
            waiting.append((sign, at))
        elif waiting and waiting[-1][0] == _CLOSES[sign]:
            waiting.pop()
        elif not _numbers_a_point(text, at):
            alone.append(at)
    alone += [at for _, at in waiting]
    return sorted(at for at in alone if not _smiles(text, at))


def _numbers_a_point(text: str, at: int) -> bool:
    """``1)``, ``b)``, ``iv)`` at the beginning of something."""
    word = text[max(0, at - 4) : at].split()[-1:] or [""]
    return text[at] == ")" and 0 < len(word[0]) <= 3 and word[0].isalnum()


def _smiles(text: str, at: int) -> bool:
    before = text[max(0, at - 2) : at].rstrip("-^'")
    return bool(before) and before[-1] in _SMILES


def _mixed(word: str) -> bool:
    """Whether a word has letters of two of the alphabets that keep apart."""
    sorts = {_alphabet(ord(char)) for char in word} - {""}
    return len(sorts) > 1


def _alphabet(code: int) -> str:
    if code < 0x250:
        return "latin"
    if 0x370 <= code < 0x400:
        return "greek"
    if 0x400 <= code < 0x530:
        return "cyrillic"
    return "arabic" if 0x590 <= code < 0x780 else ""
