"""What an unquoted YAML scalar means: the core schema of YAML 1.2 (section 10.3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

_NULL: Final = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE: Final = frozenset(("true", "True", "TRUE"))
_FALSE: Final = frozenset(("false", "False", "FALSE"))
_INT: Final = re.compile(r"[-+]?[0-9]+")
_OCT: Final = re.compile(r"0o[0-7]+")
_HEX: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]+")
_LARGEST: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Trap:
    """A scalar that cannot be taken at its word: what is wrong, and what to write instead."""

    message: str
    hint: str


Value: TypeAlias = "str | int | float | bool | None"


def resolve(text: str) -> Value | Trap:
    """Return the value of an unquoted scalar, or the trap it is."""
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _NOT_FINITE.fullmatch(text):
        return Trap(f"`{text}` is not a finite number", "write a number, or quote it as text")
    if _LEADING_ZERO.fullmatch(text):
        bare = text.lstrip("+-").lstrip("0") or "0"
        hint = f"write {bare} for a number, '{text}' in quotes for text"
        return Trap(f"`{text}` is read differently by different versions of YAML", hint)
    return _number(text)


def _number(text: str) -> Value | Trap:
    if len(text) > 64:
        return text
    for pattern, base in ((_INT, 10), (_OCT, 8), (_HEX, 16)):
        if pattern.fullmatch(text):
            number = int(text.removeprefix("0o").removeprefix("0x"), base)
            if abs(number) > _LARGEST:
                return Trap(f"`{text}` is too large a number", "quote it if it is text")
            return number
    if _FLOAT.fullmatch(text):
        value = float(text)
        if value in (float("inf"), float("-inf")):
            return Trap(f"`{text}` is too large a number", "quote it if it is text")
        return value
    return text
