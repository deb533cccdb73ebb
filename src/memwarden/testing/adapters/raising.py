"""Expecting an exception, without a test framework: the suite runs under any."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

E = TypeVar("E", bound=Exception)


def raised(kind: type[E], do: Callable[[], object]) -> E:
    """The exception of this kind that ``do`` raises. Raises AssertionError if it does not."""
    try:
        do()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}, and nothing was raised")
