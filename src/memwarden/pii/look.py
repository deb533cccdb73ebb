"""The cheap look: whether a text can hold a name at all, so that most never pay for a model."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memwarden.pii.load import document, words
from memwarden.pii.names_en import lower_case_name
from memwarden.pii.names_zh import maybe_name

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_CAPITAL: Final = re.compile(r"[A-Z\u00c0-\u00de\u0391-\u042f][A-Za-z\u00c0-\u04ff'’]*")


@lru_cache(maxsize=1)
def _plain() -> frozenset[str]:
    """Words that are often written with a capital and are no names."""
    names = document("names_en")
    return frozenset((*words(names, "starters"), *words(names, "not_people")))


def may_name(clean: str) -> bool:
    """Whether a person, place or organisation may stand in a clean reading."""
    if not clean.isascii() and _HAN.search(clean) and maybe_name(clean):
        return True
    plain = _plain()
    if clean.islower():
        return lower_case_name(clean)
    return any(match.group().lower() not in plain for match in _CAPITAL.finditer(clean))
