"""How often each row is drawn, and which rows are left out together."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np

from models.corpus.rows import Row

CLASS_SHARE: Final = {
    "benign": 0.50,
    "malicious": 0.36,
    "jailbreak": 0.05,
    "instruction": 0.05,
    "harmful": 0.04,
}
WRITTEN_WEIGHT: Final = 2.0
FOLDS: Final = 6
LEFT_OUT_FOLD: Final = 0
LEFT_OUT_FAMILIES: Final = frozenset(
    {"deepset", "garak", "owasp_amg", "gptfuzz", "dulemon", "p3c", "xstest", "perrylink"}
)


def weights(rows: Sequence[Row]) -> np.ndarray:
    """Probability of each row: classes by share, languages equal inside a class, sources by the
    square root of their wordings, wordings of a source equal however many expansions they have.
    """
    wordings: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        wordings[row.label, row.lang, row.source][row.wording] += 1
    totals: Counter[tuple[str, str]] = Counter()
    for (label, lang, source), own in wordings.items():
        totals[label, lang] += _pull(source, len(own))
    languages = Counter(label for label, _ in totals)
    drawn = [_weight(row, wordings, totals, languages) for row in rows]
    return np.array(drawn) / sum(drawn)


def _weight(
    row: Row,
    wordings: dict[tuple[str, str, str], Counter[str]],
    totals: Counter[tuple[str, str]],
    languages: Counter[str],
) -> float:
    own = wordings[row.label, row.lang, row.source]
    share = CLASS_SHARE[row.label] / languages[row.label]
    share *= _pull(row.source, len(own)) / totals[row.label, row.lang]
    return share / len(own) / own[row.wording]


def _pull(source: str, count: int) -> float:
    return sqrt(count) * (WRITTEN_WEIGHT if source.startswith("written/") else 1.0)


def folds(rows: Sequence[Row]) -> np.ndarray:
    """The fold in which each row is left out: whole public families, whole written pairs."""
    sizes = Counter(row.fold_key for row in rows if not row.fold_key.startswith("written/"))
    load = [0] * FOLDS
    placed: dict[str, int] = {}
    for family, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        placed[family] = load.index(min(load))
        load[placed[family]] += size
    return np.array([placed.get(row.fold_key, _hashed(row.fold_key)) for row in rows])


def left_out(rows: Sequence[Row]) -> np.ndarray:
    """Which rows the fine-tuned model never sees, so that scales and thresholds are honest."""
    return np.array(
        [
            _hashed(row.fold_key) == LEFT_OUT_FOLD
            if row.fold_key.startswith("written/")
            else row.fold_key in LEFT_OUT_FAMILIES
            for row in rows
        ]
    )


def _hashed(key: str) -> int:
    return hashlib.sha256(key.encode()).digest()[0] % FOLDS
