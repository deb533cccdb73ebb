"""The cheap look: one linear pass that says which readings are worth making at all.

Most memories contain nothing that was encoded, spaced out or rotated. Asking that of each codec
by itself would cost more than every rule together, so all the questions are one automaton.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from memwarden.errors import GuardFailed
from memwarden.text.scripts import EMOJI, HAN, INVISIBLE
from memwarden.text.tables import lookalikes

if TYPE_CHECKING:
    import re2

_MEMORY: Final = 32 << 20
_EMOJI: Final = EMOJI
_BETWEEN: Final = rf"[ \t\n.\-_*|/\\~+,:;=^#·•・'\"`{_EMOJI}]"
_BETWEEN_HAN: Final = rf"[ \t\n.\-_*|/\\~+=^#·•・'\"`{_EMOJI}]"
_EDGE_LEFT: Final = r"(?:^|[^a-z0-9])"
_ROTATED: Final = (
    "gur|naq|lbh|lbhe|vtaber|cerivbhf|nyy|flfgrz|cebzcg|vafgehpgvbaf?|sebz|nyjnlf|sbetrg"
)
_REVERSED: Final = "eht|dna|uoy|ruoy|erongi|suoiverp|snoitcurtsni|tpmorp|metsys|tegrof|syawla"

FOLDED_LOOKS: Final = (
    ("html", r"&(?:#[0-9x]|[a-z]{2,8};)"),
    ("percent", r"%[0-9a-f]{2}"),
    ("quoted-printable", r"(?:=[0-9a-f]{2}){3}"),
    ("escapes", r"\\[ux][0-9a-f{]"),
    ("base64", r"[a-z0-9+/_-]{16}|[a-z0-9+/]{6}=(?:[^a-z0-9]|$)"),
    ("base32", r"[a-z2-7]{16}"),
    ("hex", r"(?:(?:0x)?[0-9a-f]{2}[ ,:\-]{0,2}){6}"),
    ("binary", r"(?:[01]{8}[ ,]{0,2}){3}"),
    ("decimal", r"(?:[0-9]{2,3}[ ,;]{1,2}){5}[0-9]{2}"),
    ("morse", r"(?:[.\-]{1,5}[ /]{1,3}){5}"),
    ("rot13", rf"{_EDGE_LEFT}(?:{_ROTATED})(?:[^a-z0-9]|$)"),
    ("reversed", rf"{_EDGE_LEFT}(?:{_REVERSED})(?:[^a-z0-9]|$)|略忽|令指|示提"),
    ("leet", r"[a-z@$][013457@$!|]{1,3}[a-z@$]|[a-z][013457@$]{2}"),
    ("joined", rf"{_EDGE_LEFT}[a-z0-9](?:{_BETWEEN}{{1,3}}[a-z0-9]){{3}}"),
    ("joined", rf"[{HAN}](?:{_BETWEEN_HAN}|<[^<>\n]{{0,80}}>){{1,4}}[{HAN}]"),
    ("joined", rf"[{HAN}](?:[,:;]{{1,2}}[{HAN}]){{2}}"),
    ("joined", r"[a-z](?:-?\n[ \t>]{0,8}|<[^<>\n]{0,80}>|\*{1,3}|__|~~|`)[a-z]"),
    ("joined", rf"[a-z]{{1,3}}(?:[.\-_|/~+*·•{_EMOJI}]{{1,2}}[a-z]{{1,3}}){{2}}"),
    ("joined", rf"[a-z][{_EMOJI}][a-z]"),
)
"""Asked of the folded text. Together they are one pass."""


def _original_looks() -> tuple[tuple[str, str], ...]:
    other = "".join(f"\\x{{{code:x}}}" for code in sorted(lookalikes().other))
    return (
        ("invisible", f"[{INVISIBLE}]"),
        ("skeleton", f"[{other}]"),
        ("tags", r"[\x{e0001}-\x{e007f}]{3}"),
        ("selectors", r"[\x{fe00}-\x{fe0f}\x{e0100}-\x{e01ef}]{2}"),
        ("bits", r"[\x{200b}-\x{200d}\x{2060}-\x{2064}\x{feff}\x{180e}\x{ad}]{16}"),
    )


class Looks:
    """A set of named questions answered in one pass."""

    __slots__ = ("_names", "_sentinel", "_set")

    def __init__(self, questions: tuple[tuple[str, str], ...]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY
        options.log_errors = False
        self._set: re2.Set = re2.Set.SearchSet(options)
        for _, pattern in questions:
            self._set.Add(pattern)
        self._sentinel = self._set.Add("")
        self._set.Compile()
        self._names = tuple(name for name, _ in questions)

    def __call__(self, text: str) -> frozenset[str]:
        """Return the names of the questions that ``text`` answers with yes."""
        try:
            hits = self._set.Match(text)
        except UnicodeEncodeError:
            hits = self._set.Match(text.encode("utf-8", "replace"))
        if len(hits) == 1:
            return _NOTHING
        if self._sentinel not in hits:
            raise GuardFailed("the look at a text ran out of memory; split the text")
        return frozenset(self._names[hit] for hit in hits if hit != self._sentinel)


_NOTHING: Final[frozenset[str]] = frozenset()


@cache
def folded_looks() -> Looks:
    return Looks(FOLDED_LOOKS)


@cache
def original_looks() -> Looks:
    return Looks(_original_looks())
