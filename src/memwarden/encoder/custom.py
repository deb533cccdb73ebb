"""Kinds that a tenant adds by examples, learned from sentence vectors when a policy is loaded.

Ten to fifty sentences are enough for a regularised linear head against the reference sentences
that come with the models. A check by leaving examples out tells how well the new kind can be
told from the others, and from which it cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import TYPE_CHECKING, Final

import numpy as np

from memwarden.encoder.examples import Example
from memwarden.errors import ModelUnavailable, UsageError
from memwarden.model import CustomKind, Kind, WindowReading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST: Final = 10
"""Fewest examples from which a kind is learned."""

CLAIMED: Final = 0.5
"""Probability from which a sentence counts as of the new kind."""

RECOGNISED: Final = 0.7
CONFUSED: Final = 0.15
_PARTS: Final = 5
_PENALTY: Final = 0.02
_STEPS: Final = 12


@dataclass(frozen=True, slots=True)
class Reference:
    """Sentences of known kind with their vectors, one row each, as shipped with the models."""

    kinds: tuple[Kind, ...]
    vectors: Floats = field(repr=False)

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Reference:
        if not examples:
            raise ModelUnavailable(
                "these models bring no examples, so kinds cannot be learned beside them: "
                "name an examples file in their manifest"
            )
        kinds = tuple(example.kind for example in examples)
        return cls(kinds, np.array([example.vector for example in examples]))


@dataclass(frozen=True, slots=True)
class Separability:
    """How well a new kind can be told from the others.

    ``recognised`` is the share of examples that are found when they are left out of learning;
    ``confused`` names the kinds of which more than 15 % would be taken for it, worst first.
    """

    recognised: float
    confused: tuple[tuple[Kind, float], ...]

    @property
    def separable(self) -> bool:
        return self.recognised >= RECOGNISED and not self.confused


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """A linear head on sentence vectors, and what is known of its quality."""

    name: Kind
    weights: tuple[float, ...] = field(repr=False)
    bias: float
    quality: Separability

    def probability(self, vector: Sequence[float]) -> float:
        """How likely a sentence with this vector is of the kind."""
        return _logistic(sum(w * v for w, v in zip(self.weights, vector, strict=True)) + self.bias)


def learn(
    kind: CustomKind,
    examples: Sequence[Sequence[float]],
    near_misses: Sequence[Sequence[float]],
    reference: Reference,
) -> LearnedKind:
    """Learn ``kind`` from the vectors of its examples; raise UsageError when they are too few."""
    if len(examples) < FEWEST:
        raise UsageError(
            f"kind {kind.name!r} has {len(examples)} examples; write at least {FEWEST}, "
            "in the ways in which it will be said"
        )
    own = np.array(examples)
    misses = np.array(near_misses).reshape(-1, own.shape[1])
    others = np.concatenate([reference.vectors, misses])
    weights, bias = _fit(own, others)
    quality = _checked(own, others, reference.kinds)
    return LearnedKind(kind.name, tuple(weights.tolist()), bias, quality)


def with_custom(reading: WindowReading, learned: Iterable[LearnedKind]) -> WindowReading:
    """The reading with the tenant's kinds; the others share what these leave."""
    own = [(kind.name, kind.probability(reading.vector)) for kind in learned]
    if not own:
        return reading
    taken = max(p for _, p in own)
    total = sum(p for _, p in own)
    mine = [(name, p * taken / total if total else 0.0) for name, p in own]
    rest = [(name, p * (1.0 - taken)) for name, p in reading.kinds]
    return replace(reading, kinds=tuple(sorted((*mine, *rest), key=lambda pair: -pair[1])))


def _fit(examples: Floats, others: Floats) -> tuple[Floats, float]:
    """Penalised logistic regression with both sides at even weight, by Newton's method."""
    rows = np.concatenate([examples, others])
    design = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    truth = np.repeat([1.0, 0.0], [len(examples), len(others)])
    weight = np.repeat([0.5 / len(examples), 0.5 / len(others)], [len(examples), len(others)])
    penalty = np.full(design.shape[1], _PENALTY)
    penalty[-1] = 1e-6
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        odds = 1.0 / (1.0 + np.exp(-design @ beta))
        gradient = design.T @ (weight * (odds - truth)) + penalty * beta
        curvature = (design.T * (weight * odds * (1.0 - odds))) @ design + np.diag(penalty)
        beta -= np.linalg.solve(curvature, gradient)
    return beta[:-1], float(beta[-1])


def _checked(examples: Floats, others: Floats, kinds: Sequence[Kind]) -> Separability:
    """Learn five times with a fifth of both sides left out, and see what is made of that fifth."""
    found = 0
    claimed: dict[Kind, list[bool]] = {}
    for part in range(_PARTS):
        own = np.arange(len(examples)) % _PARTS == part
        left = np.arange(len(others)) % _PARTS == part
        weights, bias = _fit(examples[~own], others[~left])
        found += int((examples[own] @ weights + bias > 0).sum())
        for i in np.flatnonzero(left).tolist():
            if i < len(kinds):
                claims = claimed.setdefault(kinds[i], [])
                claims.append(bool(others[i] @ weights + bias > 0))
    shares = [(kind, sum(claims) / len(claims)) for kind, claims in claimed.items()]
    confused = sorted((pair for pair in shares if pair[1] > CONFUSED), key=lambda pair: -pair[1])
    return Separability(found / len(examples), tuple(confused))


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + exp(-value)) if value >= 0 else exp(value) / (1.0 + exp(value))
