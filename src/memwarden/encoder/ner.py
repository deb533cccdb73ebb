"""Named entities of texts in two languages: the evidence behind names, places and organisations.

``ner`` picks the model by script, text by text: Chinese by LAC, Latin by the English network, both
where both are there. Models load at the first text that needs them, once, from any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memwarden.encoder import ner_rules_en, ner_rules_zh
from memwarden.model import Entity
from memwarden.pii.fold import fold

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
_MOSTLY: Final = 4
"""Latin words for each Chinese sign from which a mixed text is read as English too."""

LANGUAGES: Final = ("en", "zh")


def ner(texts: Sequence[str], lang: str = "") -> tuple[tuple[Entity, ...], ...]:
    """Entities of every text, by position: PERSON, LOCATION, ORGANIZATION and NRP.

    Spans are code points of the text given. ``lang`` ("en", "zh") forces a model; by default the
    script decides. Raises ModelUnavailable if a needed model is missing or altered.
    """
    return tuple(_one(text, lang) for text in texts)


def languages_of(text: str) -> tuple[str, ...]:
    """The models that ``text`` needs."""
    signs = 0 if text.isascii() else len(_HAN.findall(text))
    if not signs:
        return ("en",)
    words = len(_LATIN.findall(text))
    return ("en", "zh") if words * _MOSTLY > signs else ("zh",)


def _one(text: str, lang: str) -> tuple[Entity, ...]:
    if not text.strip():
        return ()
    view = fold(text)
    found: list[Entity] = []
    for language in (lang,) if lang else languages_of(view.text):
        find = ner_rules_zh.entities if language == "zh" else ner_rules_en.entities
        found += find(view.text)
    moved = (
        Entity(one.type, *view.span(one.start, one.end), one.score, one.recognizer)
        for one in _settled(found)
    )
    return tuple(one for one in moved if one.end > one.start)


def _settled(found: list[Entity]) -> list[Entity]:
    """Of overlapping entities of the two models the longer one, in order of place."""
    kept: list[Entity] = []
    for one in sorted(found, key=lambda e: (e.start - e.end, e.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda e: e.start)
