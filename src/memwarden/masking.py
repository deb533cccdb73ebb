"""Partial masks: enough left to recognise one's own value, too little to use somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

STAR: Final = "*"


def mask(entity: str, value: str) -> str:
    """``value`` with its middle starred in the way usual for ``entity``."""
    return _WAYS.get(entity, _all)(value)


def _ends(first: int, last: int) -> Callable[[str], str]:
    """Keep letters and digits at both ends, never more than half of them."""

    def masked(value: str) -> str:
        signs = [at for at, char in enumerate(value) if char.isalnum()]
        room = len(signs) // 2
        head = min(first, room)
        tail = min(last, room - head)
        kept = {*signs[:head], *(signs[-tail:] if tail else ())}
        return "".join(
            char if at in kept or not char.isalnum() else STAR for at, char in enumerate(value)
        )

    return masked


def _mailbox(value: str) -> str:
    """``z***@example.com``; the mark in front of the @ is never a letter."""
    local, at, host = value.rpartition("@")
    return f"{local[:1]}{STAR * 3}{at}{host}" if at else _all(value)


def _name(value: str) -> str:
    """The first sign of every word: 张**, J*** S****."""
    return " ".join(word[:1] + STAR * max(1, len(word) - 1) for word in value.split(" "))


def _all(value: str) -> str:
    return STAR * min(max(len(value), 3), 12)


_WAYS: Final[Mapping[str, Callable[[str], str]]] = {
    "PHONE_NUMBER": _ends(3, 4),
    "BUSINESS_PHONE": _ends(3, 4),
    "CN_ID_CARD": _ends(3, 4),
    "CN_BANK_CARD": _ends(0, 4),
    "CREDIT_CARD": _ends(0, 4),
    "IBAN_CODE": _ends(2, 4),
    "BANK_ACCOUNT": _ends(0, 3),
    "US_SSN": _ends(0, 4),
    "EMAIL_ADDRESS": _mailbox,
    "PERSON": _name,
    "CN_PLATE": _ends(2, 2),
    "IP_ADDRESS": _ends(2, 0),
}
