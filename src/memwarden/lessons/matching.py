"""Which lessons of a tenant a candidate's stretches are like. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memwarden.lessons.taught import Remembered
from memwarden.lessons.units import Unit, canonical
from memwarden.model import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FLOOR: Final = 0.6
"""Similarity below which a lesson is not even reported to the guard."""

_SAME_MODEL: Final = 0.999


@dataclass(frozen=True, slots=True)
class Known:
    """All lessons of a tenant by the digests of their words. ``revision`` counts its changes."""

    revision: int
    lessons: Mapping[str, Remembered] = field(repr=False)
    _by_digest: Mapping[str, tuple[str, ...]] = field(repr=False)

    @classmethod
    def of(cls, lessons: Mapping[str, Remembered], revision: int) -> Known:
        by_digest: dict[str, tuple[str, ...]] = {}
        for name, one in lessons.items():
            for digest in one.digests:
                by_digest[digest] = (*by_digest.get(digest, ()), name)
        return cls(revision, lessons, by_digest)

    @property
    def empty(self) -> bool:
        return not self.lessons

    @property
    def compares(self) -> bool:
        """Whether any lesson has sentence vectors to be compared with."""
        return any(one.confirmed and one.vectors for one in self.lessons.values())

    def exact(self, units: Sequence[Unit], digest: Callable[[str], str]) -> list[Lesson]:
        """Lessons that have the very words of a stretch. ``digest`` is the tenant's keyed one."""
        return [
            _lesson(name, self.lessons[name], unit, exact=True)
            for unit in units
            for name in self._by_digest.get(digest(canonical(unit.text)), ())
        ]


@dataclass(frozen=True, slots=True)
class Comparable:
    """The confirmed lessons that were learned with the model at hand, vector by vector."""

    _owners: tuple[tuple[str, Remembered], ...] = field(repr=False)
    _rows: Floats = field(repr=False)

    @classmethod
    def of(cls, known: Known, probe: Sequence[float]) -> Comparable:
        """``probe`` is what the present model makes of the fixed sentence."""
        import numpy as np

        pairs = [
            ((name, one), vector)
            for name, one in known.lessons.items()
            if one.confirmed and _same_model(one.probe, probe)
            for vector in one.vectors
        ]
        rows = np.array([vector for _, vector in pairs]).reshape(-1, len(probe))
        return cls(tuple(owner for owner, _ in pairs), _unit_rows(rows))

    def near(
        self,
        units: Sequence[Unit],
        vectors: Sequence[Sequence[float]],
        attack: Callable[[Unit], float],
    ) -> list[Lesson]:
        """For every stretch the nearest hostile and the nearest harmless lesson, if any is near."""
        import numpy as np

        if not (self._owners and units):
            return []
        hostile = np.array([one.hostile for _, one in self._owners])
        alike = _unit_rows(np.array(vectors)) @ self._rows.T
        found: list[Lesson] = []
        for which in (hostile, ~hostile):
            if which.any():
                nearest = np.where(which, alike, -1.0)
                best = nearest.argmax(axis=1).tolist()
                found += [
                    self._lesson(row, unit, float(nearest[at, row]), attack(unit))
                    for at, (unit, row) in enumerate(zip(units, best, strict=True))
                    if nearest[at, row] >= FLOOR
                ]
        return found

    def _lesson(self, row: int, unit: Unit, similarity: float, attack: float) -> Lesson:
        name, one = self._owners[row]
        return _lesson(name, one, unit, similarity, attack=attack)


def _lesson(
    name: str,
    one: Remembered,
    unit: Unit,
    similarity: float = 1.0,
    *,
    exact: bool = False,
    attack: float = 0.0,
) -> Lesson:
    return Lesson(
        id=name,
        hostile=one.hostile,
        kind=one.kind,
        part=unit.part,
        start=unit.start,
        end=unit.end,
        similarity=min(1.0, similarity),
        exact=exact,
        attack=attack,
        bound=one.bound,
    )


def _same_model(own: Sequence[float], probe: Sequence[float]) -> bool:
    import numpy as np

    if len(own) != len(probe):
        return False
    rows = _unit_rows(np.array([own, probe]))
    return float(rows[0] @ rows[1]) >= _SAME_MODEL


def _unit_rows(rows: NDArray[np.floating]) -> Floats:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    normal: Floats = (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return normal
