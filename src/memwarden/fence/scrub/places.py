"""What stands in an answer instead of an original, so that the answer keeps its form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

_STRUCTURE: Final = re.compile(r"\\.|([\"(){}\[\]<>|`\n])", re.DOTALL)
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_VALUE_NEXT: Final = re.compile(r"\"\s*:\s*$")
_ADDRESS_SEEN: Final = 512
_JSON_TOKEN: Final = re.compile(
    r"\\u[0-9a-fA-F]{4}|\\.|\"|[{}\[\]:,\s]+|[^\"\\{}\[\]:,\s]+|\\", re.DOTALL
)
_JSON_ARRAY: Final = re.compile(r"\[\s*[\[{\"0-9\-]")
_HEAD: Final = 64
NUMBER_SIGNS: Final = frozenset("+-.0123456789eE")
_UNFIT: Final = re.compile(r"[\"\\\x00-\x1f\x7f]")


def fit(replacement: str) -> str:
    """A replacement that no format can stumble over."""
    return _UNFIT.sub("", replacement)


@dataclass(frozen=True, slots=True)
class Document:
    """Whether the answer is one JSON document, and whether a string of it is open.

    ``head`` is how the answer begins. Where an answer is cut makes no difference to any of this.
    """

    head: str = ""
    in_string: bool = False

    def after(self, text: str) -> Document:
        """The state once ``text`` has followed."""
        head = self.head if len(self.head) >= _HEAD else (self.head + text).lstrip()[:_HEAD]
        if head[:1] not in ("{", "["):
            return Document(head)
        bare = text.replace("\\\\", "")
        quotes = bare.count('"') - bare.count('\\"')
        return Document(head, self.in_string ^ bool(quotes % 2))

    def expecting(self, text: str) -> Document:
        """The same state, but for knowing what comes next: ``[1`` opens JSON and ``[a`` a link."""
        return Document(self.after(text[:1]).head, self.in_string)

    @property
    def json(self) -> bool:
        return self.head[:1] == "{" or bool(_JSON_ARRAY.match(self.head))

    @property
    def bare(self) -> bool:
        """Whether a value here would stand outside every string of a JSON document."""
        return self.json and not self.in_string


def stand_in(taken: str, original: str, replacement: str, left: str, document: Document) -> str:
    """What is to stand for ``taken``, with ``left`` before it in the answer.

    Quotes and brackets that are not the original's own stay, so that what was balanced is
    balanced still. A number taken out of JSON is replaced by a string, and inside an address of
    the net the replacement is written as such addresses are.
    """
    if document.json:
        return _in_json(taken, replacement, document.in_string, left)
    said = quote(replacement, safe="") if _in_address(left) else replacement
    if taken[:1].isdecimal() and _VALUE_NEXT.search(left[-64:]):
        said = f'"{said}"'
    return said + _structure(taken, original)


def _structure(taken: str, original: str) -> str:
    """What of the form of an answer stood inside ``taken``: brackets whose other half is
    elsewhere, and quotes and bars that are not the original's own."""
    kept: list[str] = []
    for found in _STRUCTURE.finditer(taken):
        sign = found[1]
        if not sign:
            continue
        if sign in _PAIRS and kept and kept[-1] == _PAIRS[sign]:
            kept.pop()
        elif sign in "()[]{}" or sign not in original:
            kept.append(sign)
    return "".join(kept) if "|" in kept else "".join(kept).replace("\n", "")


def _in_address(left: str) -> bool:
    """Whether what comes next continues an address of the net, or the target of a link."""
    near = left[-_ADDRESS_SEEN:]
    word = near[1 + max(near.rfind(sign) for sign in " \n\t\r\"'<>\u3000") :]
    return "://" in word or "](" in word or word.startswith("www.")


def _in_json(taken: str, replacement: str, in_string: bool, left: str) -> str:
    said = quote(replacement, safe="") if in_string and _in_address(left) else replacement
    written: list[str] = []
    for found in _JSON_TOKEN.finditer(taken):
        piece = found[0]
        if piece == '"':
            in_string = not in_string
            written.append(piece)
        elif in_string:
            written.append(said)
            said = ""
        elif piece[0] in "{}[]:," or piece.isspace():
            written.append(piece)
        else:
            written.append(f'"{said}"' if piece[0] in NUMBER_SIGNS else said)
            said = ""
    return "".join(written)
