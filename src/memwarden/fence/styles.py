"""The shapes that quoted memories take in a prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memwarden.errors import UsageError
from memwarden.fence.budget import tokens

_FEW: Final = 4
"""Tokens for the number of a memory and what sets it apart."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """One memory as it will stand in the prompt: the line above it, and its inert text."""

    above: str
    text: str

    @property
    def cost(self) -> int:
        """Tokens, with the marks in front of its lines."""
        lines = self.text.count("\n") + 1
        return tokens(self.above) + tokens(self.text) + lines + _FEW


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that a style sets out. ``tail`` is said after the memories, if anything."""

    title: str
    notice: str
    quoted: tuple[Quoted, ...]
    tail: str
    nonce: str


def render(sheet: Sheet, style: str) -> str:
    """The whole text. Raises UsageError for a style that does not exist."""
    chosen = STYLES.get(style)
    if chosen is None:
        raise UsageError(f"there is no fence style {style!r}; one of: {', '.join(STYLES)}")
    return chosen(sheet)


def _xml(sheet: Sheet) -> str:
    tag = f"memories-{sheet.nonce}"
    return "\n".join((f"<{tag}>", sheet.notice, *_lines(sheet), f"</{tag}>"))


def _system(sheet: Sheet) -> str:
    tag = f"memories-{sheet.nonce}"
    head = (f"# {sheet.title}", sheet.notice)
    return "\n".join((*head, f"<{tag}>", *_lines(sheet), f"</{tag}>"))


def _chat(sheet: Sheet) -> str:
    name = f"{sheet.title} {sheet.nonce}"
    return "\n".join((f"=== {name} ===", sheet.notice, *_lines(sheet), f"=== /{name} ==="))


def _markdown(sheet: Sheet) -> str:
    lines = [f"### {sheet.title} ({sheet.nonce})", "", sheet.notice, ""]
    for number, one in enumerate(sheet.quoted, 1):
        lines += (f"**[{number}] {one.above}**", "")
        lines += (f"> {line}" for line in one.text.split("\n"))
        lines.append("")
    if sheet.tail:
        lines += (sheet.tail, "")
    return "\n".join((*lines, f"### /{sheet.title} ({sheet.nonce})"))


def _tool(sheet: Sheet) -> str:
    record: dict[str, object] = {
        "type": "recalled_memories",
        "nonce": sheet.nonce,
        "notice": sheet.notice,
        "memories": [{"provenance": one.above, "quoted": one.text} for one in sheet.quoted],
    }
    if sheet.tail:
        record["note"] = sheet.tail
    return json.dumps(record, ensure_ascii=False)


def _lines(sheet: Sheet) -> Iterator[str]:
    """Every memory under its line, each of its own lines behind a mark, so that no line of a
    memory begins a line of the prompt."""
    for number, one in enumerate(sheet.quoted, 1):
        yield f"[{number}] {one.above}"
        yield from (f"| {line}" for line in one.text.split("\n"))
    if sheet.tail:
        yield sheet.tail


STYLES: Final[Mapping[str, Callable[[Sheet], str]]] = {
    "xml": _xml,
    "markdown": _markdown,
    "chat": _chat,
    "tool": _tool,
    "system": _system,
}
"""For a prompt with tags, a document, a chat message, a tool's result (JSON), a system prompt."""
