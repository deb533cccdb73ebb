"""Heads on frozen sentence vectors: one per left-out fold, which shows what unseen sources get,
and one on everything, which ships.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from models.corpus.rows import Row
from models.training import use
from models.training.balance import FOLDS, folds, weights
from models.training.head import train_head
from models.training.losses import OUTPUTS, attack, targets
from models.training.noise import varied
from models.training.seeds import SEED, draw_for

SURE: Final = 1.0
"""Log-odds above which a window of a hostile text counts as hostile beside its top window."""


def encode_rows(rows: Sequence[Row], folder: Path) -> np.ndarray:
    """Vectors of the rows as they are, then of the same rows varied: shape (2 n, 512)."""
    neighbours = {
        lang: [row for row in rows if row.lang == lang and row.label == "benign"]
        for lang in ("en", "zh")
    }
    changed = [varied(row, neighbours, draw_for("vary", row.wording)) for row in rows]
    return use.vectors(folder, [row.text for row in (*rows, *changed)])


def out_of_fold(rows: Sequence[Row], vectors: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Outputs for every row by a head that never saw its source: shape (n, outputs)."""
    left_out = folds(rows)
    result = np.zeros((len(rows), OUTPUTS), dtype=np.float32)
    for fold in range(FOLDS):
        head = fit(rows, vectors, kept & (left_out != fold), SEED + fold)
        mine = np.flatnonzero(left_out == fold)
        with torch.no_grad():
            result[mine] = head(torch.from_numpy(vectors[mine])).numpy()
    return result


def fit(
    rows: Sequence[Row], vectors: np.ndarray, kept: np.ndarray, seed: int
) -> torch.nn.Sequential:
    """A head trained on the kept rows, each as it is and varied."""
    chosen = np.flatnonzero(kept)
    mine = [rows[i] for i in chosen]
    weight = weights(mine)
    classes, kinds = targets(mine)
    both = np.concatenate([vectors[chosen], vectors[chosen + len(rows)]])
    return train_head(
        torch.from_numpy(both),
        torch.cat([classes, classes]),
        torch.cat([kinds, kinds]),
        np.concatenate([weight, weight]) / 2,
        seed,
    )


def hostile_windows(rows: Sequence[Row], outputs: np.ndarray) -> np.ndarray:
    """Which rows to keep: of a hostile text its most hostile window, and others as clear."""
    scores = attack(torch.from_numpy(outputs)).numpy()
    texts: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        if row.label == "malicious":
            texts[row.document].append(i)
    kept = np.ones(len(rows), dtype=bool)
    for windows in texts.values():
        if rows[windows[0]].source.startswith("written/"):
            continue
        top = max(windows, key=lambda i: scores[i])
        for i in windows:
            kept[i] = i == top or scores[i] > SURE
    return kept
