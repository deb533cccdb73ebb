"""The placeholders of redacted originals, which a model has to be able to repeat."""

from __future__ import annotations

import re
from typing import Final

import unicodedata2

PLACEHOLDER: Final = (
    r"\u2039(?!(?:SPECIAL|RESERVED|UNUSED|EXTRA|TOKEN|EXTRA_ID)_[0-9])"
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_[0-9]+(?:\.[0-9]+)?\u203a"
)
"""``‹PERSON_3›``. Control tokens of models that are written alike (``<SPECIAL_3>``) are none."""

_ROW: Final = re.compile(rf"(?:{PLACEHOLDER})+")
_TIGHT: Final = re.compile(r"[!-~\u2039\u203a]")
"""A sign that could be half of a tag, an entity or a control token."""


def kept(text: str) -> str:
    """Placeholders with their own signs again, except between two signs that would grow together
    into something else if whoever is next takes the placeholder out, and except before a mark
    that normalizing would melt into the closing sign (``>`` and U+0338 make ``≯``)."""
    return _ROW.sub(_restored, text) if "\u2039" in text else text


def _restored(found: re.Match[str]) -> str:
    text = found.string
    before = text[max(0, found.start() - 1) : found.start()]
    after = text[found.end() : found.end() + 1]
    if (_grows(before) and _grows(after)) or _melts(after):
        return found[0]
    return found[0].replace("\u2039", "<").replace("\u203a", ">")


def _grows(char: str) -> bool:
    return bool(_TIGHT.match(char)) and char not in ".,:!?()'\""


def _melts(char: str) -> bool:
    return bool(char) and unicodedata2.category(char).startswith("M")
