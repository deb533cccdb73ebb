"""Assemble the corpus.

python -m models.corpus --public DATA/train --judged DATA/dev DATA/test --out models/.cache
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from memwarden.encoder.windows import Count, windows
from models.corpus.near import digest, near_pairs
from models.corpus.packages import read_packages
from models.corpus.public import read_public, read_sources, records
from models.corpus.rows import Row, write_rows
from models.corpus.written import read_written

WRITTEN = Path(__file__).parents[1] / "data" / "written"
CACHE = Path(__file__).parents[1] / ".cache"
TOKENIZER = CACHE / "encoders" / "use" / "tokenizer.json"
SEED = 20
SHORT = 12
"""Windows of fewer letters ("Thank you!") may be equal by chance and are no leak."""


def main() -> None:
    options = _options()
    count = _counter(options.tokenizer)
    rows = [row for path in sorted(WRITTEN.glob("*.yaml")) for row in read_written(path, SEED)]
    rows = [short for row in rows for short in _windowed(row, count)]
    if options.public:
        rows += read_public(options.public, read_sources(), count)
    if options.packages:
        rows += read_packages(options.packages, count)
    rows = _unique(rows)
    judged = [window for folder in options.judged for window in _windows_of(folder, count)]
    rows, leaks = _without_leaks(rows, judged)
    path = options.out / "corpus.jsonl"
    write_rows(path, rows)
    report = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "rows": len(rows),
        "removed_as_leaks": dict(sorted(leaks.items())),
        "counts": _counts(rows),
    }
    (options.out / "corpus.report.json").write_text(
        json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    print(json.dumps(report, ensure_ascii=False, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--public", type=Path, help="folder of public *.jsonl to train on")
    parser.add_argument("--packages", type=Path, default=CACHE / "packages", help="archives")
    parser.add_argument("--judged", type=Path, nargs="*", default=[], help="must not leak in")
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER, help="tokenizer.json of USE")
    parser.add_argument("--out", type=Path, default=CACHE)
    return parser.parse_args()


def _counter(path: Path) -> Count:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    return lambda text: len(tokenizer.encode(text).ids) - 2


def _windowed(row: Row, count: Count) -> Iterable[Row]:
    """A long harmless text as its windows. An attack stays whole: its parts need not be hostile."""
    spans = windows(row.text, count) if row.label == "benign" else ((0, len(row.text)),)
    for start, end in spans:
        yield Row(
            text=row.text[start:end],
            lang=row.lang,
            label=row.label,
            kinds=row.kinds,
            source=row.source,
            wording=f"{row.wording}/{start}",
            document=row.document,
            fold_key=row.fold_key,
        )


def _windows_of(folder: Path, count: Count) -> Iterable[str]:
    for record in records(folder):
        for start, end in windows(record["text"], count):
            yield record["text"][start:end]


def _unique(rows: Sequence[Row]) -> list[Row]:
    """The first of equal texts; texts that stand under two labels say nothing and go."""
    labels: dict[str, set[str]] = {}
    for row in rows:
        labels.setdefault(digest(row.text), set()).add(row.label)
    kept = {digest(row.text): row for row in reversed(rows)}
    return [row for key, row in reversed(kept.items()) if len(labels[key]) == 1]


def _without_leaks(rows: Sequence[Row], judged: Sequence[str]) -> tuple[list[Row], Counter[str]]:
    known = {digest(text) for text in judged if len(text) >= SHORT}
    near = {i for i, _ in near_pairs([row.text for row in rows], judged)} if judged else set()
    leaks: Counter[str] = Counter()
    kept = []
    for i, row in enumerate(rows):
        if digest(row.text) in known or (i in near and len(row.text) >= SHORT):
            leaks[row.source] += 1
        else:
            kept.append(row)
    return kept, leaks


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    counts = Counter(f"{row.source} {row.lang} {row.label}" for row in rows)
    return dict(sorted(counts.items()))


if __name__ == "__main__":
    main()
