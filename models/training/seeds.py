"""Where chance comes from: one seed, and a stream of its own for everything drawn by name."""

from __future__ import annotations

import random
from typing import Final

SEED: Final = 20


def draw_for(*names: str) -> random.Random:
    return random.Random("/".join((str(SEED), *names)))
