"""Names, places and organisations for anybody's Presidio, from the same models that memwarden uses.

Importing this module imports Presidio; memwarden's own chain never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from presidio_analyzer import EntityRecognizer, RecognizerResult

from memwarden.encoder.ner import ner

ENTITIES: Final = ("PERSON", "LOCATION", "ORGANIZATION", "NRP", "ADDRESS")


class NamedEntities(EntityRecognizer):
    """Finds people, places, organisations, peoples and English addresses in both languages."""

    def __init__(self, supported_language: str = "en") -> None:
        super().__init__(
            supported_entities=list(ENTITIES),
            supported_language=supported_language,
            name="MemwardenNamedEntities",
            version="1",
        )

    def load(self) -> None:
        """Nothing yet: the models load with the first text that needs them."""

    def analyze(
        self,
        text: str,
        entities: Sequence[str],
        nlp_artifacts: object = None,  # noqa: ARG002
    ) -> list[RecognizerResult]:
        """Results among ``entities`` (all when empty); NLP artifacts are not needed."""
        return [
            RecognizerResult(one.type, one.start, one.end, one.score)
            for one in ner([text])[0]
            if not entities or one.type in entities
        ]
