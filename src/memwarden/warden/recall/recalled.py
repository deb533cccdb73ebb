"""What a recall gives out, and beside it what the answer must not say either."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from memwarden.model import Memory


class Recalled(tuple[Memory, ...]):
    """The memories that were given out, nearest first; a tuple like any other.

    ``withheld`` are those that were found and not given out, for whatever reason that makes them
    nobody's business here. The fence hands them on, so that the scrubber takes their words out of
    the answer, should a model know them from elsewhere. They are not shown.
    """

    withheld: tuple[Memory, ...]

    def __new__(cls, given: Iterable[Memory], withheld: Iterable[Memory] = ()) -> Self:
        made = super().__new__(cls, given)
        made.withheld = tuple(withheld)
        return made
