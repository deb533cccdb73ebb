"""How sure a rate is."""

from __future__ import annotations

from math import sqrt
from typing import Final

_Z95: Final = 1.959963984540054


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a rate (Wilson 1927); (0, 1) where nothing was seen."""
    if of == 0:
        return (0.0, 1.0)
    rate = hits / of
    spread = _Z95**2 / of
    centre = (rate + spread / 2) / (1 + spread)
    half = _Z95 / (1 + spread) * sqrt(rate * (1 - rate) / of + spread / (4 * of))
    return (max(0.0, centre - half), min(1.0, centre + half))
