"""What a caller may say when wrapping a Qdrant client. Every mistake is told when wrapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memwarden.stores.rows.options import RowOptions, as_count


@dataclass(frozen=True, slots=True)
class Options(RowOptions):
    """What every adapter understands, and ``max_filter_points``, which caps a payload update by
    filter. ``text_fields`` and its like name payload fields."""

    max_filter_points: int = 10_000

    @classmethod
    def more(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """The cap."""
        most = given.get("max_filter_points", cls().max_filter_points)
        return {"max_filter_points": as_count(most, "max_filter_points")}
