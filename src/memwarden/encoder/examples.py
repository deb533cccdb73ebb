"""The reference sentences that come with the models, read when first asked for.

They are what a tenant's own kind is told from, and the known examples that a reviewer is shown
beside a finding. Their vectors are kept in eight bits, as they are shipped: comparing them is
whole-number arithmetic, which gives the same answer on any number of threads.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from memwarden.errors import ModelUnavailable
from memwarden.model import Kind, KnownExample

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SCALE: Final = 127
_WIDE: Final = 32_767
"""A vector that is looked up is rounded to whole numbers up to this."""

FAR: Final = 0.25
"""Cosine below which a sentence is no neighbour: unrelated texts of one language reach that."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Written sentences of known kind with their vectors, a row each in ``codes`` (int8)."""

    known: tuple[KnownExample, ...]
    codes: NDArray[np.int8] = field(repr=False)

    @classmethod
    def none(cls) -> Self:
        return cls((), np.zeros((0, 0), np.int8))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(one.kind for one in self.known)

    @property
    def vectors(self) -> NDArray[np.float64]:
        """The unit vectors, a row each."""
        rows = self.codes.astype(np.float64)
        lengths: NDArray[np.float64] = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return rows / lengths

    def nearest(self, vector: Sequence[float], among: Collection[Kind]) -> tuple[KnownExample, ...]:
        """The sentence of these kinds most like ``vector`` in each language, the likest first.

        Empty where none is near, and where the vector is of another model's length.
        """
        if not self.known or len(vector) != self.codes.shape[1]:
            return ()
        alike = self._alike(vector)
        best: dict[str, int] = {}
        for row in np.argsort(-alike, kind="stable").tolist():
            one = self.known[row]
            if alike[row] < FAR:
                break
            if one.kind in among:
                best.setdefault(one.lang, row)
        return tuple(self.known[row] for row in best.values())

    def _alike(self, vector: Sequence[float]) -> NDArray[np.float64]:
        """The cosine of every row with ``vector``."""
        given = np.array(vector)
        top = float(np.abs(given).max())
        whole = np.round(given * (_WIDE / top if top else 0.0)).astype(np.int64)
        rows = self.codes.astype(np.int64)
        lengths = np.sqrt((rows * rows).sum(axis=1) * max(int((whole * whole).sum()), 1))
        return np.asarray((rows @ whole) / lengths)


def read_examples(path: Path) -> Examples:
    """The sentences of ``examples.json``; raise ModelUnavailable when it cannot be used."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        known = tuple(
            KnownExample(entry["lang"], Kind(entry["kind"]), entry["text"]) for entry in entries
        )
        codes = np.array([entry["vector"] for entry in entries], np.int64)
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"{path} is not a file of examples") from error
    if codes.ndim != 2 or np.abs(codes).max() > _SCALE or not codes.any(axis=1).all():
        raise ModelUnavailable(f"{path} is not a file of examples: its vectors are not in 8 bits")
    return Examples(known, codes.astype(np.int8))
