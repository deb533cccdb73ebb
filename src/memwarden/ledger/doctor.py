"""What to do about envelopes that have no receipt: pure, given what the store says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from memwarden.ledger.records import Fate, Leaf, Outcome, Outcomes
from memwarden.model import Message


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An envelope whose receipt never came."""

    tenant: str
    seq: int
    store: str
    operation: str
    age_seconds: float
    leaves: tuple[Leaf, ...]


class Presence(StrEnum):
    """What a store says about one decided write. ``UNREACHABLE`` where it cannot be asked."""

    STORED = "stored"
    ABSENT = "absent"
    UNREACHABLE = "unreachable"


class Case(StrEnum):
    """What an unfinished envelope turned out to be."""

    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    NEVER_HAPPENED = "never_happened"
    PARTIAL = "partial"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A case, the receipt that would close it (None: nothing to do yet), and the words for it."""

    envelope: Unfinished
    case: Case
    repair: Outcomes | None
    words: Message


Ask = Callable[[str, Leaf], Presence]
"""Whether the store of this name holds what the leaf decided."""


def diagnose(
    envelopes: Iterable[Unfinished], ask: Ask, *, patience: float = 60.0
) -> tuple[Diagnosis, ...]:
    """A diagnosis for each envelope.

    One younger than ``patience`` seconds may still be under way in another process and is let be.
    A write that the store does not hold is recorded as abandoned, not repeated: the caller was
    never told that it succeeded, and will write again.
    """
    return tuple(_one(envelope, ask, patience) for envelope in envelopes)


def _one(envelope: Unfinished, ask: Ask, patience: float) -> Diagnosis:
    if envelope.age_seconds < patience:
        return Diagnosis(envelope, Case.IN_PROGRESS, None, _words(envelope, Case.IN_PROGRESS, 0))
    said = {
        position: ask(envelope.store, leaf)
        for position, leaf in enumerate(envelope.leaves)
        if leaf.action.stores
    }
    if Presence.UNREACHABLE in said.values():
        return Diagnosis(envelope, Case.UNKNOWN, None, _words(envelope, Case.UNKNOWN, 0))
    stored = sum(presence is Presence.STORED for presence in said.values())
    case = _case(stored, len(said))
    return Diagnosis(envelope, case, _repair(envelope, said), _words(envelope, case, stored))


def _case(stored: int, asked: int) -> Case:
    if stored == asked:
        return Case.COMPLETE
    return Case.PARTIAL if stored else Case.NEVER_HAPPENED


def _repair(envelope: Unfinished, said: dict[int, Presence]) -> Outcomes:
    outcomes = tuple(
        Outcome(position, Fate.STORED, envelope.leaves[position].memory)
        if presence is Presence.STORED
        else Outcome(position, Fate.ABANDONED)
        for position, presence in said.items()
    )
    return Outcomes(envelope.seq, outcomes, by="doctor")


def _words(envelope: Unfinished, case: Case, stored: int) -> Message:
    total = sum(leaf.action.stores for leaf in envelope.leaves)
    where_en = f"Envelope {envelope.seq} of {envelope.tenant} ({envelope.store})"
    where_zh = f"{envelope.tenant} 的第 {envelope.seq} 号信封（{envelope.store}）"
    en, zh = {
        Case.IN_PROGRESS: ("is still young and may be under way.", "刚刚开始，可能仍在进行。"),
        Case.COMPLETE: (
            f"reached the store ({total} of {total}) but its receipt was lost.",
            f"已写入存储（{total}/{total}），只是回执丢失。",
        ),
        Case.NEVER_HAPPENED: (
            "never reached the store; it is recorded as abandoned.",
            "从未写入存储，记为放弃。",
        ),
        Case.PARTIAL: (
            f"reached the store in part: {stored} of {total}; the rest is abandoned.",
            f"只有一部分写入存储：{stored}/{total}，其余记为放弃。",
        ),
        Case.UNKNOWN: (
            "cannot be judged: its store cannot be asked from here. Run doctor where it can.",
            "无法判断：此处无法访问该存储，请在能访问它的地方运行 doctor。",
        ),
    }[case]
    return Message(en=f"{where_en} {en}", zh=f"{where_zh}{zh}")
