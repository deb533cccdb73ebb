"""Putting memories into a prompt, quoted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

from memwarden.fence import words
from memwarden.fence.block import Block
from memwarden.fence.budget import head, tokens
from memwarden.fence.inert import inert
from memwarden.fence.provenance import provenance
from memwarden.fence.standing import standing
from memwarden.fence.styles import Quoted, render
from memwarden.model import FenceSetting, Influence, Memory

_NONCE_BYTES: Final = 12


def wrap(
    memories: Sequence[Memory],
    setting: FenceSetting,
    *,
    tenant: str,
    language: str | None = None,
    seed: int | None = None,
) -> Block:
    """Quote ``memories`` for a prompt, in order, as many as have room.

    ``language`` is that of the prompt (default: the policy's). ``seed`` fixes the nonce, for
    tests only. A memory that does not fit is left out and counted; if none fits, the first one is
    shortened and says so.
    """
    spoken = "zh" if (language or setting.language).startswith("zh") else "en"
    bare = [inert(memory.text) for memory in memories]
    nonce = _nonce(seed, bare)
    frame = tokens(render((), setting, spoken, nonce, len(memories)))
    kept, quoted = _fitting(memories, bare, setting.max_tokens - frame, spoken)
    omitted = len(memories) - len(kept)
    text = render(quoted, setting, spoken, nonce, omitted)
    return Block(
        text=text,
        tenant=tenant,
        language=spoken,
        decision_ids=tuple(memory.decision_id for memory in kept if memory.decision_id),
        nonce=nonce,
        influence=min((standing(memory)[1] for memory in kept), default=Influence.REFERENCE),
        memories=tuple(kept),
        omitted=omitted,
        tokens=tokens(text),
    )


def _fitting(
    memories: Sequence[Memory], bare: Sequence[str], room: int, language: str
) -> tuple[list[Memory], list[Quoted]]:
    """What fits. A memory too large for the room makes way for the smaller ones behind it, so
    that one long memory cannot crowd out the others."""
    kept: list[Memory] = []
    quoted: list[Quoted] = []
    left = room
    for memory, text in zip(memories, bare, strict=True):
        one = Quoted(provenance(memory, language), text)
        cost = one.cost
        if cost <= left:
            left -= cost
            kept.append(memory)
            quoted.append(one)
    if memories and not kept:
        return [memories[0]], [_shortened(memories[0], bare[0], room, language)]
    return kept, quoted


def _shortened(memory: Memory, text: str, room: int, language: str) -> Quoted:
    above = provenance(memory, language)
    longest = words.SHORTENED.in_language(language).format(shown=len(text), whole=len(text))
    shown = head(text, room - Quoted(f"{above} {longest}", "").cost)
    said = words.SHORTENED.in_language(language).format(shown=len(shown), whole=len(text))
    return Quoted(f"{above} {said}", shown)


def _nonce(seed: int | None, contents: Sequence[str]) -> str:
    """A number that occurs in no content, even with its letters' case and its breaks ignored."""
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
