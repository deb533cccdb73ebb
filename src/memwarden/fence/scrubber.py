"""Taking confidential originals out of what a model answers."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memwarden.model import Message, ScrubSetting
from memwarden.text.folding import skeleton

PHRASE: Final = Message(en="based on your preferences", zh="根据您的偏好")
_GAP: Final = 4


@dataclass(frozen=True, slots=True)
class Protected:
    """An original that must not appear, and what stands in its place."""

    original: str = field(repr=False)
    replacement: str


class Scrubber:
    """Takes the originals of one block out of answers."""

    def __init__(
        self, protected: Sequence[Protected], setting: ScrubSetting, *, language: str
    ) -> None:
        self._setting = setting
        self._phrase = PHRASE.in_language(language)
        self._protected = [
            (key, one)
            for one in protected
            if len(key := _letters(one.original)[0]) and _width(one.original) >= setting.min_length
        ]

    def scrub(self, text: str) -> str:
        """``text`` without the originals."""
        letters, places = _letters(text)
        spans = [
            (places[at], places[at + len(key) - 1] + 1, one)
            for key, one in self._protected
            for at in _everywhere(letters, key)
            if _holds(text, places, at, at + len(key))
        ]
        return self._without(text, spans)

    def stream(self, chunks: Iterable[str]) -> Iterator[str]:
        """The same for an answer that arrives in pieces."""
        yield self.scrub("".join(chunks))

    async def stream_async(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same for an asynchronous answer."""
        yield self.scrub("".join([chunk async for chunk in chunks]))

    def _without(self, text: str, spans: list[tuple[int, int, Protected]]) -> str:
        pieces: list[str] = []
        read = 0
        for start, end, one in sorted(spans, key=lambda span: (span[0], -span[1])):
            if start < read:
                read = max(read, end)
                continue
            phrase = self._setting.replace_with == "phrase"
            pieces += (text[read:start], self._phrase if phrase else one.replacement)
            read = end
        return "".join((*pieces, text[read:]))


def _width(text: str) -> int:
    return sum(1 if char.isascii() else 2 for char in text if char.isalnum())


def _letters(text: str) -> tuple[str, list[int]]:
    table = skeleton()
    pairs = [
        (sign, at) for at, char in enumerate(text) for sign in table[ord(char)] if sign.isalnum()
    ]
    return "".join(sign for sign, _ in pairs), [at for _, at in pairs]


def _everywhere(text: str, key: str) -> Iterator[int]:
    at = text.find(key)
    while at >= 0:
        yield at
        at = text.find(key, at + 1)


def _holds(text: str, places: list[int], start: int, end: int) -> bool:
    """Whether the signs stand close enough together, and are not a piece of something longer."""
    spots = places[start:end]
    if any(right - left > _GAP + 1 for left, right in zip(spots, spots[1:], strict=False)):
        return False
    first, last = spots[0], spots[-1]
    return not _continues(text, first - 1, first) and not _continues(text, last, last + 1)


def _continues(text: str, left: int, right: int) -> bool:
    if left < 0 or right >= len(text):
        return False
    before, after = text[left], text[right]
    if before.isdecimal() and after.isdecimal():
        return True
    return _alphabetic(before) and _alphabetic(after)


def _alphabetic(char: str) -> bool:
    return char.isalpha() and ord(char) < 0x2E80
