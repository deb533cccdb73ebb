"""The reference sentences that ship with the models: some of every kind, with their vectors.

They are the other side from which a tenant's own kind is told, and known examples that a
reviewer can be shown beside a finding. Drawn from the written texts, one from a pair.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from memwarden.model import KINDS
from models.corpus.rows import Row
from models.training import use
from models.training.seeds import draw_for

EACH: Final = 30
"""Sentences of each kind and language."""

_LONGEST: Final = {"en": 160, "zh": 60}
_SHORTEST: Final = {"en": 25, "zh": 8}


def choose(rows: Sequence[Row]) -> list[Row]:
    """A seeded draw of rows of every kind and language, each from a pair of its own."""
    chosen: list[Row] = []
    for lang in ("en", "zh"):
        for kind in KINDS:
            pairs = {row.fold_key: row for row in rows if _fits(row, lang, kind)}
            draw = draw_for("examples", lang, kind)
            chosen += draw.sample(list(pairs.values()), min(EACH, len(pairs)))
    return chosen


def write(rows: Sequence[Row], folder: Path, encoders: Path) -> None:
    """Write ``examples.json``: language, kind, text, and the vector in 8 bit."""
    chosen = choose(rows)
    exact = use.vectors(encoders / "use", [row.text for row in chosen])
    entries = [
        {
            "lang": row.lang,
            "kind": row.kinds[0],
            "text": row.text,
            "vector": np.round(vector * 127 / np.abs(vector).max()).astype(int).tolist(),
        }
        for row, vector in zip(chosen, exact, strict=True)
    ]
    lines = ",\n".join(
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries
    )
    (folder / "examples.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _fits(row: Row, lang: str, kind: str) -> bool:
    return (
        row.source.startswith("written/")
        and row.lang == lang
        and row.kinds == (kind,)
        and _SHORTEST[lang] <= len(row.text) <= _LONGEST[lang]
    )
