"""What is looked for: every original, its quotations and its faces in base64, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from memwarden.fence.scrub.codes import Face, faces
from memwarden.fence.scrub.grams import LONGEST, Grams
from memwarden.fence.scrub.owner import Owner
from memwarden.fence.scrub.signs import Signs
from memwarden.model import Span

_SHORT_WINDOW: Final = 20
"""Signs up to which every quotation is looked for as a whole: half of a number is too common."""
_REPEATS: Final = 8
"""Places in one original at which the same seed is looked for; more would only repeat itself."""


@dataclass(frozen=True, slots=True)
class Body:
    """A run of signs that says too much: an original's, or those of one of its faces."""

    text: str = field(repr=False)
    owner: Owner
    face: Face | None = None

    @property
    def starts(self) -> range:
        return range(1) if self.face else self.owner.starts


class Seed(NamedTuple):
    """A piece of a body that is looked for; ``offset`` is where in the body it stands."""

    body: Body
    offset: int


class Hit(NamedTuple):
    """A seed in a text: ``start`` and ``end`` count the text's signs."""

    seed: Seed
    start: int
    end: int


class Wanted:
    """The bodies of all originals, and a way to find their seeds in one pass."""

    __slots__ = ("_grams", "_lengths", "_reach", "_seeds", "bodies")

    def __init__(self, owners: Iterable[Owner]) -> None:
        self.bodies = tuple(body for owner in owners for body in _bodies(owner))
        self._seeds: dict[str, list[Seed]] = {}
        for body in self.bodies:
            for offset, length in _cut(body):
                known = self._seeds.setdefault(body.text[offset : offset + length], [])
                if sum(one.body is body for one in known[-_REPEATS:]) < _REPEATS:
                    known.append(Seed(body, offset))
        self._lengths: dict[str, list[int]] = {}
        for pattern in sorted(self._seeds, key=len):
            lengths = self._lengths.setdefault(pattern[:LONGEST], [])
            if not lengths or lengths[-1] != len(pattern):
                lengths.append(len(pattern))
        self._grams = Grams(self._seeds)
        self._reach = max(map(_reach, self.bodies), default=0)

    @property
    def reach(self) -> int:
        """How many signs away from a place something found there has a seed at most."""
        return self._reach

    def hits(self, signs: Signs, ranges: Iterable[Span] | None = None) -> Iterator[Hit]:
        """Every seed in ``signs``, overlapping ones too; only those that begin in one of
        ``ranges``, if such are given."""
        read = signs.text
        for low, high in ((0, len(read)),) if ranges is None else ranges:
            for gram, places in self._grams.places(signs.codes[low : high + LONGEST]):
                for place in places:
                    start = low + place
                    for length in self._lengths.get(read[start : start + gram], ()):
                        end = start + length
                        for seed in self._seeds.get(read[start:end], ()):
                            yield Hit(seed, start, end)


def _bodies(owner: Owner) -> Iterator[Body]:
    yield Body(owner.body, owner)
    for face in faces(owner.protected.original):
        yield Body("".join(filter(str.isalnum, face.text)).lower(), owner, face)


def _reach(body: Body) -> int:
    return len(body.text) if body.face else body.owner.window or len(body.text)


def _cut(body: Body) -> Iterator[tuple[int, int]]:
    """(offset, length) of the seeds: every quotation that is long enough contains one of them."""
    window = 0 if body.face else body.owner.window
    if not window:
        yield 0, len(body.text)
        return
    stride = window // 3 if window > _SHORT_WINDOW else 1
    length = window - stride + 1
    last = len(body.text) - window
    for offset in range(stride - 1, last + stride, stride):
        yield min(offset, len(body.text) - length), length
