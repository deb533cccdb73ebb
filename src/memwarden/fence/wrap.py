"""Putting memories into a prompt, quoted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.fence import words
from memwarden.fence.block import Block
from memwarden.fence.budget import tokens
from memwarden.fence.corroboration import influence_of
from memwarden.fence.dress import dressed, mark_for
from memwarden.fence.inert import inert
from memwarden.fence.provenance import provenance
from memwarden.fence.styles import Quoted, Sheet, render
from memwarden.model import FenceSetting, Memory

_NONCE_BYTES: Final = 12


def wrap(
    memories: Sequence[Memory],
    setting: FenceSetting,
    *,
    tenant: str,
    language: str | None = None,
    seed: int | None = None,
    withheld: Sequence[Memory] = (),
) -> Block:
    """Quote ``memories`` for a prompt, in order, as many as have room.

    ``language`` is that of the prompt (default: the policy's). ``seed`` fixes the nonce, for
    tests only. A memory that does not fit is left out and counted, so that one long memory cannot
    crowd out the others; if none fits, the first one is shortened and says so. ``withheld`` are
    memories whose words must not be in the answer. Raises UsageError for a style that does not
    exist.
    """
    spoken = "zh" if (language or setting.language).startswith("zh") else "en"
    bare = [inert(memory.text) for memory in memories]
    nonce = _nonce(seed, bare)
    mark = mark_for(nonce, bare) if setting.datamark else ""
    page = _Page(setting, spoken, nonce, mark)
    kept, quoted = _fitting(memories, bare, page)
    text = page.written(quoted, len(memories) - len(kept))
    return Block(
        text=text,
        tenant=tenant,
        language=spoken,
        decision_ids=tuple(memory.decision_id for memory in kept if memory.decision_id),
        nonce=nonce,
        influence=influence_of(kept),
        memories=tuple(kept),
        omitted=len(memories) - len(kept),
        tokens=tokens(text),
        style=setting.style,
        withheld=tuple(withheld),
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """How this prompt is written."""

    setting: FenceSetting
    language: str
    nonce: str
    mark: str

    def written(self, quoted: Sequence[Quoted], omitted: int) -> str:
        said = [words.NOTICE.in_language(self.language).format(nonce=self.nonce)]
        if self.setting.encode:
            said.append(words.ENCODED.in_language(self.language))
        elif self.setting.datamark:
            said.append(words.MARKED.in_language(self.language).format(mark=self.mark))
        tail = [] if quoted or omitted else [words.NOTHING.in_language(self.language)]
        if omitted:
            tail.append(words.LEFT_OUT.in_language(self.language).format(count=omitted))
        title = words.TITLE.in_language(self.language)
        notice = (" " if self.language == "en" else "").join(said)
        sheet = Sheet(title, notice, tuple(quoted), " ".join(tail), self.nonce)
        return render(sheet, self.setting.style)

    def quote(self, memory: Memory, text: str, note: str = "") -> Quoted:
        above = provenance(memory, self.language)
        shown = dressed(text, self.setting, self.mark)
        return Quoted(f"{above} {note}" if note else above, shown)


def _fitting(
    memories: Sequence[Memory], bare: Sequence[str], page: _Page
) -> tuple[list[Memory], list[Quoted]]:
    room = page.setting.max_tokens - tokens(page.written((), len(memories)))
    kept: list[Memory] = []
    quoted: list[Quoted] = []
    left = room
    for memory, text in zip(memories, bare, strict=True):
        one = page.quote(memory, text)
        if one.cost <= left:
            left -= one.cost
            kept.append(memory)
            quoted.append(one)
    if memories and not kept:
        first = _shortened(memories[0], bare[0], page, room)
        return ([memories[0]], [first]) if first else ([], [])
    return kept, quoted


def _shortened(memory: Memory, text: str, page: _Page, room: int) -> Quoted | None:
    """The longest beginning that fits, with a note that says so; None if nothing does."""

    def cut(length: int) -> Quoted:
        note = words.SHORTENED.in_language(page.language)
        return page.quote(memory, text[:length], note.format(shown=length, whole=len(text)))

    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if cut(middle).cost <= room:
            low = middle
        else:
            high = middle - 1
    return cut(low) if low else None


def _nonce(seed: int | None, contents: Sequence[str]) -> str:
    """A number that occurs in no content, even with its letters' case and its spaces ignored."""
    folded = ["".join(content.casefold().split()) for content in contents]
    attempt = 0
    while True:
        nonce = _drawn(seed, attempt)
        if not any(nonce in content for content in folded):
            return nonce
        attempt += 1


def _drawn(seed: int | None, attempt: int) -> str:
    if seed is None:
        return secrets.token_hex(_NONCE_BYTES)
    return hashlib.sha256(f"{seed}:{attempt}".encode()).hexdigest()[: 2 * _NONCE_BYTES]
