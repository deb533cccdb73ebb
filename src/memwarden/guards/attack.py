"""The attack guard: a trained score for each window, for poison in wordings no rule knows.

What it adds to the sanitizer is reach, not certainty: the score is a calibrated probability,
and the threshold depends on who writes. The reviewer sees the sentence, the kind of command it
was taken for, and the known attack most like it: a written example of ours, never a stored text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.model import (
    BEHAVIOUR_CHANGE,
    COMMAND_KINDS,
    EXFILTRATION,
    PERMISSION_CHANGE,
    PRICE_CHANGE,
    SAFETY_BYPASS,
    TOOL_DIRECTIVE,
    TRUST_CLAIM,
    Candidate,
    Evidence,
    Finding,
    Kind,
    KnownExample,
    Message,
    Need,
    Severity,
    Tier,
    WindowReading,
)

_SAYS: Final[Mapping[Kind, Message]] = {
    BEHAVIOUR_CHANGE: Message("tells the agent to behave differently", "要求智能体改变行为方式"),
    PRICE_CHANGE: Message("tells the agent to change a price or payment", "要求更改价格或付款"),
    PERMISSION_CHANGE: Message("gives somebody rights they may not have", "授予不应有的权限"),
    EXFILTRATION: Message("tells the agent to send data out", "要求向外发送数据"),
    TRUST_CLAIM: Message("asks to be trusted or preferred", "要求被信任或优先推荐"),
    TOOL_DIRECTIVE: Message("tells the agent which tool to run", "指示智能体调用工具"),
    SAFETY_BYPASS: Message("drops a check or hides something", "绕过检查或隐瞒信息"),
}
_CALLED: Final[Mapping[Kind, Message]] = {
    BEHAVIOUR_CHANGE: Message("a change of behaviour", "改变行为"),
    PRICE_CHANGE: Message("a change of prices or payments", "篡改价格或付款"),
    PERMISSION_CHANGE: Message("a grant of rights", "授予权限"),
    EXFILTRATION: Message("data sent out", "数据外传"),
    TRUST_CLAIM: Message("a claim of trust", "骗取信任"),
    TOOL_DIRECTIVE: Message("an order to run a tool", "指挥工具"),
    SAFETY_BYPASS: Message("a dropped check", "绕过检查"),
}
_REFERENCES: Final = ("ASI06", "AML.T0080.000")


@dataclass(frozen=True, slots=True)
class Attack:
    """Reports windows that read as a command or poison.

    ``trusted``, ``derived`` and ``untrusted`` are thresholds on the calibrated probability, by who
    writes (from trusted upwards, an agent's own conclusion, anyone else). ``certain`` is where a
    finding becomes high severity. The defaults stand on windows of sources left out of training,
    see the model card.
    """

    trusted: float = 0.85
    derived: float = 0.75
    untrusted: float = 0.60
    certain: float = 0.97
    name: str = "attack"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(f"{self.name}.{kind}" for kind in _SAYS)

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        has_text = any(part.text.strip() for part in candidate.parts)
        return frozenset({Need.ENCODING}) if has_text else frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        threshold = self._threshold(tier)
        return [
            self._finding(part.path, window)
            for part in candidate.parts
            if part.text.strip()
            for window in evidence.encoding[part.path]
            if window.attack >= threshold
        ]

    def _threshold(self, tier: Tier) -> float:
        if tier >= Tier.TRUSTED:
            return self.trusted
        return self.derived if tier is Tier.DERIVED else self.untrusted

    def _finding(self, path: str, window: WindowReading) -> Finding:
        kind = _command(window)
        return Finding(
            self.name,
            f"{self.name}.{kind}",
            path,
            window.start,
            window.end,
            min(1.0, window.attack),
            Severity.HIGH if window.attack >= self.certain else Severity.MEDIUM,
            _reason(kind, window.nearest),
            kind=kind,
            segment=(window.start, window.end),
            references=_REFERENCES,
            layer=window.layer,
        )


def _reason(kind: Kind, nearest: Sequence[KnownExample]) -> Message:
    """What it is taken for, and the nearest known attack, written in the reason's language if
    one is near in that."""
    says = _SAYS[kind]
    if not nearest:
        return says
    english, chinese = (
        next((one for one in nearest if one.lang == lang), nearest[0]) for lang in ("en", "zh")
    )
    return Message(
        f"{says.en}; nearest known attack, {_CALLED[english.kind].en}: “{english.text}”",
        f"{says.zh}；最接近的已知攻击（{_CALLED[chinese.kind].zh}）：“{chinese.text}”",
    )


def _command(window: WindowReading) -> Kind:
    """The likeliest command kind; behaviour change where the model names none."""
    commands = [(kind, p) for kind, p in window.kinds if kind in COMMAND_KINDS]
    if not commands:
        return BEHAVIOUR_CHANGE
    return max(commands, key=lambda pair: (pair[1], pair[0]))[0]
