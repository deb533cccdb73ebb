"""The shapes that quoted memories take in a prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memwarden.errors import UsageError
from memwarden.fence import words
from memwarden.fence.budget import tokens
from memwarden.model import FenceSetting

_ROOM_FOR_MARKS: Final = 1.25
_FEW: Final = 4


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


def render(
    quoted: Sequence[Quoted], setting: FenceSetting, language: str, nonce: str, omitted: int
) -> str:
    """The whole text. Raises UsageError for a style that does not exist."""
    style = STYLES.get(setting.style)
    if style is None:
        known = ", ".join(STYLES)
        raise UsageError(f"there is no fence style {setting.style!r}; one of: {known}")
    notice = words.NOTICE.in_language(language).format(nonce=nonce)
    tail = words.LEFT_OUT.in_language(language).format(count=omitted) if omitted else ""
    return style(Sheet(words.TITLE.in_language(language), notice, tuple(quoted), tail, nonce))


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that a style sets out."""

    title: str
    notice: str
    quoted: tuple[Quoted, ...]
    tail: str
    nonce: str


def _numbered(sheet: Sheet) -> list[str]:
    """Every memory under its line; each of its own lines behind a mark, so that no line of
    its text begins a line of the prompt."""
    lines: list[str] = []
    for number, one in enumerate(sheet.quoted, 1):
        lines.append(f"[{number}] {one.above}")
        lines += (f"| {line}" for line in one.text.split("\n"))
    return lines


def _xml(sheet: Sheet) -> str:
    tag = f"memories-{sheet.nonce}"
    tail = [sheet.tail] if sheet.tail else []
    lines = _numbered(sheet)
    return "\n".join((f"<{tag}>", sheet.notice, *lines, *tail, f"</{tag}>"))


def _markdown(sheet: Sheet) -> str:
    lines = [f"### {sheet.title} ({sheet.nonce})", "", sheet.notice, ""]
    for number, one in enumerate(sheet.quoted, 1):
        lines += (f"**[{number}] {one.above}**", "")
        lines += (f"> {line}" for line in one.text.split("\n"))
        lines.append("")
    if sheet.tail:
        lines += (sheet.tail, "")
    lines.append(f"### /{sheet.title} ({sheet.nonce})")
    return "\n".join(lines)


def _chat(sheet: Sheet) -> str:
    tail = [sheet.tail] if sheet.tail else []
    return "\n".join(
        (
            f"=== {sheet.title} {sheet.nonce} ===",
            sheet.notice,
            *_numbered(sheet),
            *tail,
            f"=== /{sheet.title} {sheet.nonce} ===",
        )
    )


def _tool(sheet: Sheet) -> str:
    record: dict[str, object] = {
        "type": "recalled_memories",
        "nonce": sheet.nonce,
        "notice": sheet.notice,
        "memories": [{"provenance": one.above, "quoted": one.text} for one in sheet.quoted],
    }
    if sheet.tail:
        record["left_out"] = sheet.tail
    return json.dumps(record, ensure_ascii=False)


def _system(sheet: Sheet) -> str:
    tag = f"memories-{sheet.nonce}"
    tail = [sheet.tail] if sheet.tail else []
    return "\n".join(
        (
            f"# {sheet.title}",
            sheet.notice,
            f"<{tag}>",
            *_numbered(sheet),
            *tail,
            f"</{tag}>",
        )
    )


STYLES: Final[Mapping[str, Callable[[Sheet], str]]] = {
    "xml": _xml,
    "markdown": _markdown,
    "chat": _chat,
    "tool": _tool,
    "system": _system,
}
