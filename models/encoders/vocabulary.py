"""Which pieces of a multilingual vocabulary are kept for English and Chinese."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tokenizers import Tokenizer

ENGLISH_WORDS: Final = 80_000
CHINESE_WORDS: Final = 200_000
_SCRIPTS: Final = ("LATIN", "GREEK", "CYRILLIC", "HIRAGANA", "KATAKANA", "FULLWIDTH")
_SPACE: Final = "▁"


def kept_ids(tokenizer: Tokenizer, pieces: Sequence[str], fixed: Iterable[int]) -> list[int]:
    """The ids to keep, in order: what common words are made of, single characters, short pieces."""
    kept = set(fixed)
    for texts in _words():
        for encoding in tokenizer.encode_batch(texts, add_special_tokens=False):
            kept.update(encoding.ids)
    kept.update(i for i, piece in enumerate(pieces) if _general(piece.lstrip(_SPACE)))
    return sorted(kept)


def _words() -> Iterator[list[str]]:
    """Frequent words in the surroundings in which they are tokenised differently."""
    from wordfreq import top_n_list

    english = top_n_list("en", ENGLISH_WORDS, wordlist="best")
    yield english
    yield [f"query: {word}" for word in english]
    yield [word.capitalize() for word in english[:60_000]]
    yield [word.upper() for word in english[:30_000]]
    yield [f"{word}'s, {word}." for word in english[:5_000]]
    chinese = top_n_list("zh", CHINESE_WORDS, wordlist="best")
    yield chinese
    yield [f"的{word}" for word in chinese]
    yield _dictionary()


def _dictionary() -> list[str]:
    """The words of jieba's dictionary that were counted five times or more."""
    import jieba

    path = Path(jieba.__file__).with_name("dict.txt")
    entries = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [entry[0] for entry in entries if int(entry[1]) >= 5]


def _general(piece: str) -> bool:
    """Whether a piece is kept whatever words it stands in."""
    if len(piece) <= 1:
        return not piece or _single(piece)
    if piece.isascii():
        return len(piece) <= (2 if piece.isalpha() else 3)
    return len(piece) <= 4 and all(map(_han, piece))


def _single(character: str) -> bool:
    if _han(character) or unicodedata.category(character)[0] in "PSNZ":
        return True
    if character.isascii():
        return True
    return unicodedata.name(character, "").startswith(_SCRIPTS)


def _han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"
