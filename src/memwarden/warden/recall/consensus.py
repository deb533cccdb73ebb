"""Several related memories are asked what they would have the agent do; the odd ones are left out.

After A-MemGuard (arXiv 2510.02373). With a callable, each memory is asked alone and the answers
are compared; without one the bundled encoder says how much of a memory is a command. Poison that
a majority of the recalled memories shares is not found this way, whoever is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from memwarden.model import COMMAND_KINDS, WindowReading
from memwarden.text import fold
from memwarden.text.scripts import CJK
from memwarden.warden.recall import claims

Ask = Callable[[str], str]
"""A memory's text in; out, in a few words, what it would have the agent do ("nothing")."""

FEWEST: Final = 3
"""Two memories that disagree cannot tell who is right."""

_ALIKE: Final = 0.34
_ABOVE: Final = 0.5
_WORD: Final = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Positions that diverge from the majority. ``agreed`` is False where there is no majority:
    then nobody can be called the odd one, and nothing should be more than looked up."""

    diverging: frozenset[int]
    agreed: bool = True


def of_answers(answers: Sequence[str | None]) -> Verdict:
    """Compare what memories would have the agent do. None is a memory that could not be asked,
    which diverges: what was not heard does not count as agreeing."""
    silent = frozenset(at for at, answer in enumerate(answers) if answer is None)
    if len(answers) < FEWEST:
        return Verdict(silent)
    words = [_words(answer) if answer is not None else frozenset() for answer in answers]
    best: frozenset[int] = frozenset()
    for at in range(len(answers)):
        if at not in silent:
            near = frozenset(
                other
                for other in range(len(answers))
                if other not in silent and _alike(words[at], words[other]) >= _ALIKE
            )
            best = max(best, near, key=len)
    if 2 * len(best) <= len(answers):
        return Verdict(silent, agreed=False)
    return Verdict(frozenset(range(len(answers))) - best)


def of_readings(readings: Sequence[Sequence[WindowReading]]) -> Verdict:
    """Compare how much of each memory is a command: the odd ones ask for far more than the rest."""
    if len(readings) < FEWEST:
        return Verdict(frozenset())
    asks = [max((_command(window) for window in windows), default=0.0) for windows in readings]
    odd = frozenset(
        at for at, mine in enumerate(asks) if mine - median(asks[:at] + asks[at + 1 :]) >= _ABOVE
    )
    return Verdict(odd)


def _command(window: WindowReading) -> float:
    """The share of a window's reading that is a command to the agent."""
    return sum(share for kind, share in window.kinds if kind in COMMAND_KINDS)


def _words(answer: str) -> frozenset[str]:
    """The words of an answer that say something."""
    return frozenset(_WORD.findall(fold(answer))) - claims.words().fillers


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity; two empty answers both ask for nothing."""
    if not one and not other:
        return 1.0
    return len(one & other) / len(one | other)
