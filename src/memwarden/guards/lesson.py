"""The lesson guard: what a reviewer found hostile before is held when it comes again.

It reports the very words however they are written, and stretches whose sentence vector lies near
a lesson's. The thresholds stand on hostile texts beside harmless ones that share their words,
see docs/recall.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.model import (
    COMMAND_KINDS,
    UNSAID,
    Candidate,
    Evidence,
    Finding,
    Lesson,
    Message,
    Need,
    Severity,
    Tier,
)

_NEEDS: Final = frozenset({Need.LESSONS})
_NOTHING: Final = frozenset[Need]()
_REFERENCES: Final = ("ASI06", "AML.T0080.000")


@dataclass(frozen=True, slots=True)
class Lessons:
    """Reports stretches that are like a hostile lesson.

    ``near`` is the similarity from which a stretch is reported whatever else is thought of it;
    from ``suspected`` on it is reported if the models call it hostile with at least
    ``suspicion``. A stretch that lies at least as near to a harmless lesson is not reported.
    """

    near: float = 0.90
    suspected: float = 0.78
    suspicion: float = 0.5
    name: str = "lesson"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(("lesson.exact", "lesson.near"))

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return _NEEDS if any(part.text.strip() for part in candidate.parts) else _NOTHING

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        harmless: dict[tuple[str, int, int], float] = {}
        for lesson in evidence.lessons:
            if not lesson.hostile:
                place = _place(lesson)
                harmless[place] = max(harmless.get(place, 0.0), _nearness(lesson))
        best: dict[tuple[str, int, int], Lesson] = {}
        for lesson in sorted(evidence.lessons, key=lambda one: (_nearness(one), one.id)):
            if lesson.hostile and self._alike(lesson, harmless.get(_place(lesson), 0.0)):
                best[_place(lesson)] = lesson
        return [self._finding(lesson, tier) for lesson in best.values()]

    def _alike(self, lesson: Lesson, harmless: float) -> bool:
        if lesson.exact:
            return True
        if harmless >= lesson.similarity:
            return False
        return lesson.similarity >= self.near or (
            lesson.similarity >= self.suspected and lesson.attack >= self.suspicion
        )

    def _finding(self, lesson: Lesson, tier: Tier) -> Finding:
        severity = Severity.HIGH if lesson.exact else Severity.MEDIUM
        return Finding(
            self.name,
            "lesson.exact" if lesson.exact else "lesson.near",
            lesson.part,
            lesson.start,
            lesson.end,
            lesson.similarity,
            severity if tier <= lesson.bound else Severity.LOW,
            _reason(lesson),
            kind=lesson.kind if lesson.kind in COMMAND_KINDS else UNSAID,
            segment=(lesson.start, lesson.end),
            references=_REFERENCES,
        )


def _place(lesson: Lesson) -> tuple[str, int, int]:
    return (lesson.part, lesson.start, lesson.end)


def _nearness(lesson: Lesson) -> float:
    return 2.0 if lesson.exact else lesson.similarity


def _reason(lesson: Lesson) -> Message:
    if lesson.exact:
        return Message(
            f"these very words were found hostile before (lesson {lesson.id})",
            f"同样的文字此前已被判定为有害（教训 {lesson.id}）",
        )
    return Message(
        f"much like a text that was found hostile before (lesson {lesson.id})",
        f"与此前被判定为有害的文字高度相似（教训 {lesson.id}）",
    )
