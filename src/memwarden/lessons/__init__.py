"""Lessons: what a confirmed rejection or a reviewer's verdict taught, for the next write and read.

Matching is pure. What is kept of a text are keyed digests and sentence vectors, sealed under the
tenant's keys; the text itself is kept nowhere for a lesson's sake.
"""

from memwarden.lessons.keeping import MOST, holding, keep, listed, load, revision, revoke
from memwarden.lessons.matching import Comparable, Known
from memwarden.lessons.taught import Remembered, Taught
from memwarden.lessons.units import Unit, canonical, telling, units_of

__all__ = [
    "MOST",
    "Comparable",
    "Known",
    "Remembered",
    "Taught",
    "Unit",
    "canonical",
    "holding",
    "keep",
    "listed",
    "load",
    "revision",
    "revoke",
    "telling",
    "units_of",
]
