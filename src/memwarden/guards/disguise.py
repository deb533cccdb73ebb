"""Finds writing that a person would not see, or would see otherwise than a model reads it.

Whatever it says, a memory has no reason to be hidden. Honest uses of invisible characters (emoji
sequences, flags, Persian and Indic spelling, bidi marks in Arabic and Hebrew, a soft hyphen from
a web page) are no finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from memwarden.guards.rulepacks import packs_digest
from memwarden.model import Candidate, Evidence, Finding, Message, Need, Severity, Tier, Views
from memwarden.text import Oddity, find_oddities

_NEEDS: Final = frozenset((Need.VIEWS,))
_REFERENCES: Final = ("OWASP ASI06", "MITRE AML.T0068")
_PLACES: Final = 16
"""No more than this many places of one oddity are reported for one part."""


class _Meaning(NamedTuple):
    severity: Severity
    score: float
    reason: Message


_MEANINGS: Final = {
    "smuggled_payload": _Meaning(
        Severity.HIGH,
        0.99,
        Message(
            "Invisible characters spell a hidden text.",
            "不可见字符拼出了一段隐藏文字。",
        ),
    ),
    "tag_characters": _Meaning(
        Severity.HIGH,
        0.95,
        Message(
            "It contains invisible tag characters outside a flag emoji.",
            "它在旗帜表情之外含有不可见的标签字符。",
        ),
    ),
    "bidi_override": _Meaning(
        Severity.HIGH,
        0.95,
        Message(
            "A direction override makes it read otherwise than it is written.",
            "方向覆盖字符使显示的文字与实际内容不同。",
        ),
    ),
    "invisible_run": _Meaning(
        Severity.MEDIUM,
        0.85,
        Message(
            "It contains a run of invisible characters.",
            "它含有一连串不可见字符。",
        ),
    ),
    "invisible_in_words": _Meaning(
        Severity.MEDIUM,
        0.8,
        Message(
            "Several words are broken up by invisible characters.",
            "多个词语被不可见字符拆开。",
        ),
    ),
    "mixed_script_words": _Meaning(
        Severity.MEDIUM,
        0.8,
        Message(
            "A word mixes Latin letters with look-alikes from another script.",
            "一个单词混用了拉丁字母和其他文字的形近字母。",
        ),
    ),
    "terminal_escape": _Meaning(
        Severity.MEDIUM,
        0.8,
        Message(
            "It contains terminal control sequences that can hide or repaint text.",
            "它含有可隐藏或改写文字的终端控制序列。",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Disguise:
    """Reports hidden and disguised writing, by what the reading of the text noticed."""

    @property
    def name(self) -> str:
        return "disguise"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(map(_rule, _MEANINGS))

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: this file, and the reading of texts."""
        return f"disguise:{packs_digest('memwarden.text', 'memwarden.guards/disguise.py')}"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return _NEEDS

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        findings: list[Finding] = []
        for part in candidate.parts:
            views = evidence.views[part.path]
            if not views.oddities:
                continue
            count: dict[str, int] = {}
            for oddity in find_oddities(part.text):
                count[oddity.name] = count.get(oddity.name, 0) + 1
                if count[oddity.name] <= _PLACES:
                    findings.append(_finding(self.name, part.path, oddity, views))
        return findings


def _rule(oddity: str) -> str:
    return f"disguise.{oddity.replace('_', '-')}"


def _finding(guard: str, path: str, oddity: Oddity, views: Views) -> Finding:
    meaning = _MEANINGS[oddity.name]
    return Finding(
        guard=guard,
        rule=_rule(oddity.name),
        part=path,
        start=oddity.start,
        end=oddity.end,
        score=meaning.score,
        severity=meaning.severity,
        reason=meaning.reason,
        segment=views.segment(oddity.start, oddity.end),
        references=_REFERENCES,
    )
