"""Typed reading of a JSON object: a missing or mistyped field is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

T = TypeVar("T")


class Fields:
    """One JSON object. Raises TypeError or KeyError that names what is wrong."""

    def __init__(self, entries: object) -> None:
        if not isinstance(entries, dict):
            raise TypeError("an object was expected")
        self._entries = cast("Mapping[str, object]", entries)

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        value = self._entries.get(name, default)
        if kind is float and isinstance(value, int):
            value = float(value)
        if not isinstance(value, kind):
            raise TypeError(f"field {name!r} must be a {kind.__name__}")
        return value

    def inner(self, name: str) -> Fields:
        """The object under ``name``; an empty one where there is none."""
        return Fields(self._entries.get(name, {}))

    def has(self, name: str) -> bool:
        return name in self._entries

    def list_of(self, name: str, default: Sequence[object] | None = None) -> Sequence[object]:
        return self.get(name, list, None if default is None else list(default))

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts under ``name``; empty where there is none."""
        return tuple(str(item) for item in self.list_of(name, ()))

    def names(self) -> Sequence[str]:
        return tuple(self._entries)
