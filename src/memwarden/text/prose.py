"""Whether a text says anything: a field name, an id, a hash or a single word does not.

Models that were taught on sentences answer anything, so what is no sentence is not asked about.
"""

from __future__ import annotations

import re
from typing import Final

_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Scripts that write sentences without spaces."""

_WORD: Final = re.compile(r"[A-Z]?[^\W\d_A-Z][^\W\d_A-Z]+|[^\W\d_]{2,}")
"""A word inside a name: ``tool_call_id``, ``toolCallId`` and ``tool-call-id`` have three."""

_NAME_WORDS: Final = 4
"""Names of fields have up to three words; a sentence squeezed into one has more."""


def is_prose(text: str) -> bool:
    """True for two words with a space between them, for two characters of a script that needs no
    spaces, and for a single name that is made of many words."""
    if len(text.split(maxsplit=2)) > 1:
        return True
    if len(_UNSPACED.findall(text)) > 1:
        return True
    return len(_WORD.findall(text)) >= _NAME_WORDS
