"""Special categories: health, mood, finances, faith, politics, sexuality, minors, allergies.

What is reported is the statement about a person, not the topic; and whether the same breath asks
for it to be remembered, for then it is not a passing remark.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import re2

from memwarden.pii.engine import pack_engine
from memwarden.pii.found import Found

PACK: Final = "special"
PREFIX: Final = "SPECIAL_"
"""How every entity of these categories begins."""

_ASKED: Final = re2.compile(
    r"(?i)(?:remember|keep in mind|make a note|take note|note down|note that|don'?t forget|"
    r"save (?:this|that|it)|store (?:this|that|it)|for (?:the )?future reference|for the record|"
    r"记住|请记|记下|记一下|记得|记着|别忘|不要忘|帮我记|备注|存一下|保存一下|留意一下|记录一下)"
)
_STOP: Final = re2.compile(r"[.!?。！？\n]")


def find(text: str) -> list[Found]:
    """Statements about a person in a clean reading, the longest of those that overlap."""
    kept: list[Found] = []
    for one in sorted(pack_engine(PACK).find(text), key=lambda f: (f.start - f.end, f.start)):
        trimmed = _trimmed(text, one)
        if not any(trimmed.overlaps(other) for other in kept):
            kept.append(trimmed)
    return sorted(kept, key=lambda one: one.start)


def asked_for(text: str, one: Found) -> bool:
    """Whether the sentence around ``one``, or the one before or behind it, asks to remember it."""
    for match in _ASKED.finditer(text):
        between = (
            text[match.end() : one.start]
            if match.end() <= one.start
            else text[one.end : match.start()]
        )
        if len(between) <= _REACH and len(_STOP.findall(between)) <= 1:
            return True
    return False


_REACH: Final = 80
"""Code points between a request and what it is about."""


def _trimmed(text: str, one: Found) -> Found:
    end = one.end
    while end > one.start and text[end - 1] in " ,.!?;\n":
        end -= 1
    return replace(one, end=end)
