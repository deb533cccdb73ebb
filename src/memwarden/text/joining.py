"""Words that were pulled apart, put together again.

``i g n o r e``, ``ig-nore`` over a line end, ``ig<b>no</b>re``, 忽-略 and 忽😀略 read without what
stands between their letters. Spaces between whole words go too where letters were spaced, so
rules look at this reading without asking for spaces or boundaries.
"""

from __future__ import annotations

import re
from typing import Final

from memwarden.text.mapping import Replacement
from memwarden.text.scripts import EMOJI, HAN

_BETWEEN: Final = rf"[ \t.\-_*|/\\~+,:;=^#\u00b7\u2022\u30fb'\"`{EMOJI}]"
_BETWEEN_HAN: Final = rf"[ \t.\-_*|/\\~+=^#\u00b7\u2022\u30fb'\"`{EMOJI}]"
_ALONE_LEFT: Final = r"(?<=(?<![a-z0-9])[a-z0-9])"
_ALONE_RIGHT: Final = r"(?=[a-z0-9](?![a-z0-9]))"
_TAG: Final = r"<[^<>\n]{0,80}>"

_APART: Final = re.compile(
    rf"{_ALONE_LEFT}(?:{_BETWEEN}|\n){{1,3}}{_ALONE_RIGHT}"
    rf"|(?<=[{HAN}])(?:{_BETWEEN_HAN}|\n|{_TAG}){{1,4}}(?=[{HAN}])"
    rf"|(?<=(?<![{HAN}])[{HAN}])[,:;]{{1,2}}(?=[{HAN}](?![{HAN}]))"
    rf"|(?<=[a-z])(?:-?\n[ \t>]{{0,8}}|{_TAG}|\*{{1,3}}|__|~~|`{{1,3}}"
    rf"|[.\-_|/~+*\u00b7\u2022\u200b{EMOJI}]{{1,2}})(?=[a-z])"
)


def joins(folded: str) -> list[Replacement]:
    """Return what has to go from a folded text for pulled-apart words to close up."""
    return [Replacement(run.start(), run.end(), "", "joined") for run in _APART.finditer(folded)]
