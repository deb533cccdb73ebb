"""What the scores give on families left out of training: shares of windows that reach a level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from models.training.balance import family
from models.training.calibrate import BENIGN, MALICIOUS, Unseen

LEVELS: Final = (0.50, 0.60, 0.75, 0.85, 0.95)


def probabilities(unseen: Unseen, calibration: Mapping[str, Any]) -> np.ndarray:
    """The attack probability of every row, all stages asked: shape (n,)."""
    scales = list(calibration.values())
    standard = [
        (output[:, MALICIOUS] - output[:, BENIGN] - scale["mean"]) / scale["deviation"]
        for output, scale in zip(unseen.outputs, scales, strict=True)
    ]
    log_odds = scales[-1]["slope"] * np.mean(standard, axis=0) + scales[-1]["intercept"]
    return 1 / (1 + np.exp(-log_odds))


def table(unseen: Unseen, calibration: Mapping[str, Any]) -> str:
    """A line for every left-out family, language and label; then the means of written files."""
    chances = probabilities(unseen, calibration)
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for i, row in enumerate(unseen.rows):
        groups[row.label, row.lang, family(row)].append(i)
    lines = [f"{'label lang family':44} windows  " + "  ".join(f">={n:.2f}" for n in LEVELS)]
    means: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for (label, lang, name), own in sorted(groups.items()):
        shares = [float((chances[own] >= level).mean()) for level in LEVELS]
        lines.append(_line(f"{label} {lang} {name}", len(own), shares))
        if unseen.rows[own[0]].source.startswith("written/"):
            means[label, lang].append(shares)
    lines += [
        _line(f"mean over written files: {label} {lang}", len(own), np.mean(own, axis=0).tolist())
        for (label, lang), own in sorted(means.items())
    ]
    return "\n".join(lines)


def _line(name: str, count: int, shares: list[float]) -> str:
    return f"{name:44} {count:7}  " + "  ".join(f"{share:6.1%}" for share in shares)
