"""Encoded runs inside a text, each decoded in place. One call is one layer."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from memwarden.text.ciphers import rot13
from memwarden.text.mapping import Replacement
from memwarden.text.readable import readable

Decoder = Callable[[str], str | None]

_BASE64_TAIL: Final = r"(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,})*={0,2}"


def decode(text: str, codecs: frozenset[str]) -> list[Replacement]:
    """Decode the runs of the named codecs; ascending and disjoint, the leftmost, longest first."""
    found = [run for name in codecs for run in _runs(text, name)]
    found.sort(key=lambda run: (run.start, -run.end))
    kept: list[Replacement] = []
    for run in found:
        if not kept or run.start >= kept[-1].end:
            kept.append(run)
    return kept


def _runs(text: str, name: str) -> Iterator[Replacement]:
    pattern, decoder = _CODECS[name]
    for match in pattern.finditer(text):
        plain = decoder(match[0])
        if plain and plain != match[0]:
            yield Replacement(match.start(), match.end(), plain, name)


def _html(run: str) -> str | None:
    return html.unescape(run)


def _percent(run: str) -> str | None:
    return readable(unquote_to_bytes(run)) or unquote_to_bytes(run).decode("latin-1")


def _quoted_printable(run: str) -> str | None:
    return readable(quopri.decodestring(run.encode("ascii", "ignore")))


def _escapes(run: str) -> str | None:
    if "\\x" in run and "\\u" not in run and "\\U" not in run:
        return readable(bytes(int(code, 16) for code in _HEX_PAIR.findall(run)))
    codes = [int(code, 16) for code in _UNICODE_ESCAPE.findall(run)]
    plain = "".join(map(chr, (code for code in codes if code < 0x110000)))
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


def _base64(run: str) -> str | None:
    """As it stands, without its last lines, rotated, or backwards."""
    bare = "".join(run.split())
    first = run.split("\n", 1)[0].strip()
    for attempt in (bare, first, rot13(bare), bare.strip("=")[::-1]):
        plain = _from_base64(attempt)
        if plain:
            return plain
    return None


def _from_base64(run: str) -> str | None:
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    bare = bare[: len(bare) - 1] if len(bare) % 4 == 1 else bare
    try:
        return readable(base64.b64decode(bare + "=" * (-len(bare) % 4)))
    except (binascii.Error, ValueError):
        return None


def _base32(run: str) -> str | None:
    bare = run.rstrip("=")
    try:
        return readable(base64.b32decode(bare + "=" * (-len(bare) % 8)))
    except (binascii.Error, ValueError):
        return None


def _hex(run: str) -> str | None:
    digits = re.sub(r"0[xX]|[^0-9A-Fa-f]", "", run)
    return readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _binary(run: str) -> str | None:
    return readable(bytes(int(octet, 2) for octet in re.findall("[01]{8}", run)))


def _decimal(run: str) -> str | None:
    codes = [int(code) for code in re.findall(r"\d+", run)]
    return readable(bytes(codes)) if all(code < 256 for code in codes) else None


def _morse(run: str) -> str | None:
    words = re.split(r"\s*/\s*|\s{2,}", run.strip())
    plain = " ".join("".join(_MORSE.get(sign, "") for sign in word.split()) for word in words)
    return plain if len(plain) >= 4 else None


_HEX_PAIR: Final = re.compile(r"\\x([0-9A-Fa-f]{2})")
_UNICODE_ESCAPE: Final = re.compile(r"\\[uUx]\{?([0-9A-Fa-f]{2,8})\}?")
_MORSE_SIGNS: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- "
    "-..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_MORSE: Final = dict(
    zip(
        _MORSE_SIGNS.split(),
        "abcdefghijklmnopqrstuvwxyz0123456789",
        strict=True,
    )
)

_CODECS: Final[dict[str, tuple[re.Pattern[str], Decoder]]] = {
    "html": (
        re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?"),
        _html,
    ),
    "percent": (re.compile(r"(?:%[0-9A-Fa-f]{2})+"), _percent),
    "quoted-printable": (re.compile(r"(?:=[0-9A-F]{2}){3,}"), _quoted_printable),
    "escapes": (
        re.compile(
            r"(?:\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2})+"
        ),
        _escapes,
    ),
    "base64": (
        re.compile(rf"[A-Za-z0-9+/_-]{{16,}}{_BASE64_TAIL}|[A-Za-z0-9+/]{{6,15}}={{1,2}}"),
        _base64,
    ),
    "base32": (re.compile(r"[A-Z2-7]{16,}={0,6}"), _base32),
    "hex": (re.compile(r"(?:(?:0[xX])?[0-9A-Fa-f]{2}[ ,:\-]{0,2}){6,}"), _hex),
    "binary": (re.compile(r"(?:[01]{8}[ ,]{0,2}){3,}"), _binary),
    "decimal": (re.compile(r"(?:[0-9]{2,3}[ ,;]{1,2}){5,}[0-9]{2,3}"), _decimal),
    "morse": (re.compile(r"(?:[.\-]{1,5}(?: {1,3}| ?/ ?)){5,}[.\-]{1,5}"), _morse),
}

CODECS: Final = tuple(_CODECS)
"""Names of all codecs."""
