"""Making a text inert: nothing in it can open or close anything, whatever is done to it later.

Whoever gets the text next may decode entities, take invisible characters out, fold full-width
forms or strip tags, in any order and any number of times. So all of that is done here first, until
nothing changes, and only then are the signs that make tags replaced by others that no decoding or
folding turns back. What is left is a fixed point of all those steps, and of this function.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Final

import unicodedata2

from memwarden.fence.placeholders import PLACEHOLDER, kept
from memwarden.text import fold
from memwarden.text.scripts import INVISIBLE

_ROUNDS: Final = 16
"""Rounds of decoding before a text counts as a trap, and every ampersand is taken out of it."""

_OPENING: Final = "<\u02c2\u1438\u276e\u2770\u27e8\u29fc\U0001d236"
_CLOSING: Final = ">\u02c3\u1433\u276f\u2771\u27e9\u29fd\U0001d237"
_STRUCTURE: Final = frozenset("&[]|{}#`\\%;/")
_UNSEEN: Final = re.compile(f"[{INVISIBLE}]")
_BREAKS: Final = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_REMEMBERED: Final = 16_384

_AMPERSANDS: Final = re.compile(r"&(?:amp;?|#0*38;?|#x0*26;?)+", re.IGNORECASE)
_HIDDEN_SIGN: Final = re.compile(r"(?:\\+u(?:00|\{0*)|\\+x|%(?:25)*)(?:(3c)|3e)\}?", re.IGNORECASE)
_ESCAPE_LIKE: Final = re.compile(r"[&\\%][^\s&\\%<>]+")
_BRACKETED: Final = re.compile(r"\[([^\[\]]{1,160})\]")
_PLACEHOLDER: Final = re.compile(PLACEHOLDER)
_CONTROL: Final = frozenset(
    (
        # Llama and Mistral
        *("inst", "sys", "toolcalls", "toolcall", "toolresults", "toolcontent", "availabletools"),
        *("systemprompt", "modelsettings", "think", "args", "callid", "img", "imgbreak", "imgend"),
        *("audio", "beginaudio", "transcribe", "prefix", "middle", "suffix"),
        # GLM and other Chinese models
        *("gmask", "smask", "mask", "sop", "eop", "human", "observation", "unused"),
        # BERT and its kin
        *("cls", "sep", "pad", "unk", "bos", "eos"),
        # made up by hand, and believed all the same
        *("system", "user", "assistant", "tool", "developer", "instructions", "endofmemories"),
    )
)
"""Words that, in square brackets, are a control token or pass for one."""


class _Table(dict[int, str]):
    """A translation table that works out each character when it is first met."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[str], str]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, code: int) -> str:
        plain = self._read(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = plain
        return plain


def _plain(char: str) -> str:
    if char in _BREAKS:
        return "\n"
    if char == "\t" or (" " <= char < "\x7f" and char not in "<>"):
        return char
    if unicodedata2.category(char) in ("Cc", "Cf", "Cs", "Cn") or _UNSEEN.match(char):
        return ""
    apart = unicodedata2.normalize("NFKD", char)
    if any(sign in _OPENING for sign in apart):
        return "\u2039"
    if any(sign in _CLOSING for sign in apart):
        return "\u203a"
    whole: str = unicodedata2.normalize("NFKC", char)
    return whole if any(sign in _STRUCTURE for sign in whole) else char


def _typed(char: str) -> str:
    """The letter or digit of ASCII that ``char`` is a form of, or ``char``."""
    whole: str = unicodedata2.normalize("NFKC", char)
    return whole if whole.isascii() and whole.isalnum() else char


_TABLE: Final = _Table(_plain)
_TYPED: Final = _Table(_typed)


def inert(text: str) -> str:
    """Return ``text`` with nothing left in it that opens or closes anything.

    Tag signs become ``‹`` and ``›``, control tokens in square brackets get round ones, entities
    are decoded, invisible and control characters are gone; lines break with ``\\n`` only. Only the
    placeholders of redacted originals (``<PERSON_3>``) stay as they are. Doing it twice changes
    nothing more. Time is linear in the length of the text.
    """
    for _ in range(_ROUNDS):
        before = text
        text = _once(text)
        if text == before:
            break
    else:
        text = _once(text.replace("&", "").replace("\\", "/").replace("%", "/"))
    return kept(_BRACKETED.sub(_rounded, text))


def _once(text: str) -> str:
    text = text.replace("\r\n", "\n").translate(_TABLE)
    if not text.isascii():
        text = _ESCAPE_LIKE.sub(lambda found: found[0].translate(_TYPED), text)
    if "\\" in text or "%" in text:
        text = _HIDDEN_SIGN.sub(lambda found: "<" if found[1] else ">", text).translate(_TABLE)
    if "&" in text:
        text = html.unescape(_AMPERSANDS.sub("&", text)).translate(_TABLE)
    return text


def _rounded(found: re.Match[str]) -> str:
    word = "".join(fold(_PLACEHOLDER.sub("", found[1])).split())
    return f"({found[1]})" if word.strip("/").replace("_", "") in _CONTROL else found[0]
