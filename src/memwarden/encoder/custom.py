"""Kinds that a tenant adds by examples, learned from sentence vectors when a policy is used.

Ten to fifty sentences are enough for a regularised linear head against the reference sentences
that come with the models. What each sentence would be taken for if the head had not seen it
follows from the same fit (``LearnedKind.margins``), so that checking costs no second learning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import TYPE_CHECKING, Final

import numpy as np

from memwarden.errors import UsageError
from memwarden.model import CustomKind, Kind, WindowReading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST: Final = 10
"""Fewest examples from which a kind is learned."""

CLAIMED: Final = 0.5
"""Probability from which a sentence counts as of the new kind; below it says nothing."""

_SHARPER: Final = (1.0, 2.0, 4.0, 8.0)
"""A penalty draws all margins towards zero; by how much they are stretched again."""

_PENALTY: Final = 0.005
_STEPS: Final = 25
_SETTLED: Final = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A tenant's kind as it is shown: its name, the vectors of its examples and near misses."""

    name: Kind
    examples: Floats = field(repr=False)
    near_misses: Floats = field(repr=False)


@dataclass(frozen=True, slots=True)
class Margins:
    """How far each sentence falls on the new kind's side (above 0): the examples, the reference
    sentences and the other new kinds' examples as if each had been left out of learning, the near
    misses as they were learned."""

    examples: tuple[float, ...]
    near_misses: tuple[float, ...]
    reference: tuple[float, ...]
    others: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """A linear head on sentence vectors."""

    name: Kind
    weights: tuple[float, ...] = field(repr=False)
    bias: float
    margins: Margins = field(repr=False)

    def probability(self, vector: Sequence[float]) -> float:
        """How likely a sentence with this vector is of the kind."""
        return _logistic(sum(w * v for w, v in zip(self.weights, vector, strict=True)) + self.bias)


def shown(
    kind: CustomKind,
    examples: Sequence[Sequence[float]],
    near_misses: Sequence[Sequence[float]],
) -> Shown:
    """A kind with its vectors; raise UsageError when its examples are too few."""
    if len(examples) < FEWEST:
        raise UsageError(
            f"kind {kind.name!r} has {len(examples)} examples; write at least {FEWEST}, "
            "in the ways in which it will be said"
        )
    own = np.array(examples)
    return Shown(kind.name, own, np.array(near_misses).reshape(-1, own.shape[1]))


def learn(kinds: Sequence[Shown], reference: Floats) -> tuple[LearnedKind, ...]:
    """Learn the kinds of one policy, each told from the reference and from the other kinds."""
    return tuple(_learned(one, kinds, reference) for one in kinds)


def with_custom(reading: WindowReading, learned: Iterable[LearnedKind]) -> WindowReading:
    """The reading with the tenant's kinds that claim it; the others share what these leave."""
    asked = [(kind.name, kind.probability(reading.vector)) for kind in learned]
    own = [(name, p) for name, p in asked if p >= CLAIMED]
    if not own:
        return reading
    taken = max(p for _, p in own)
    total = sum(p for _, p in own)
    mine = [(name, p * taken / total) for name, p in own]
    rest = [(name, p * (1.0 - taken)) for name, p in reading.kinds]
    return replace(reading, kinds=tuple(sorted((*mine, *rest), key=lambda pair: -pair[1])))


def _learned(one: Shown, kinds: Sequence[Shown], reference: Floats) -> LearnedKind:
    foreign = [other.examples for other in kinds if other.name != one.name]
    sides = [one.examples, one.near_misses, reference, *foreign]
    counts = [len(side) for side in sides[:3]]
    rows = np.concatenate(sides)
    weights, bias, left_out = _fit(rows, _weight(counts[0], counts[1], len(rows)))
    own, misses, known, others = np.split(left_out, np.cumsum(counts))
    scale = _sharpness(own, np.concatenate([known, others]))
    misses = one.near_misses @ weights + bias
    return LearnedKind(
        one.name,
        tuple((weights * scale).tolist()),
        bias * scale,
        Margins(*(tuple((part * scale).tolist()) for part in (own, misses, known, others))),
    )


def _weight(examples: int, misses: int, rows: int) -> Floats:
    """Positive for the examples, negative for the rest, each side one half. A near miss says more
    than any other sentence: a twentieth of its side each, a quarter together."""
    share = min(0.25, 0.05 * misses)
    others = rows - examples - misses
    each = [0.5 / examples, -0.5 * share / max(misses, 1), -0.5 * (1.0 - share) / others]
    return np.repeat(each, [examples, misses, others])


def _sharpness(own: Floats, others: Floats) -> float:
    """The stretch under which the margins of left-out sentences are likeliest."""
    return max(
        _SHARPER,
        key=lambda scale: float(
            -np.logaddexp(0.0, -own * scale).mean() - np.logaddexp(0.0, others * scale).mean()
        ),
    )


def _fit(rows: Floats, signed: Floats) -> tuple[Floats, float, Floats]:
    """Penalised logistic regression by Newton's method, with a weight for each row that is
    positive where the row is an example.

    Returns weights, bias, and the margin that each row would have if it had been left out: one
    Newton step from the whole fit (approximate leave-one-out, Rad and Maleki, arXiv:1801.10243).
    """
    design = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    truth, weight = (signed > 0).astype(np.float64), np.abs(signed)
    penalty = np.full(design.shape[1], _PENALTY)
    penalty[-1] = 1e-6
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        odds = 1.0 / (1.0 + np.exp(-design @ beta))
        slope = weight * (odds - truth)
        bend = weight * odds * (1.0 - odds)
        curvature = (design.T * bend) @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, design.T @ slope + penalty * beta)
        beta = beta - step
        if np.abs(step).max() < _SETTLED:
            break
    reach = np.einsum("ij,ji->i", design, np.linalg.solve(curvature, design.T))
    left_out = design @ beta + reach * slope / (1.0 - bend * reach)
    return beta[:-1], float(beta[-1]), left_out


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + exp(-value)) if value >= 0 else exp(value) / (1.0 + exp(value))
