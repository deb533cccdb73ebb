"""The clean reading: plain characters with their case kept, which is what models are shown."""

from __future__ import annotations

from memwarden.model import View, Views
from memwarden.text.folding import cleaning
from memwarden.text.mapping import PerCharacter
from memwarden.text.reading import Reading


def cleaned(views: Views) -> View:
    """The original without invisible characters, look-alike forms and traditional variants."""
    original = views.readings[0]
    if original.text.isascii():
        return original
    text = original.text.translate(cleaning())
    source = Reading("original", original.text)
    return Reading("clean", text, source, PerCharacter(original.text, cleaning()))
