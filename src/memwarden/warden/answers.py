"""What must not stand in an answer, and the scrubber that takes it out.

Besides the originals behind a block's own memories these are what was sealed for the persons that
the block is about, and what memories say that were withheld from the recall.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from memwarden.errors import UsageError
from memwarden.fence import Block, Paraphrases, Protected, Scrubber
from memwarden.fence.paraphrases import CheckedScrubber, Embed, Sayings, says_something
from memwarden.fence.scrub.scrubber import PHRASE
from memwarden.model import PartRole, ScrubSetting
from memwarden.responses import Scrubs
from memwarden.warden.books import Books
from memwarden.warden.sealed import ORIGINALS

OF_A_PERSON: Final = 500
"""Originals of one person that are looked for besides the block's own, the latest first."""

_KEPT: Final = 16
_WITHHELD: Final = "<WITHHELD_{number}>"


class BlockScrubber(Scrubber):
    """Takes out everything that must not be said; gives back only the block's own originals."""

    def __init__(
        self,
        own: Sequence[Protected],
        hidden: Sequence[Protected],
        setting: ScrubSetting,
        *,
        language: str,
    ) -> None:
        super().__init__([*own, *hidden], setting, language=language)
        self._own = Scrubber(own, setting, language=language)

    def restore(self, text: str) -> str:
        """``text`` with the originals in place of this block's placeholders, and of no others."""
        return self._own.restore(text)


class Answers:
    """Makes scrubbers for blocks, and keeps the last ones. Safe to use from any thread."""

    def __init__(self, books: Books, embed: Embed) -> None:
        self._books = books
        self._embed = embed
        self._lock = threading.Lock()
        self._made: OrderedDict[bytes, BlockScrubber] = OrderedDict()

    def scrubber(self, block: Block, setting: ScrubSetting) -> BlockScrubber:
        """The scrubber of a block. Raises VaultError where an original does not open."""
        own, others = self._decisions(block)
        key = self._key(block, setting, (*own, *others))
        made = self._made.get(key)
        if made is None:
            made = self._make(block, setting, own, others)
            with self._lock:
                self._made[key] = made
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
        return made

    def checked(self, block: Block, setting: ScrubSetting, asked: Paraphrases) -> Scrubs:
        """The same, which also takes out sentences that say what a protected text says."""
        if not 0.0 < asked.threshold <= 1.0:
            raise UsageError("the threshold of paraphrases is a cosine, above 0 and at most 1")
        own, others = self._decisions(block)
        sealed = self._originals(block.tenant, (*own, *others))
        phrase = PHRASE.in_language(block.language)
        sayings = [*sealed, *_withheld(block)]
        replaced = [
            (one.original, phrase if setting.replace_with == "phrase" else one.replacement)
            for one in sayings
        ]
        known = Sayings.of(replaced, self._embed)
        return CheckedScrubber(self.scrubber(block, setting), known, self._embed, asked)

    def _make(
        self, block: Block, setting: ScrubSetting, own: Iterable[str], others: Iterable[str]
    ) -> BlockScrubber:
        given = [memory.text.casefold() for memory in block.memories]
        hidden = [*self._originals(block.tenant, others), *_withheld(block)]
        return BlockScrubber(
            self._originals(block.tenant, own),
            # What a memory that was given out says in so many words is no secret here.
            [one for one in hidden if not any(one.original.casefold() in text for text in given)],
            setting,
            language=block.language,
        )

    def _decisions(self, block: Block) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The decisions behind the block's memories, and the others whose originals count."""
        own = dict.fromkeys(block.decision_ids)
        others = dict.fromkeys(one.decision_id for one in block.withheld if one.decision_id)
        people = {one.subject for one in (*block.memories, *block.withheld)} - {""}
        with self._books.database.read() as conn:
            for person in sorted(people):
                others |= dict.fromkeys(_sealed_for(conn, block.tenant, person))
        return tuple(own), tuple(one for one in others if one not in own)

    def _originals(self, tenant: str, decisions: Iterable[str]) -> list[Protected]:
        sealed = self._books.originals_of(tenant, decisions)
        return [Protected(one.original, one.redaction.placeholder) for one in sealed]

    def _key(self, block: Block, setting: ScrubSetting, decisions: Sequence[str]) -> bytes:
        """All a scrubber depends on, whether its originals still lie there as sealed included."""
        digest = blake2b(digest_size=20)
        words = [block.tenant, block.language, repr(setting), str(len(block.withheld))]
        with self._books.database.read() as conn:
            for decision in decisions:
                words += (decision, _sealed_as(conn, block.tenant, f"{decision}.{ORIGINALS}"))
        words += [memory.text for memory in (*block.withheld, *block.memories)]
        for word in words:
            digest.update(f"{len(word)}:{word}".encode("utf-8", "surrogatepass"))
        return digest.digest()


def _withheld(block: Block) -> list[Protected]:
    """What withheld memories say, sentence-like texts only: a single word is everybody's."""
    texts = dict.fromkeys(
        part.text
        for memory in block.withheld
        for part in memory.parts
        if part.role is PartRole.TEXT and says_something(part.text)
    )
    return [
        Protected(text, _WITHHELD.format(number=number)) for number, text in enumerate(texts, 1)
    ]


def _sealed_for(conn: sqlite3.Connection, tenant: str, person: str) -> list[str]:
    """The decisions whose originals are sealed under a person's key, the latest first."""
    ending = f".{ORIGINALS}"
    rows = conn.execute(
        "SELECT id FROM seal WHERE tenant = ? AND subject = ? AND substr(id, -length(?)) = ?"
        " ORDER BY row DESC LIMIT ?",
        (tenant, person, ending, ending, OF_A_PERSON),
    )
    return [row[0].removesuffix(ending) for row in rows]


def _sealed_as(conn: sqlite3.Connection, tenant: str, seal: str) -> str:
    """A digest of what lies sealed now, and of the key that opens it."""
    row = conn.execute(
        "SELECT s.blob, k.wrapped FROM seal AS s LEFT JOIN subject_key AS k"
        " ON k.tenant = s.tenant AND k.subject = s.subject WHERE s.tenant = ? AND s.id = ?",
        (tenant, seal),
    ).fetchone()
    if row is None:
        return ""
    return blake2b(row[0] + (row[1] or b""), digest_size=20).hexdigest()
