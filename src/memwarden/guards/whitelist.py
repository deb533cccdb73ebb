"""The semantic whitelist: a text is a memory only if every window of it clearly is one.

The guard names the kind of each window; the kind x tier matrix of the policy says which kinds
this origin may write. A window that no allowed kind claims with enough probability is reported
as unclear, and so held: poison comes in any wording, an ordinary memory does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.model import (
    COMMAND_KINDS,
    EVENT,
    FACT,
    OTHER,
    PRODUCT,
    TERM,
    Candidate,
    Evidence,
    Finding,
    Kind,
    Message,
    Need,
    PartRole,
    Severity,
    Tier,
    WindowReading,
)

_KIND_IS: Final = Message("this reads as {kind}", "这段文本属于：{kind}")
_UNCLEAR: Final = Message(
    "no allowed kind of memory fits this text clearly enough",
    "没有任何允许的记忆类型与这段文本足够吻合",
)
_IMPERSONAL: Final = frozenset((FACT, PRODUCT, TERM, EVENT))
"""What the world is like. Everything else says what somebody is, wants, or is to do."""


@dataclass(frozen=True, slots=True)
class Whitelist:
    """Names the kind of a text window by window.

    ``clear`` is the least calibrated probability that all kinds which are no commands must have
    together; below it a window is unclear, whoever writes. ``world`` is the least that facts,
    products, terms and events must have together for an untrusted text to be named one of them;
    below it the text is named by its likeliest harmless kind, which policy may hold.
    """

    clear: float = 0.05
    world: float = 0.25
    name: str = "whitelist"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset({Need.ENCODING}) if _texts(candidate) else frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        claims = [
            self._claim(path, window, tier)
            for path in _texts(candidate)
            for window in evidence.encoding[path]
            if window.layer == "original"
        ]
        named = [finding for finding in claims if finding.kind != OTHER]
        return named or claims

    def _claim(self, path: str, window: WindowReading, tier: Tier) -> Finding:
        harmless = [(kind, p) for kind, p in window.kinds if kind not in COMMAND_KINDS]
        if sum(p for _, p in harmless) < self.clear:
            return _finding(self.name, "whitelist.unclear", path, window, Severity.MEDIUM, _UNCLEAR)
        kind, probability = max(
            self._claimable(harmless, tier), key=lambda pair: (pair[1], pair[0])
        )
        reason = Message(_KIND_IS.en.format(kind=kind), _KIND_IS.zh.format(kind=kind))
        return Finding(
            self.name,
            f"whitelist.{kind}",
            path,
            window.start,
            window.end,
            min(1.0, probability),
            Severity.INFO,
            reason,
            kind=kind,
        )

    def _claimable(
        self, harmless: Sequence[tuple[Kind, float]], tier: Tier
    ) -> Sequence[tuple[Kind, float]]:
        """The kinds that may name a window: an untrusted page speaks of the world if it can."""
        if tier > Tier.UNTRUSTED:
            return harmless
        world = [(kind, p) for kind, p in harmless if kind in _IMPERSONAL]
        return world if sum(p for _, p in world) >= self.world else harmless


def _texts(candidate: Candidate) -> list[str]:
    return [
        part.path for part in candidate.parts if part.role is PartRole.TEXT and part.text.strip()
    ]


def _finding(
    guard: str, rule: str, path: str, window: WindowReading, severity: Severity, reason: Message
) -> Finding:
    return Finding(
        guard,
        rule,
        path,
        window.start,
        window.end,
        1.0,
        severity,
        reason,
        segment=(window.start, window.end),
    )
