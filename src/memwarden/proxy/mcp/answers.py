"""What a server says: every text of it vetted before the client reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from memwarden.errors import MemwardenError
from memwarden.model import PartRole
from memwarden.proxy.mcp.known import KnownTexts, parts_of_text
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.payloads import Json
from memwarden.warden.ports import Stored

WITHHELD: Final = "[withheld by memwarden | 已由 memwarden 扣留]"

_SHORT: Final = 24
"""A single word of fewer characters commands nobody: names, types and ids are left alone."""

_OPAQUE: Final = frozenset({"data", "blob", "mimeType", "type", "role", "id", "uri", "annotations"})
"""Fields of the protocol itself, at its own places in a content block."""

_OWN: Final = frozenset({"uri", "uriTemplate", "mimeType", "progressToken", "requestId", "cursor"})
"""The same in lists and notifications."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Vets the answers of one server."""

    guard: RowGuard
    known: KnownTexts = field(repr=False)

    def result(self, result: Mapping[str, Json]) -> dict[str, Json]:
        """A result with what may not be given out replaced by a notice, its shape unchanged."""
        vetted = dict(result)
        if "structuredContent" in vetted:
            vetted["structuredContent"] = self.value(vetted["structuredContent"])
        for name in ("content", "contents", "messages"):
            if isinstance(vetted.get(name), list):
                vetted[name] = [self._block(one) for one in cast("list[Json]", vetted[name])]
        return vetted

    def _block(self, block: Json) -> Json:
        """A content block, a resource, or a message that holds one."""
        if isinstance(block, str):
            return self._text(block)
        if not isinstance(block, dict):
            return block
        made: dict[str, Json] = {}
        for name, value in block.items():
            if name == "text" and isinstance(value, str):
                made[name] = self._text(value)
            elif name in ("content", "resource", "description", "title"):
                made[name] = (
                    [self._block(one) for one in value]
                    if isinstance(value, list)
                    else self._block(value)
                )
            elif name in _OPAQUE:
                made[name] = value
            else:
                made[name] = self.value(value)
        return made

    def _text(self, text: str) -> str:
        """A text that may be JSON inside a string, as many servers answer."""
        if text[:1] in "{[":
            try:
                inner = json.loads(text)
            except ValueError:
                return self._told(text)
            vetted = self.value(inner)
            return text if vetted == inner else json.dumps(vetted, ensure_ascii=False, indent=2)
        return self._told(text)

    def value(self, value: Json) -> Json:
        """Any JSON, each of its texts by itself. Field names are vetted like texts."""
        if isinstance(value, str):
            return self._told(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {self._told(name): self.value(inner) for name, inner in value.items()}
        return value

    def named(self, value: Json) -> Json:
        """The same where the protocol's own fields (a URI, a type) stand among the texts."""
        if isinstance(value, list):
            return [self.named(one) for one in value]
        if isinstance(value, dict):
            return {
                name: inner if name in _OWN else self.named(inner) for name, inner in value.items()
            }
        return self.value(value)

    def _told(self, text: str) -> str:
        """The text as it may be given out. What cannot be vetted is not given out."""
        if _is_a_word(text):
            return text
        try:
            return self._admitted(text)
        except MemwardenError:
            return WITHHELD

    def _admitted(self, text: str) -> str:
        session = self.guard.session
        keys = session.warden.books.keys_of(self.guard.tenant)
        fields = {} if keys is None else self.known.find(keys, text)
        stored = Stored("", parts_of_text(text), fields)
        memory = session.memory("", stored, bound_id=False)
        (answer,) = session.admit([memory], store=self.guard.store())
        if answer is None:
            return WITHHELD
        return next(part.text for part in answer.parts if part.role is PartRole.TEXT)


def _is_a_word(text: str) -> bool:
    return len(text) < _SHORT and text.isascii() and not any(c.isspace() for c in text)
