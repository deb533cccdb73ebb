"""Today's policy and lessons over yesterday's memories, each text once per revision of both."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.errors import LimitExceeded, UsageError
from memwarden.model import (
    Action,
    Candidate,
    Memory,
    Policy,
    Sensitivity,
    Slot,
    Tier,
)
from memwarden.warden.judge import Judged, Presented
from memwarden.warden.recall.digests import parts_digest

JudgeAll = Callable[[Sequence[Presented], Policy], list[Judged]]
_REMEMBERED: Final = 65_536

Key = tuple[str, str, int, Tier, str, bytes]
"""Tenant, revisions of policy and lessons, tier, source, digest of the text."""


@dataclass(frozen=True, slots=True)
class Today:
    """What today's policy says of a stored text.

    ``stores`` is whether it would still be written, ``suspect`` whether what speaks against it
    is worth a reviewer's time. ``slots`` are what would be redacted today.
    """

    stores: bool
    suspect: bool
    sensitivity: Sensitivity
    slots: tuple[Slot, ...] = ()


_UNREADABLE: Final = Today(stores=False, suspect=False, sensitivity=Sensitivity.RESTRICTED)
"""What cannot even be presented, being beyond every limit, is not given out."""

_WORDLESS: Final = Today(stores=True, suspect=False, sensitivity=Sensitivity.PUBLIC)
"""A record without a word in it (hosts keep such) has nothing to be judged by."""


class Rejudging:
    """Judges stored texts with today's policy. Safe to use from any thread."""

    def __init__(self, judge: JudgeAll) -> None:
        self._judge = judge
        self._lock = threading.Lock()
        self._known: OrderedDict[Key, Today] = OrderedDict()

    def today(self, memories: Sequence[Memory], policy: Policy, lessons: int = 0) -> list[Today]:
        """What today's policy says of each memory, by position. ``lessons`` is the revision of
        what the tenant's verdicts taught."""
        now = (policy.tenant, policy.revision, lessons)
        keys = [(*now, m.tier, m.origin.source, parts_digest(m.parts)) for m in memories]
        known = self._known
        answers = [known.get(key) for key in keys]
        unknown = [at for at, answer in enumerate(answers) if answer is None]
        if unknown:
            judged = self._judged([memories[at] for at in unknown], policy)
            for at, said in zip(unknown, judged, strict=True):
                answers[at] = said
                self._remember(keys[at], said)
        return [_UNREADABLE if answer is None else answer for answer in answers]

    def judged(self, memory: Memory, policy: Policy) -> Judged:
        """The whole ruling on one memory, for the record."""
        (judged,) = self._judge([presented(memory)], policy)
        return judged

    def _judged(self, memories: Sequence[Memory], policy: Policy) -> list[Today]:
        worded = [one for one in memories if any(part.text.strip() for part in one.parts)]
        if len(worded) < len(memories):
            said = dict(zip(map(id, worded), self._judged(worded, policy), strict=True))
            return [said.get(id(one), _WORDLESS) for one in memories]
        try:
            judged = self._judge([presented(memory) for memory in memories], policy)
        except (LimitExceeded, UsageError):
            if len(memories) == 1:
                return [_UNREADABLE]
            # One of them cannot be presented; the others must not suffer for it.
            return [said for memory in memories for said in self._judged([memory], policy)]
        return [_today(one) for one in judged]

    def _remember(self, key: Key, said: Today) -> None:
        with self._lock:
            self._known[key] = said
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def presented(memory: Memory) -> Presented:
    """A stored memory as a candidate, at the tier that it was stored with."""
    return Presented(Candidate(memory.parts, origin=memory.origin), memory.tier)


def _today(judged: Judged) -> Today:
    ruling = judged.ruling
    suspect = ruling.action.blocks or bool(ruling.cuts)
    return Today(
        stores=ruling.action.stores and not ruling.cuts,
        suspect=suspect,
        sensitivity=ruling.sensitivity,
        slots=ruling.slots if ruling.action is Action.REDACT and not suspect else (),
    )
