"""Whether a tenant's kinds can be told from the others, and from which they cannot.

Every sentence is asked as if it had been left out of learning, so that the answer is about
sentences that nobody has written yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.encoder.custom import LearnedKind, Shown
from memwarden.model import Kind

RECOGNISED: Final = 0.7
"""Least share of the examples that must be recognised when they are left out."""

CONFUSED: Final = 0.15
"""Most of another kind's sentences that may be taken for the new one."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """A kind from which the new one is not well told.

    ``examples`` are the new kind's sentences that would be taken for ``kind`` (positions, from 0);
    ``claimed`` is the share of that kind's own sentences that would be taken for the new one.
    """

    kind: Kind
    examples: tuple[int, ...]
    claimed: float


@dataclass(frozen=True, slots=True)
class Separability:
    """How well one kind can be told from all others.

    ``recognised`` is the share of its examples that are found when they are left out of learning,
    ``confusions`` the kinds it is mistaken for or takes in, worst first, ``near_misses`` the
    positions of near misses that are still taken for it.
    """

    name: Kind
    recognised: float
    confusions: tuple[Confusion, ...]
    near_misses: tuple[int, ...]

    @property
    def separable(self) -> bool:
        """Few examples are lost, and no other kind is taken in."""
        swallowed = any(one.claimed > CONFUSED for one in self.confusions)
        return self.recognised >= RECOGNISED and not swallowed


def separability(
    learned: Sequence[LearnedKind],
    kinds: Sequence[Shown],
    reference: Sequence[Kind],
    likeliest: Mapping[Kind, Sequence[Kind]],
) -> tuple[Separability, ...]:
    """Check the kinds of one policy.

    ``reference`` names the built-in kind of each reference sentence, ``likeliest`` the built-in
    kind that the models read in each example, by the name of the new kind.
    """
    return tuple(
        _of(one, own, kinds, learned, reference, likeliest[one.name])
        for one, own in zip(learned, kinds, strict=True)
    )


def _of(
    one: LearnedKind,
    own: Shown,
    kinds: Sequence[Shown],
    learned: Sequence[LearnedKind],
    reference: Sequence[Kind],
    likeliest: Sequence[Kind],
) -> Separability:
    taken: dict[Kind, list[int]] = {}
    for at, margin in enumerate(one.margins.examples):
        if margin <= 0:
            vector = own.examples[at].tolist()
            taken.setdefault(_instead(vector, one, learned) or likeliest[at], []).append(at)
    claimed = dict(_claimed(one, kinds, reference))
    confusions = [
        Confusion(kind, tuple(taken.get(kind, ())), claimed.get(kind, 0.0))
        for kind in {**taken, **{k: () for k, share in claimed.items() if share > CONFUSED}}
    ]
    found = sum(margin > 0 for margin in one.margins.examples)
    return Separability(
        one.name,
        found / len(one.margins.examples),
        tuple(sorted(confusions, key=lambda c: (-c.claimed, -len(c.examples), c.kind))),
        tuple(at for at, margin in enumerate(one.margins.near_misses) if margin > 0),
    )


def _instead(vector: Sequence[float], one: LearnedKind, learned: Sequence[LearnedKind]) -> Kind:
    """The other new kind that takes the sentence; empty when none does."""
    claims = [(other.probability(vector), other.name) for other in learned if other is not one]
    best = max(claims, default=(0.0, Kind("")))
    return best[1] if best[0] >= 0.5 else Kind("")


def _claimed(
    one: LearnedKind, kinds: Sequence[Shown], reference: Sequence[Kind]
) -> Iterator[tuple[Kind, float]]:
    """The share of every other kind's sentences that would be taken for this one."""
    names = [*reference]
    for other in kinds:
        if other.name != one.name:
            names += [other.name] * len(other.examples)
    by_kind: dict[Kind, list[bool]] = {}
    margins = (*one.margins.reference, *one.margins.others)
    for kind, margin in zip(names, margins, strict=True):
        by_kind.setdefault(kind, []).append(margin > 0)
    for kind, claims in by_kind.items():
        yield kind, sum(claims) / len(claims)
