"""The same recognizers for anybody's Presidio. Presidio is imported when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memwarden.errors import UsageError
from memwarden.pii.detect import LANGUAGES

if TYPE_CHECKING:
    from presidio_analyzer import RecognizerRegistry

    from memwarden.pii.recognizers import MemwardenRecognizer


def recognizers(languages: Sequence[str] = ("en", "zh")) -> list[MemwardenRecognizer]:
    """One recognizer per type and language, each usable alone.

    Raises UsageError for a language that memwarden does not speak.
    """
    unknown = set(languages) - LANGUAGES
    if unknown:
        raise UsageError(f"no recognizers for {', '.join(sorted(unknown))}; there are en and zh")
    from memwarden.pii.recognizers import CLASSES

    return [made(supported_language=lang) for lang in languages for made in CLASSES.values()]


def registry(languages: Sequence[str] = ("en", "zh")) -> RecognizerRegistry:
    """A Presidio registry that holds ``recognizers(languages)`` and nothing else."""
    from presidio_analyzer import RecognizerRegistry

    return RecognizerRegistry(
        recognizers=recognizers(languages), supported_languages=list(languages)
    )
