"""Presidio recognizers that a policy names, wrapped so that they can be asked like our own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Protocol, cast

from memwarden.errors import UsageError
from memwarden.pii.found import Found


class _Result(Protocol):
    entity_type: str
    start: int
    end: int
    score: float


class _Recognizer(Protocol):
    supported_entities: Sequence[str]

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: object
    ) -> Iterable[_Result] | None: ...


@dataclass(frozen=True, slots=True)
class Extra:
    """One recognizer of somebody else's."""

    name: str
    recognizer: _Recognizer

    def find(self, text: str) -> list[Found]:
        """What it finds in ``text``. It is asked without NLP artifacts."""
        results = self.recognizer.analyze(text, list(self.recognizer.supported_entities), None)
        return [
            Found(one.entity_type, self.name, one.start, one.end, one.score)
            for one in results or ()
            if 0 <= one.start < one.end <= len(text)
        ]


@lru_cache(maxsize=64)
def extra(reference: str) -> Extra:
    """The recognizer ``module:Class``, made once. Raises UsageError if there is none."""
    module, _, name = reference.partition(":")
    try:
        made = getattr(import_module(module), name)()
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"no Presidio recognizer {reference!r}: write module:Class, and install its package"
        ) from error
    if not callable(getattr(made, "analyze", None)):
        raise UsageError(f"{reference!r} is not a Presidio recognizer: it has no analyze()")
    return Extra(f"extra.{name}", cast("_Recognizer", made))
