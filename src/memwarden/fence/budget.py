"""Estimating what a text costs a model to read."""

from __future__ import annotations

from typing import Final

_ASCII_PER_TOKEN: Final = 3.5
_OTHER_PER_TOKEN: Final = 0.9
"""Both on the careful side: common tokenizers need fewer tokens for ordinary prose."""


def tokens(text: str) -> int:
    """An estimate of the tokens a model needs for ``text``, rounded up.

    No tokenizer is asked, for every model has its own. ASCII counts 3.5 characters a token, any
    other character a little over one token each.
    """
    if text.isascii():
        return _up(len(text) / _ASCII_PER_TOKEN)
    plain = len(text.encode("ascii", "ignore"))
    return _up(plain / _ASCII_PER_TOKEN + (len(text) - plain) / _OTHER_PER_TOKEN)


def _up(amount: float) -> int:
    return int(-(-amount // 1))
