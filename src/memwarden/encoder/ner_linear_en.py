"""A linear tagger over the network's answers and lists of names: people, addresses, places.

spaCy's small network knows the names of the news. Names of other countries, addresses and texts
without capitals are what it misses; this layer, a structured perceptron trained on generated people
(``models/names_en``), decides about its answers word by word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np
import numpy.typing as npt

from memwarden.encoder.ner_en import Named
from memwarden.encoder.ner_features_en import features, tokens
from memwarden.encoder.ner_files import Floats
from memwarden.errors import ModelUnavailable

LABELS: Final = (
    "O", "B-PER", "I-PER", "B-ADDR", "I-ADDR", "B-ORG", "I-ORG", "B-LOC", "I-LOC",
)  # fmt: skip
DIGEST: Final = "eea2eb38b3b3c2d39b14a047918527de4acca70d53a3440e96c1348ef8b9d908"
_NEVER: Final = -1e6
WINDOW: Final = 600
"""Tokens decided about at once; longer texts are cut."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights: a row of 9 for every feature bucket, and 9 x 9 from label to label."""

    rows: Floats = field(repr=False)
    steps: Floats = field(repr=False)

    def entities(self, text: str, named: Sequence[Named]) -> list[Named]:
        """Spans labelled PER, ADDR, ORG or LOC, in order; ``named`` is the network's answer."""
        spans = tokens(text)
        ids = features(text, spans, named)
        found: list[Named] = []
        for start in range(0, len(spans), WINDOW):
            best = viterbi(self.rows[ids[start : start + WINDOW]].sum(axis=1), self.steps)
            for at, code in enumerate(best, start):
                kind, _, label = LABELS[code].partition("-")
                if kind == "B" or (kind == "I" and not found):
                    found.append(Named(*spans[at], label))
                elif kind == "I":
                    found[-1] = found[-1]._replace(end=spans[at][1])
        return found


def legal() -> npt.NDArray[np.float32]:
    """Nothing from label to label where that may be, a prohibition where it may not."""
    allowed = np.zeros((len(LABELS), len(LABELS)), dtype=np.float32)
    for before, one in enumerate(LABELS):
        for after, other in enumerate(LABELS):
            if other[0] == "I" and (one == "O" or one[2:] != other[2:]):
                allowed[before, after] = _NEVER
    return allowed


def viterbi(emissions: Floats, steps: Floats) -> list[int]:
    """The best labels of a run of tokens."""
    scores = emissions[0] + np.array([_NEVER if one[0] == "I" else 0 for one in LABELS])
    back: list[npt.NDArray[np.intp]] = []
    columns = np.arange(len(LABELS))
    for row in emissions[1:]:
        paths = scores[:, None] + steps
        best = paths.argmax(axis=0)
        scores = paths[best, columns] + row
        back.append(best)
    path = [int(scores.argmax())]
    for best in reversed(back):
        path.append(int(best[path[-1]]))
    return path[::-1]


@lru_cache(maxsize=1)
def linear() -> Linear:
    """The tagger, loaded once. Raises ModelUnavailable if its weights were altered."""
    raw = files("memwarden.encoder").joinpath("data", "ner_en_linear.npz").read_bytes()
    if sha256(raw).hexdigest() != DIGEST:
        raise ModelUnavailable("encoder/data/ner_en_linear.npz was altered; reinstall memwarden")
    with np.load(BytesIO(raw), allow_pickle=False) as stored:
        rows = stored["rows"].astype(np.float32) * stored["scale"]
        return Linear(rows, stored["steps"] + legal())
