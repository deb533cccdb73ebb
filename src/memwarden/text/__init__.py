"""Canonical readings of a text, each with the way back to the original.

``read`` is pure and bounded. Everything else here is what guards share with it: script-aware
word boundaries, the folding that rule patterns are written in, segments, and layout oddities.
"""

from memwarden.text.boundaries import digits_alone, whole_word
from memwarden.text.clean import cleaned
from memwarden.text.folding import fold
from memwarden.text.oddities import Oddity, find_oddities
from memwarden.text.prose import is_prose
from memwarden.text.reading import read
from memwarden.text.segments import segments

__all__ = [
    "Oddity",
    "cleaned",
    "digits_alone",
    "find_oddities",
    "fold",
    "is_prose",
    "read",
    "segments",
    "whole_word",
]
