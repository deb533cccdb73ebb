"""A lesson as it is listed, and as it is remembered."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import datetime

from memwarden.errors import UsageError, VaultError
from memwarden.model import Kind, Tier


@dataclass(frozen=True, slots=True)
class Taught:
    """One lesson of a tenant. ``decision`` is what it was learned from, ``item`` the review item
    whose approval would take it back ("" for none).

    ``hostile`` is False for a text that was found harmless. ``confirmed`` is False where no
    person has said so yet: such a lesson counts for the same words only. ``bound`` is the highest
    tier of the writers that it speaks to.
    """

    id: str
    tenant: str
    decision: str
    item: str
    hostile: bool
    kind: Kind
    bound: Tier
    confirmed: bool
    learned_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """What of a lesson's text is kept: keyed digests of its canonical forms, sentence vectors,
    and the vector that the same model gave to a fixed sentence. Vectors of models that read that
    sentence differently cannot be compared."""

    hostile: bool
    kind: Kind
    bound: Tier
    confirmed: bool
    digests: tuple[str, ...]
    vectors: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    probe: tuple[float, ...] = field(default=(), repr=False)

    def packed(self) -> bytes:
        """As it is sealed."""
        record = {
            "hostile": self.hostile,
            "kind": self.kind,
            "bound": self.bound.label,
            "confirmed": self.confirmed,
            "digests": list(self.digests),
            "vectors": [_written(vector) for vector in self.vectors],
            "probe": _written(self.probe),
        }
        return json.dumps(record).encode()

    @classmethod
    def unpacked(cls, plain: bytes) -> Remembered:
        """Raises VaultError if the blob holds something else."""
        try:
            record = json.loads(plain)
            return cls(
                hostile=bool(record["hostile"]),
                kind=Kind(record["kind"]),
                bound=Tier.parse(record["bound"]),
                confirmed=bool(record["confirmed"]),
                digests=tuple(map(str, record["digests"])),
                vectors=tuple(map(_read, record["vectors"])),
                probe=_read(record["probe"]),
            )
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise VaultError("a sealed lesson is not in the form that memwarden writes") from error


def _written(vector: tuple[float, ...]) -> str:
    import numpy as np

    return base64.b64encode(np.array(vector, dtype="<f2").tobytes()).decode()


def _read(text: str) -> tuple[float, ...]:
    import numpy as np

    vector: list[float] = np.frombuffer(base64.b64decode(text), dtype="<f2").tolist()
    return tuple(vector)
