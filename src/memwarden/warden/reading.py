"""Which readings of a text the models get to see, and their answers in the original's words.

The models read the text without its invisible characters but with its case, and besides that
whatever was found encoded or pulled apart in it. Windows of a decoded layer speak of the span
that held it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from memwarden.model import View, Views, WindowReading
from memwarden.text import cleaned

_ASIDE: Final = frozenset({"folded", "skeleton", "leet", "rot13", "reversed"})
"""Readings that guess at letters. Rules check such a guess; a model would be misled by it."""


class TextEncoder(Protocol):
    """Windows of a tenant's plain texts, by position."""

    def encode(
        self, texts: Sequence[str], tenant: str, /
    ) -> Sequence[tuple[WindowReading, ...]]: ...


@dataclass(frozen=True, slots=True)
class ViewEncoder:
    """Puts a tenant's views before an encoder and brings its windows back to the original."""

    encoder: TextEncoder
    tenant: str

    def __call__(self, texts: Sequence[Views], /) -> Sequence[tuple[WindowReading, ...]]:
        shown = [shown_to_models(views) for views in texts]
        flat = [view.text for views in shown for view in views]
        windows = iter(self.encoder.encode(flat, self.tenant))
        return [
            tuple(_brought_back(window, view) for view in views for window in next(windows))
            for views in shown
        ]


def shown_to_models(views: Views) -> tuple[View, ...]:
    """The readings that models judge: the clean original, and every layer decoded from it."""
    original = cleaned(views)
    hidden = [
        view
        for view in views.readings[1:]
        if view.layer.rpartition(">")[2] not in _ASIDE and view.text.strip()
    ]
    return (original, *hidden)


def _brought_back(window: WindowReading, view: View) -> WindowReading:
    start, end = view.span(window.start, window.end)
    layer = "original" if view.layer == "clean" else view.layer
    return replace(window, start=start, end=end, layer=layer)
