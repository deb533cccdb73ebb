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
    KINDS,
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

UNCLEAR: Final = "unclear"
_ORIGINAL: Final = "original"
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
    procedure is unclear unless its attack probability stays below ``calm``. A kind of the
    tenant's own names a window from the probability ``own`` on, whoever writes.
    """

    clear: float = 0.02
    world: float = 0.15
    calm: float = 0.25
    own: float = 0.5
    name: str = "whitelist"

    @property
    def rule_ids(self) -> frozenset[str]:
        """Those of the built-in kinds; a policy adds those of its own kinds."""
        harmless = (kind for kind in KINDS if kind not in COMMAND_KINDS)
        return frozenset(f"{self.name}.{kind}" for kind in (*harmless, UNCLEAR))

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset({Need.ENCODING}) if _texts(candidate) else frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        windows = [(path, one) for path in _texts(candidate) for one in evidence.encoding[path]]
        claims = [
            self._claim(path, window, tier) for path, window in windows if window.layer == _ORIGINAL
        ]
        named = [finding for finding in claims if finding.kind != OTHER]
        hidden = [
            self._names(path, window, *own)
            for path, window in windows
            if window.layer != _ORIGINAL and (own := self._own_kind(window))
        ]
        return [*(named or claims), *hidden]

    def _claim(self, path: str, window: WindowReading, tier: Tier) -> Finding:
        own = self._own_kind(window)
        if own:
            return self._names(path, window, *own)
        harmless = [(kind, p) for kind, p in window.kinds if kind not in COMMAND_KINDS]
        if sum(p for _, p in harmless) < self.clear:
            return self._unclear(path, window)
        kind, probability = max(harmless, key=_likeliest)
        if tier is Tier.UNTRUSTED:
            kind, probability = self._from_outside(harmless, window.attack)
            if kind == OTHER and window.attack >= self.calm:
                return self._unclear(path, window)
        return self._names(path, window, kind, probability)

    def _own_kind(self, window: WindowReading) -> tuple[Kind, float] | None:
        """The tenant's own kind that claims a window. It may be one that the tenant forbids, so
        it is asked of what was hidden in a text too."""
        claims = [(kind, p) for kind, p in window.kinds if kind not in KINDS and p >= self.own]
        return max(claims, key=_likeliest, default=None)

    def _names(self, path: str, window: WindowReading, kind: Kind, probability: float) -> Finding:
        return Finding(
            self.name,
            f"{self.name}.{kind}",
            path,
            window.start,
            window.end,
            min(1.0, probability),
            Severity.INFO,
            Message(_KIND_IS.en.format(kind=kind), _KIND_IS.zh.format(kind=kind)),
            kind=kind,
            layer=window.layer,
        )

    def _unclear(self, path: str, window: WindowReading) -> Finding:
        return Finding(
            self.name,
            f"{self.name}.{UNCLEAR}",
            path,
            window.start,
            window.end,
            1.0,
            Severity.MEDIUM,
            _UNCLEAR,
            segment=(window.start, window.end),
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
