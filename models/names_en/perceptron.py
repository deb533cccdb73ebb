"""An averaged structured perceptron over the features of ``memwarden.encoder.ner_features_en``."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memwarden.encoder.ner_features_en import BUCKETS, features, tokens
from memwarden.encoder.ner_linear_en import LABELS, legal, viterbi
from models.names_en.people import Sentence

Rows = npt.NDArray[np.int64]
UNSURE = -1
_LONGEST = 600
_CODES = {label: code for code, label in enumerate(LABELS)}


def encoded(sentence: Sentence, named: Sequence[object]) -> tuple[Rows, Rows]:
    """Feature rows and label codes; ``?`` marks tokens that teach nothing."""
    text, spans = sentence
    places = tokens(text)
    codes = np.zeros(len(places), dtype=np.int64)
    for start, end, label in spans:
        mark = "B"
        for at, (first, last) in enumerate(places):
            if first < end and last > start:
                codes[at] = UNSURE if label == "?" else _CODES[f"{mark}-{label}"]
                mark = "I"
    return np.array(features(text, places, named), dtype=np.int64), codes  # type: ignore[arg-type]


def clipped(sentence: Sentence) -> Sentence:
    text, spans = sentence
    return text[:_LONGEST], [one for one in spans if one[1] <= _LONGEST]


def learned(
    data: list[tuple[Rows, Rows]], rounds: int, seed: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Averaged weights of features and of steps from label to label."""
    lot, size = random.Random(seed), len(LABELS)
    weights = np.zeros((BUCKETS, size), dtype=np.float32)
    sums, steps, step_sums = np.zeros_like(weights), np.zeros((size, size)), np.zeros((size, size))
    barred, count = legal(), 1
    for _ in range(rounds):
        lot.shuffle(data)
        for rows, gold in data:
            best = np.array(viterbi(weights[rows].sum(axis=1), (steps + barred).astype(np.float32)))
            truth = np.where(gold == UNSURE, best, gold)
            for at in np.nonzero(best != truth)[0]:
                for code, sign in ((truth[at], 1), (best[at], -1)):
                    np.add.at(weights, (rows[at], code), sign)
                    np.add.at(sums, (rows[at], code), sign * count)
            for at in range(1, len(truth)):
                right, wrong = (truth[at - 1], truth[at]), (best[at - 1], best[at])
                if right != wrong:
                    steps[right] += 1
                    steps[wrong] -= 1
                    step_sums[right] += count
                    step_sums[wrong] -= count
            count += 1
    return weights - sums / count, (steps - step_sums / count).astype(np.float32)
