"""From the raw scores of the stages to probabilities. Pure arithmetic, no arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final


@dataclass(frozen=True, slots=True)
class StageScale:
    """How the scores are read once this stage has been asked.

    ``mean`` and ``deviation`` standardise the stage's own attack score (log-odds of hostile
    against harmless). ``slope`` and ``intercept`` turn the mean of the standardised scores so
    far into log-odds that mean what they say. A window below ``cleared_below`` whose likeliest
    kind has at least the probability ``cleared_sure`` is not shown to later stages.
    """

    mean: float
    deviation: float
    slope: float
    intercept: float
    kind_temperature: float
    cleared_below: float
    cleared_sure: float = 0.0

    def standard(self, score: float) -> float:
        return (score - self.mean) / self.deviation


PLAIN: Final = StageScale(
    mean=0.0,
    deviation=1.0,
    slope=1.0,
    intercept=0.0,
    kind_temperature=1.0,
    cleared_below=float("-inf"),
)
"""Scores that are log-odds already, as a classifier's logits claim to be."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The scales of all stages, in the order in which they are asked."""

    scales: tuple[StageScale, ...]

    def score(self, raw: Sequence[float]) -> float:
        """Mean of the standardised scores of the stages asked so far."""
        standard = [scale.standard(r) for scale, r in zip(self.scales, raw, strict=False)]
        return sum(standard) / len(standard)

    def cleared(self, raw: Sequence[float], kinds: Sequence[Sequence[float]]) -> bool:
        """Whether the stages asked so far make it needless to ask another."""
        scale = self.scales[len(raw) - 1]
        if self.score(raw) >= scale.cleared_below:
            return False
        return scale.cleared_sure <= 0.0 or max(self.kinds(kinds)) >= scale.cleared_sure

    def attack(self, raw: Sequence[float]) -> float:
        """Probability that the window is hostile."""
        scale = self.scales[len(raw) - 1]
        return _logistic(scale.slope * self.score(raw) + scale.intercept)

    def kinds(self, raw: Sequence[Sequence[float]]) -> tuple[float, ...]:
        """Probabilities over kinds: the stages' log-probabilities, tempered and averaged; none
        where the stages say no kinds."""
        if not raw or not raw[0]:
            return ()
        readings = [
            _log_softmax([logit / scale.kind_temperature for logit in logits])
            for scale, logits in zip(self.scales, raw, strict=False)
        ]
        means = [sum(column) / len(readings) for column in zip(*readings, strict=True)]
        return tuple(exp(value) for value in _log_softmax(means))


def _log_softmax(values: Sequence[float]) -> list[float]:
    top = max(values)
    total = top + log(sum(exp(value - top) for value in values))
    return [value - total for value in values]


def _logistic(value: float) -> float:
    if value >= 0:
        return 1.0 / (1.0 + exp(-value))
    return exp(value) / (1.0 + exp(value))
