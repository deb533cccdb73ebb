"""How often each row is drawn, and which rows are left out together."""

from __future__ import annotations

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
HOSTILE_WEIGHT: Final = 3
"""How much more a hostile row counts than another when folds are filled."""

LEFT_OUT: Final = frozenset(
    (
        *("deepset", "garak", "owasp_amg", "gptfuzz", "dulemon", "p3c", "xstest", "perrylink"),
        *("packages/scrapy", "packages/novel_writer"),
        *("en_terse", "en_vendor", "en_hosts_care", "en_mentions", "en_plain_c", "kinds_en_hard"),
        *("zh_terse_config", "zh_group_chat", "zh_official_documents", "zh_security_mentions"),
        *("zh_commands_plain", "kinds_zh_hard"),
    )
)
"""Families that the fine-tuned model never sees: public ones, and whole files of written texts,
so that hosts, styles and slots are unseen too."""


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


def family(row: Row) -> str:
    """What is left out together: a public family, a package, a file of written texts."""
    return row.source.removeprefix("written/") if _is_written(row) else row.fold_key


def folds(rows: Sequence[Row]) -> np.ndarray:
    """The fold in which each row is left out, whole families at a time, folds of about a size."""
    sizes: Counter[str] = Counter()
    for row in rows:
        sizes[family(row)] += HOSTILE_WEIGHT if row.label == "malicious" else 1
    load = [0] * FOLDS
    placed: dict[str, int] = {}
    for own, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        placed[own] = load.index(min(load))
        load[placed[own]] += size
    return np.array([placed[family(row)] for row in rows])


def left_out(rows: Sequence[Row]) -> np.ndarray:
    """Which rows the fine-tuned model never sees, so that scales and thresholds are honest."""
    return np.array([family(row) in LEFT_OUT for row in rows])


def _is_written(row: Row) -> bool:
    return row.source.startswith("written/")
