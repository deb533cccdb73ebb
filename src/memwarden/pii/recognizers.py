"""Presidio recognizers: a thin face over the pattern engine, one class for each type.

Importing this module imports Presidio, which takes seconds; memwarden's own chain never does.
Every class can be named in a Presidio configuration: ``memwarden.pii.recognizers.CnIdCard``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult

from memwarden.pii.catalogue import catalogue
from memwarden.pii.detect import Search, detect
from memwarden.pii.fold import fold
from memwarden.pii.load import patterns, word_lists
from memwarden.pii.special import PREFIX, find

_COUNTRIES: Final = {"CN": "cn", "TW": "tw", "HK": "hk", "MO": "mo", "US": "us", "UK": "uk"}
_MODELLED: Final = frozenset(
    {"LOCATION", "NRP", "BUSINESS_PHONE", "BUSINESS_ADDRESS", "BUSINESS_EMAIL"}
)


class MemwardenRecognizer(EntityRecognizer):
    """Finds one type of personal data, in Latin and Chinese text alike.

    The language says only for which ``language=`` Presidio asks it: text is never of one language
    alone. Scores above 0.9 mean a passed checksum or a label beside the value.
    """

    ENTITY: ClassVar[str] = ""
    name: str

    def __init__(self, supported_language: str = "en", name: str | None = None) -> None:
        super().__init__(
            supported_entities=[self.ENTITY],
            supported_language=supported_language,
            name=name or f"Memwarden{type(self).__name__}Recognizer",
            version="1",
            context=_context(self.ENTITY, supported_language),
        )

    def load(self) -> None:
        """Nothing to load: patterns are compiled when the first text comes."""

    def analyze(
        self,
        text: str,
        entities: Sequence[str],
        nlp_artifacts: object = None,  # noqa: ARG002
    ) -> list[RecognizerResult]:
        """Results for ``ENTITY`` in ``text``; NLP artifacts are not needed."""
        if entities and self.ENTITY not in entities:
            return []
        return [self._result(*found) for found in _found(self.ENTITY, text)]

    def _result(self, rule: str, start: int, end: int, score: float) -> RecognizerResult:
        explanation = AnalysisExplanation(
            recognizer=self.name, original_score=score, pattern_name=rule
        )
        return RecognizerResult(self.ENTITY, start, end, score, explanation)


def _found(entity: str, text: str) -> list[tuple[str, int, int, float]]:
    if entity.startswith(PREFIX):
        view = fold(text)
        found = [
            one.at(*view.span(one.start, one.end))
            for one in find(view.text)
            if one.entity == entity
        ]
    else:
        found = list(detect(text, Search(entities=frozenset({entity}))))
    return [(one.rule, one.start, one.end, min(one.score, 1.0)) for one in found]


def _context(entity: str, language: str) -> list[str]:
    """The words that speak for a type, for those who look at a recognizer's ``context``."""
    lists = word_lists()
    names = {name for pattern in patterns() if pattern.entity == entity for name in pattern.context}
    chosen = (lists[name] for name in sorted(names))
    return sorted({w for one in chosen for w in (one.zh if language == "zh" else one.en)})


def _class(entity: str) -> type[MemwardenRecognizer]:
    name = "".join(word.capitalize() for word in entity.split("_"))
    country = _COUNTRIES.get(entity.partition("_")[0])
    body: dict[str, object] = {"ENTITY": entity, "COUNTRY_CODE": country, "__module__": __name__}
    body["__doc__"] = f"Finds {catalogue()[entity].title.en}."
    return type(name, (MemwardenRecognizer,), body)


CLASSES: Final[Mapping[str, type[MemwardenRecognizer]]] = {
    entity: _class(entity) for entity in catalogue() if entity not in _MODELLED
}
"""The recognizer class of every type that needs no model."""


def __getattr__(name: str) -> type[MemwardenRecognizer]:
    for made in CLASSES.values():
        if made.__name__ == name:
            return made
    raise AttributeError(f"memwarden.pii.recognizers has no {name}")
