"""The line above a memory: who said it, when, how far to trust it, what it may be used for."""

from __future__ import annotations

import re
from typing import Final

from memwarden.fence import words
from memwarden.fence.inert import inert
from memwarden.fence.standing import standing
from memwarden.model import Memory, Message

_BETWEEN: Final = " · "
_NAME: Final = re.compile(r"[^\w.\-]+")
_LONGEST_NAME: Final = 40


def provenance(memory: Memory, language: str) -> str:
    """One line in the prompt's language. Of an unstamped memory it repeats nothing."""
    tier, influence = standing(memory)
    use = _say(words.USE, language, words.INFLUENCES[influence].in_language(language))
    if not memory.stamped:
        return _BETWEEN.join((words.UNKNOWN.in_language(language), use))
    return _BETWEEN.join(
        (
            _say(words.FROM, language, _source(memory.origin.source, language)),
            _say(words.STORED, language, _when(memory, language)),
            _say(words.TRUST, language, words.TIERS[tier].in_language(language)),
            use,
        )
    )


def _say(message: Message, language: str, what: str) -> str:
    return message.in_language(language).format(what=what)


def _source(source: str, language: str) -> str:
    known = words.SOURCES.get(source)
    if known is not None:
        return known.in_language(language)
    return _NAME.sub("-", inert(source))[:_LONGEST_NAME] or "-"


def _when(memory: Memory, language: str) -> str:
    if memory.stored_at is None:
        return words.UNDATED.in_language(language)
    return memory.stored_at.date().isoformat()
