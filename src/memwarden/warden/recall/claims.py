"""Whether two texts make the same claim, in so many words. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import yaml

from memwarden.errors import CannotDecide
from memwarden.text import fold
from memwarden.text.scripts import CJK

_LONGEST: Final = 4_000
_SHORTEST: Final = 2
_MORE: Final = 1.1
"""One may have a tenth more words than the other, and must have all of the other's in order."""

_WORD: Final = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_NUMBER: Final = re.compile(r"\d")
_CONTRACTED: Final = re.compile("n['’]t(?![a-z])")


@dataclass(frozen=True, slots=True)
class Words:
    """Words without a claim of their own, and words that turn a claim around."""

    fillers: frozenset[str]
    negations: frozenset[str]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text says: its telling words in order, its numbers and its negations (sorted).

    Words are kept as this process's hashes of them, so that no text lives on in a cache.
    """

    words: tuple[int, ...]
    numbers: tuple[int, ...]
    negations: tuple[int, ...]


def claim_of(text: str) -> Claim | None:
    """The claim of a text; None where it is too short or too long to compare."""
    if len(text) > _LONGEST:
        return None
    known = words()
    said = _WORD.findall(_CONTRACTED.sub(" not", fold(text)))
    telling = tuple(word for word in said if word not in known.fillers)
    if len(telling) < _SHORTEST:
        return None
    return Claim(
        tuple(map(hash, telling)),
        tuple(hash(word) for word in telling if _NUMBER.search(word)),
        tuple(sorted(hash(word) for word in telling if word in known.negations)),
    )


def same_claim(one: Claim | None, other: Claim | None) -> bool:
    """Whether one says all that the other says, in the same order, and hardly more."""
    if one is None or other is None:
        return False
    if one.words == other.words:
        return True
    short, long = (one, other) if len(one.words) <= len(other.words) else (other, one)
    return (
        len(long.words) <= _MORE * len(short.words)
        and one.numbers == other.numbers
        and one.negations == other.negations
        and _within(short.words, long.words)
    )


def _within(short: Sequence[int], long: Sequence[int]) -> bool:
    rest = iter(long)
    return all(word in rest for word in short)


@lru_cache(maxsize=1)
def words() -> Words:
    """The word lists that ship with memwarden, folded as texts are."""
    lists = data()
    return Words(_both(lists["fillers"]), _both(lists["negations"]))


@lru_cache(maxsize=1)
def data() -> Mapping[str, object]:
    """The whole data file, with the pairs that say what it is for."""
    text = files("memwarden.warden.recall").joinpath("claims.yaml").read_text(encoding="utf-8")
    loaded = yaml.safe_load(text)
    if not isinstance(loaded, dict):
        raise CannotDecide("the data file warden/recall/claims.yaml is not a mapping; reinstall")
    return loaded


def _both(lists: object) -> frozenset[str]:
    if not isinstance(lists, dict):
        raise CannotDecide("a word list in warden/recall/claims.yaml is damaged; reinstall")
    return frozenset(fold(str(word)) for language in ("en", "zh") for word in lists[language])
