"""Taking confidential originals out of what a model answers."""

from __future__ import annotations

import codecs
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final
from urllib.parse import quote

from memwarden.fence.scrub.flow import Flow
from memwarden.fence.scrub.owner import Protected, owner_of
from memwarden.fence.scrub.places import Document
from memwarden.fence.scrub.tails import Tails
from memwarden.fence.scrub.wanted import Wanted
from memwarden.model import Message, ScrubSetting

PHRASE: Final = Message(en="based on your preferences", zh="根据您的偏好")
"""What stands for an original where policy wants no placeholder."""

_BLOCK: Final = 32_768
"""Code points that are looked at in one go, so that long answers need little memory."""


class Scrubber:
    """Takes the originals behind one block out of answers.

    Originals are found re-cased, spaced out or punctuated (up to 4 separators between two signs),
    full-width, in traditional or simplified characters, with Chinese numerals, in base64, behind
    JSON, URL and HTML escapes, and quoted in large part. Safe to use from several threads.
    """

    def __init__(
        self, protected: Sequence[Protected], setting: ScrubSetting, *, language: str
    ) -> None:
        owners = [owner_of(one, setting) for one in protected]
        self._owners = tuple(owner for owner in owners if owner is not None)
        self._phrase = PHRASE.in_language(language) if setting.replace_with == "phrase" else None
        self._protected = tuple(protected)

    @property
    def skipped(self) -> int:
        """How many originals are too short to be told from ordinary text, and stay."""
        return len(self._protected) - len(self._owners)

    def scrub(self, text: str) -> str:
        """``text`` without the originals. Linear in its length."""
        flow = self.flow()
        pieces = [flow.feed(text[at : at + _BLOCK]) for at in range(0, len(text), _BLOCK)]
        return "".join((*pieces, flow.finish()))

    def flow(self) -> Flow:
        """The same for one answer that arrives in pieces, for callers with a loop of their own."""
        return Flow(self._wanted, self._tails, self._phrase)

    def stream(self, chunks: Iterable[str]) -> Iterator[str]:
        """The same for an answer that arrives in pieces, which may be cut anywhere. What comes
        out is together exactly what ``scrub`` gives for the whole."""
        flow = self.flow()
        for chunk in chunks:
            if out := flow.feed(chunk):
                yield out
        if out := flow.finish():
            yield out

    async def stream_async(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same for an asynchronous answer."""
        flow = self.flow()
        async for chunk in chunks:
            if out := flow.feed(chunk):
                yield out
        if out := flow.finish():
            yield out

    def stream_bytes(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The same for UTF-8, cut anywhere. Bytes that are not UTF-8 pass as they are."""
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        flow = self.flow()
        for chunk in chunks:
            if out := flow.feed(decoder.decode(chunk)):
                yield out.encode("utf-8", "surrogateescape")
        out = flow.feed(decoder.decode(b"", final=True)) + flow.finish()
        if out:
            yield out.encode("utf-8", "surrogateescape")

    def restore(self, text: str) -> str:
        """``text`` with the originals in place of this block's placeholders.

        Only for a caller who may see them. A placeholder of any other block, or one that stands
        for several originals, stays; so does a phrase, which stands for nothing in particular.
        """
        known = self._by_placeholder
        if not known:
            return text
        pieces: list[str] = []
        document, read = Document(), 0
        for found in self._placeholders.finditer(text):
            between = text[read : found.start()]
            document = document.after(between)
            pieces += (between, _fitted(known[found[0]], found[0], document))
            read = found.end()
        return "".join((*pieces, text[read:]))

    @cached_property
    def _wanted(self) -> Wanted:
        return Wanted(self._owners)

    @cached_property
    def _tails(self) -> Tails:
        return Tails(self._wanted)

    @cached_property
    def _by_placeholder(self) -> dict[str, str]:
        meant: dict[str, set[str]] = {}
        for one in self._protected:
            meant.setdefault(one.replacement, set()).add(one.original)
        plain = {shown: next(iter(of)) for shown, of in meant.items() if shown and len(of) == 1}
        forms: dict[str, str] = {}
        for shown, original in plain.items():
            forms[quote(shown, safe="")] = quote(original, safe="")
            forms[shown.replace("<", "\u2039").replace(">", "\u203a")] = original
            forms[shown] = original
        return forms

    @cached_property
    def _placeholders(self) -> re.Pattern[str]:
        longest_first = sorted(self._by_placeholder, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))


def _fitted(original: str, shown: str, document: Document) -> str:
    """The original, escaped where it goes into a JSON string."""
    import json

    if shown.startswith("%") or not document.json:
        return original
    return json.dumps(original, ensure_ascii=False)[1:-1]
