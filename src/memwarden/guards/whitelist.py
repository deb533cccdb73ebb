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
    PROFILE,
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
    together; below it a window is unclear, whoever writes. From untrusted origins more is asked:
    ``world`` is the least that facts, products, terms and events must have together for a window
    to be named one of them; a window that is none of these and neither a wish, a task nor a
    procedure is unclear unless its attack probability stays below ``calm``.
    """

    clear: float = 0.02
    world: float = 0.15
    calm: float = 0.25
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
        kind, probability = max(harmless, key=_likeliest)
        if tier is Tier.UNTRUSTED:
            kind, probability = self._from_outside(harmless, window.attack)
            if kind == OTHER and window.attack >= self.calm:
                return _finding(
                    self.name, "whitelist.unclear", path, window, Severity.MEDIUM, _UNCLEAR
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

    def _from_outside(
        self, harmless: Sequence[tuple[Kind, float]], attack: float
    ) -> tuple[Kind, float]:
        """The kind of an untrusted window: it speaks of the world wherever that is likely enough.

        What it says of somebody in a calm voice is left unnamed: a page does not know the user.
        """
        world = [(kind, p) for kind, p in harmless if kind in _IMPERSONAL]
        if sum(p for _, p in world) >= self.world and attack < max(self.calm, 0.5):
            return max(world, key=_likeliest)
        kind, probability = max(harmless, key=_likeliest)
        if kind == PROFILE and attack < self.calm:
            return OTHER, probability
        return kind, probability


def _likeliest(claim: tuple[Kind, float]) -> tuple[float, Kind]:
    return (claim[1], claim[0])


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
