"""What a recall lets through: today's policy applied to what was stored some time ago."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from memwarden.model import Candidate, Memory, Part, Policy, Sensitivity, Tier
from memwarden.warden.judge import Judged, Presented


class Withheld(StrEnum):
    """Why a stored memory is not given out."""

    EXPIRED = "expired"
    TOO_SENSITIVE = "too sensitive"
    BELOW_FLOOR = "below the tier floor"
    NO_LONGER_ALLOWED = "no longer allowed by policy"


@dataclass(frozen=True, slots=True)
class Admission:
    """A memory, and the reason it is withheld; None where it may be given out."""

    memory: Memory
    withheld: Withheld | None


def window(memory: Memory, policy: Policy, ceiling: Sensitivity, now: datetime) -> Withheld | None:
    """Whether tier, sensitivity and validity let a memory out. Pure."""
    if memory.valid_until is not None and now >= memory.valid_until:
        return Withheld.EXPIRED
    if memory.sensitivity > min(ceiling, policy.read.ceiling):
        return Withheld.TOO_SENSITIVE
    if memory.tier < policy.read.tier_floor:
        return Withheld.BELOW_FLOOR
    return None


JudgeAll = Callable[[Sequence[Presented], Policy], list[Judged]]
_REMEMBERED: Final = 65_536


class Rejudging:
    """Judges stored texts with today's policy, each text once per policy revision."""

    def __init__(self, judge: JudgeAll) -> None:
        self._judge = judge
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, Tier, bytes], bool] = OrderedDict()

    def allowed(self, memories: Sequence[Memory], policy: Policy) -> list[bool]:
        """Whether today's policy would still write each memory, by position."""
        keys = [(policy.revision, m.tier, _digest(m.parts)) for m in memories]
        with self._lock:
            answers = [self._known.get(key) for key in keys]
        unknown = [at for at, answer in enumerate(answers) if answer is None]
        if unknown:
            presented = [
                Presented(
                    Candidate(memories[at].parts, origin=memories[at].origin), memories[at].tier
                )
                for at in unknown
            ]
            for at, judged in zip(unknown, self._judge(presented, policy), strict=True):
                answers[at] = not (judged.ruling.action.blocks or judged.ruling.cuts)
                self._remember(keys[at], answers[at] is True)
        return [answer is True for answer in answers]

    def _remember(self, key: tuple[str, Tier, bytes], allowed: bool) -> None:
        with self._lock:
            self._known[key] = allowed
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def _digest(parts: Sequence[Part]) -> bytes:
    """A digest for this process's memory only; lengths keep the pieces apart."""
    hasher = hashlib.blake2b(digest_size=20)
    for part in parts:
        for piece in (part.path, part.role.value, part.text):
            raw = piece.encode("utf-8", "surrogatepass")
            hasher.update(len(raw).to_bytes(8, "big"))
            hasher.update(raw)
    return hasher.digest()
