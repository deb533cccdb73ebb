"""Marking every word of a quotation, so that a model never loses sight of what is quoted.

Spotlighting (arXiv 2403.14720): a sign between the words, or the whole text encoded. It lowers the
chance that a model follows what it reads, and promises nothing.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final

from memwarden.model import FenceSetting
from memwarden.text.scripts import CJK

_MARKS: Final = "ˆ˜¦¬ˇ˙¤§"
_SPACES: Final = re.compile(r"[^\S\n]+")
_FOUR: Final = re.compile(f"([{CJK}]{{4}})(?=[{CJK}])")


def mark_for(nonce: str, contents: Sequence[str]) -> str:
    """A sign that stands in none of ``contents``, another one from call to call."""
    turn = int(nonce, 16) % len(_MARKS)
    signs = _MARKS[turn:] + _MARKS[:turn]
    unused = [sign for sign in signs if not any(sign in content for content in contents)]
    return unused[0] if unused else signs[0]


def dressed(text: str, setting: FenceSetting, mark: str) -> str:
    """``text`` as it will stand in the prompt. Encoding makes marks needless."""
    if setting.encode:
        return base64.b64encode(text.encode()).decode()
    if setting.datamark:
        bare = text.replace(mark, "")
        return _FOUR.sub(rf"\1{mark}", _SPACES.sub(mark, bare))
    return text
