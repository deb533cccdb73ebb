"""Text that the models cannot judge: another language, noise, strings found by a search.

What the models were not taught they answer all the same. A sentence in another language, letters
without words, an optimized suffix or a planted rare token may mean nothing, or may mean something
to the model that reads it later; neither is a memory that a stranger may leave. Names, code,
numbers, addresses, digests, tables and logs are none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.guards.legible import characters, letters, suffix, tongues
from memwarden.guards.legible.trace import Trace, encodable
from memwarden.guards.legible.words import language_names
from memwarden.guards.rulepacks import packs_digest
from memwarden.model import (
    Candidate,
    Evidence,
    Finding,
    Message,
    Need,
    Part,
    PartRole,
    Severity,
    Span,
    Tier,
    View,
    Views,
)
from memwarden.text import cleaned, fold

_NEEDS: Final = frozenset((Need.VIEWS,))
_REFERENCES: Final = ("OWASP ASI06", "MITRE AML.T0043")
_DECIDING: Final = (
    "memwarden.guards.legible",
    "memwarden.text",
    "memwarden.guards/illegible.py",
)
_PLACES: Final = 8
"""No more than this many places are reported for one part and rule."""

_IN: Final = Message(
    "written in {name}, which the models cannot judge", "内容使用了{name}，模型无法判断"
)
_REASONS: Final[Mapping[str, Message]] = {
    suffix.STRONG: Message(
        "words and signs without a grammar, such as a search for an attack puts together",
        "词语和符号毫无语法，像是自动搜索拼出来的攻击字符串",
    ),
    suffix.WEAK: Message(
        "much like a string that a search for an attack has put together",
        "疑似自动搜索拼出来的攻击字符串",
    ),
    letters.NOISE: Message("letters that make no words", "一串不成词的字母"),
    letters.TRIGGER: Message(
        "rare tokens in a row, as they are planted to trigger something",
        "连续出现的罕见字符组，可能是埋设的触发词",
    ),
    letters.RUN: Message(
        "a long run of letters and digits that stands for nothing known",
        "一长串含义不明的字母和数字",
    ),
    characters.RULE: Message("Chinese characters that make no words", "一串不成词的汉字"),
}
_DECODED_ASIDE: Final = frozenset(
    ("original", "folded", "skeleton", "leet", "joined", "rot13", "reversed")
)
"""Readings in which an encoded run still stands, letter for letter."""


@dataclass(frozen=True, slots=True)
class Illegible:
    """Reports what the models cannot judge.

    Below the tier ``trusted`` every finding is of medium severity. From trusted origins only an
    evident optimized string is; the rest is noted as low, for people do write in other languages
    and strike keys. ``accept`` names languages and scripts that are not reported (``German``,
    ``Japanese``, ``Cyrillic letters``): nobody then says what stands in them.
    """

    accept: tuple[str, ...] = ()
    name: str = "illegible"

    def __post_init__(self) -> None:
        unknown = sorted(set(self.accept) - set(language_names()))
        if unknown:
            known = ", ".join(sorted(language_names()))
            raise ValueError(f"no language {', '.join(unknown)} is told apart; one of: {known}")

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(f"{self.name}.{rule}" for rule in (*_REASONS, tongues.RULE))

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: word lists, this code, the reading of texts."""
        return f"illegible:{packs_digest(*_DECIDING)}"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return _NEEDS if any(map(_is_text, candidate.parts)) else frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        findings: list[Finding] = []
        for part in filter(_is_text, candidate.parts):
            views = evidence.views[part.path]
            count: dict[str, int] = {}
            for trace, span in self._traces(views):
                count[trace.rule] = count.get(trace.rule, 0) + 1
                if count[trace.rule] <= _PLACES:
                    findings.append(self._finding(part.path, trace, span, views, tier))
        return findings

    def _traces(self, views: Views) -> Iterator[tuple[Trace, Span]]:
        """What was found in the reading that shows it, with its place in the original."""
        clean = cleaned(views)
        text = encodable(clean.text)
        for trace in (*tongues.find(text), *letters.find(text), *suffix.find(text)):
            if trace.about not in self.accept:
                yield trace, clean.span(trace.start, trace.end)
        for trace in letters.find_runs(text):
            if not _was_decoded(text[trace.start : trace.end], views):
                yield trace, clean.span(trace.start, trace.end)
        folded = views.readings[1]
        for trace in characters.find(encodable(folded.text)):
            yield trace, folded.span(trace.start, trace.end)

    def _finding(self, path: str, trace: Trace, span: Span, views: Views, tier: Tier) -> Finding:
        grave = tier < Tier.TRUSTED or trace.rule == suffix.STRONG
        return Finding(
            guard=self.name,
            rule=f"{self.name}.{trace.rule}",
            part=path,
            start=span[0],
            end=span[1],
            score=trace.score,
            severity=Severity.MEDIUM if grave else Severity.LOW,
            reason=_reason(trace),
            segment=views.segment(*span),
            references=_REFERENCES,
        )


def _is_text(part: Part) -> bool:
    return part.role is PartRole.TEXT and bool(part.text.strip())


def _reason(trace: Trace) -> Message:
    if trace.rule != tongues.RULE:
        return _REASONS[trace.rule]
    name = language_names()[trace.about]
    return Message(_IN.en.format(name=name.en), _IN.zh.format(name=name.zh))


def _was_decoded(run: str, views: Views) -> bool:
    """Whether a reading exists in which the run was replaced by what it means."""
    written = fold(run)
    return any(_is_decoded(view) and written not in view.text for view in views.readings)


def _is_decoded(view: View) -> bool:
    return view.layer.rpartition(">")[2] not in _DECODED_ASIDE
