"""What the near layer of lessons finds, and which harmless neighbours it would hold.

    python benchmarks/lessons.py [--pairs N] [ROWS.jsonl ...]

One text of every hostile wording in models/data/written is a lesson. Asked for are the same
wordings with other names, places and amounts in them (``again``), of these the ones that the
attack guard would let through by itself (``beyond``), and the harmless twins of the same pair,
each beside each lesson of its pair (``twins``), then beside all lessons at once (``beside_all``).
ROWS are labelled rows; their benign texts are asked for beside all lessons too. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memwarden import bundled
from memwarden.encoder import Encoder
from memwarden.evaluation.rows import read_rows
from memwarden.guards.attack import Attack
from memwarden.guards.lesson import Lessons

ROOT = Path(__file__).parents[1]
SEED = 7
LONGEST = 400

sys.path.insert(0, str(ROOT))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("rows", nargs="*", type=Path)
    options.add_argument("--pairs", type=int, default=500, help="pairs of each language")
    chosen = options.parse_args()
    encoder = Encoder.open(bundled.models_dir(), threads=1)
    report = {
        lang: measured(encoder, written(lang, chosen.pairs), benign(chosen.rows, lang))
        for lang in ("en", "zh")
    }
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


def written(lang: str, pairs: int) -> list:
    """The expanded rows of some pairs of one language, hostile and harmless."""
    from models.corpus.written import read_written

    folder = ROOT / "models" / "data" / "written"
    files = sorted(folder.glob(f"{lang}_*.yaml"))
    rows = [row for file in files for row in read_written(file, SEED) if len(row.text) < LONGEST]
    names = sorted({row.fold_key for row in rows})
    random.Random(SEED).shuffle(names)  # noqa: S311 - a repeatable sample, no secret
    kept = set(names[:pairs])
    return [row for row in rows if row.fold_key in kept]


def benign(paths: Sequence[Path], lang: str) -> list[str]:
    rows = read_rows(paths)
    return [row.text for row in rows if (row.lang, row.label) == (lang, "benign")][:2_000]


def measured(encoder: Encoder, rows: list, others: list[str]) -> dict[str, float]:
    vectors, attack = read(encoder, [row.text for row in rows])
    hostile: dict[str, list[int]] = defaultdict(list)
    twins: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        if row.label == "malicious":
            hostile[row.wording].append(at)
        else:
            twins[row.fold_key].append(at)
    lessons = [ids[0] for ids in hostile.values()]
    again = [(ids[0], at) for ids in hostile.values() for at in ids[1:]]
    beside = [(one, at) for one in lessons for at in twins[rows[one].fold_key]]
    everyone = [at for ids in twins.values() for at in ids]
    hits = [held(vectors[one] @ vectors[at], attack[at]) for one, at in again]
    through = [
        hit for hit, (_, at) in zip(hits, again, strict=True) if attack[at] < Attack().trusted
    ]
    report = {
        "lessons": len(lessons),
        "again": share(hits),
        "beyond_the_attack_guard": share(through),
        "twins": share([held(vectors[one] @ vectors[at], attack[at]) for one, at in beside]),
        "beside_all": share(
            [held((vectors[lessons] @ vectors[at]).max(), attack[at]) for at in everyone]
        ),
    }
    if others:
        own, theirs = read(encoder, others)
        report["rows"] = len(others)
        report["rows_held"] = share(
            [
                held((vectors[lessons] @ one).max(), score)
                for one, score in zip(own, theirs, strict=True)
            ]
        )
    return report


def read(encoder: Encoder, texts: list[str]) -> tuple[np.ndarray, list[float]]:
    """Unit vectors, and what the models make of each text."""
    vectors = np.array(encoder.vectors(texts), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    readings = encoder.encode(texts)
    return vectors, [max((one.attack for one in windows), default=0.0) for windows in readings]


def held(similarity: float, attack: float) -> bool:
    guard = Lessons()
    suspected = similarity >= guard.suspected and attack >= guard.suspicion
    return bool(similarity >= guard.near or suspected)


def share(hits: list[bool]) -> float:
    return round(sum(hits) / max(1, len(hits)), 4)


if __name__ == "__main__":
    main()
