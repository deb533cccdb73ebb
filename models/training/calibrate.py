"""Scales and thresholds from rows whose source the model never saw.

Every number here comes from left-out folds of the training corpus: public families as a whole,
written pairs as a whole. Dev and test play no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memwarden.model import KINDS
from models.corpus.rows import CLASSES, Row
from models.training.balance import weights

BENIGN: Final = CLASSES.index("benign")
MALICIOUS: Final = CLASSES.index("malicious")

ALARMS: Final = {
    "authoritative": {"plain": 0.0015, "hard": 0.01, "request": 0.01},
    "trusted": {"plain": 0.003, "hard": 0.02, "request": 0.03},
    "derived": {"plain": 0.01, "hard": 0.04, "request": 0.05},
    "untrusted": {"plain": 0.02, "hard": 0.08, "request": 0.10},
}
"""Most false alarms a tier accepts among unseen windows: plain memories; hard ones that share
their words with attacks; requests. The strictest of the three sets the threshold."""

KINDS_RIGHT: Final = 0.8
"""Share of kinds that must be right among the windows that the first model clears."""

LEAST_SHARE: Final = 0.2
"""Least weight of a stage in the mean: two views of a text err less together than one."""

LOST_BY_CLEARING: Final = 0.01
"""Share of the attacks that both models together find likelier hostile than not, and that the
first alone may clear; few of them reach a threshold."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Rows with what each stage said of them, in the order of the stages."""

    rows: tuple[Row, ...]
    outputs: tuple[np.ndarray, ...]


def calibrated(unseen: Unseen, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The ``calibration`` and ``thresholds`` entries of the manifest."""
    hostile, judged, weight = _judged(unseen.rows)
    raw = [output[:, MALICIOUS] - output[:, BENIGN] for output in unseen.outputs]
    scales, standard = [], []
    for own in raw:
        mean = float(np.average(own[judged], weights=weight[judged]))
        spread = float(np.sqrt(np.average((own[judged] - mean) ** 2, weights=weight[judged])))
        scales.append({"mean": mean, "deviation": spread})
        standard.append((own - mean) / spread)
    shares = _shares(np.stack(standard, axis=1)[judged], hostile[judged], weight[judged])
    for i, share in enumerate(shares):
        scales[i]["deviation"] /= share * len(names)
        standard[i] = standard[i] * share * len(names)
    curves = []
    for i in range(len(names)):
        fused = np.mean(standard[: i + 1], axis=0)
        slope, intercept = _logistic_fit(fused[judged], hostile[judged], weight[judged])
        curves.append((fused, slope, intercept))
    fused, slope, intercept = curves[-1]
    cuts = {tier: _cut(unseen.rows, fused, rates) for tier, rates in ALARMS.items()}
    stages = {}
    for i, name in enumerate(names):
        stages[name] = {
            **scales[i],
            "slope": curves[i][1],
            "intercept": curves[i][2],
            "kind_temperature": _temperature(unseen.rows, unseen.outputs[i]),
        }
        if i < len(names) - 1:
            caught = hostile & (slope * fused + intercept >= 0)
            stages[name]["cleared_below"] = float(
                _quantile(curves[i][0][caught], weight[caught], LOST_BY_CLEARING)
            )
            stages[name]["cleared_sure"] = _sure(unseen.rows, unseen.outputs[i])
    thresholds = {tier: _probability(slope * cut + intercept) for tier, cut in cuts.items()}
    return {"calibration": stages, "thresholds": thresholds}


def _judged(rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which rows are hostile, which decide, and how much each weighs (both sides even)."""
    hostile = np.array([row.label == "malicious" for row in rows])
    judged = hostile | np.array([row.label == "benign" for row in rows])
    weight = weights(rows)
    for side in (hostile, judged & ~hostile):
        weight[side] /= weight[side].sum()
    return hostile, judged, weight


def _shares(standard: np.ndarray, hostile: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """How much each stage says in the mean, summing to one; none less than LEAST_SHARE."""
    slopes = np.maximum(_newton(standard, hostile, weight)[:-1], 1e-6)
    shares = np.maximum(slopes / slopes.sum(), LEAST_SHARE)
    return shares / shares.sum()


def _logistic_fit(
    scores: np.ndarray, hostile: np.ndarray, weight: np.ndarray
) -> tuple[float, float]:
    """Slope and intercept of the log-odds."""
    slope, intercept = _newton(scores[:, None], hostile, weight)
    return float(slope), float(intercept)


def _newton(scores: np.ndarray, hostile: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method: a slope for each column, then the intercept."""
    design = np.column_stack([scores, np.ones(len(scores))])
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        odds = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (weight * (odds - hostile))
        curvature = (design.T * (weight * odds * (1 - odds))) @ design
        beta -= np.linalg.solve(curvature + 1e-9 * np.eye(len(beta)), gradient)
    return beta


def group(row: Row) -> str:
    """Plain memories, hard ones (the harmless side of attacks, security texts), or requests."""
    if row.kinds == ("other",):
        return "request"
    written = row.source.startswith("written/") and "kinds_" not in row.source
    return "hard" if written or row.source.startswith(("p3c", "tldr", "packages/")) else "plain"


def _cut(rows: Sequence[Row], fused: np.ndarray, rates: Mapping[str, float]) -> float:
    """The lowest score at which no group of harmless windows alarms more than it may.

    Languages weigh the same, and so do sources inside a language and group.
    """
    cuts = []
    for name, rate in rates.items():
        chosen = [i for i, row in enumerate(rows) if row.label == "benign" and group(row) == name]
        sizes: dict[tuple[str, str], int] = defaultdict(int)
        for i in chosen:
            sizes[rows[i].lang, rows[i].source] += 1
        weight = np.array([sizes[rows[i].lang, rows[i].source] ** -0.5 for i in chosen])
        langs = np.array([rows[i].lang for i in chosen])
        for lang in set(langs):
            weight[langs == lang] /= weight[langs == lang].sum()
        cuts.append(_quantile(fused[chosen], weight, 1 - rate))
    return max(cuts)


def _quantile(values: np.ndarray, weight: np.ndarray, share: float) -> float:
    order = np.argsort(values)
    below = np.cumsum(weight[order]) / weight.sum()
    return float(values[order][min(np.searchsorted(below, share), len(values) - 1)])


def _temperature(rows: Sequence[Row], outputs: np.ndarray) -> float:
    """The temperature at which the kinds of unseen rows are likeliest."""
    logits, truth = _known_kinds(rows, outputs)

    def surprise(temperature: float) -> float:
        likely = _log_softmax(logits / temperature)
        return float(-likely[np.arange(len(truth)), truth].mean())

    return float(min(np.arange(0.5, 4.0, 0.05), key=surprise))


def _sure(rows: Sequence[Row], outputs: np.ndarray) -> float:
    """The probability from which the likeliest kind is right often enough."""
    logits, truth = _known_kinds(rows, outputs)
    likely = np.exp(_log_softmax(logits / _temperature(rows, outputs)))
    right, top = likely.argmax(axis=1) == truth, likely.max(axis=1)
    for level in np.arange(0.3, 1.0, 0.02):
        if right[top >= level].mean() >= KINDS_RIGHT:
            return float(level)
    return 1.0


def _known_kinds(rows: Sequence[Row], outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    known = [i for i, row in enumerate(rows) if len(row.kinds) == 1]
    truth = np.array([KINDS.index(rows[i].kinds[0]) for i in known])
    return outputs[known, len(CLASSES) :], truth


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
