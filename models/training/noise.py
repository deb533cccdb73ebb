"""Harmless changes of a window, made to both sides alike so that none of them tells a side."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, Protocol

from models.corpus.rows import Row

WRAPPERS: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "User: {}",
        "- {}",
        "* {}",
        "Note: {}",
        "memory: {}",
        '{{"content": "{}"}}',
        "<p>{}</p>",
        "> {}",
        "[2025-03-14] {}",
        "User said: {}",
        "Remember: {}",
        "1. {}",
        "## {}",
        "FYI {}",
        "content: {}",
        "Please remember this: {}",
        '"{}"',
        "user: {}",
        "| {} |",
        "// {}",
        "Save to memory: {}",
        "Fact: {}",
        "Summary: {}",
        "assistant: {}",
        "({})",
        "<!-- {} -->",
    ),
    "zh": (
        "用户：{}",
        "- {}",
        "备注：{}",
        "记录：{}",
        '{{"内容": "{}"}}',
        "<p>{}</p>",
        "> {}",
        "【2025-03-14】{}",
        "用户说：{}",
        "记住：{}",
        "1、{}",
        "## {}",
        "说明：{}",
        "内容: {}",
        "请记住：{}",
        "“{}”",
        "摘要：{}",
        "| {} |",
        "// {}",
        "存入记忆：{}",
        "补充一句，{}",
        "助手：{}",
        "（{}）",
        "<!-- {} -->",
        "对了，{}",
        "事实：{}",
    ),
}
"""Hosts in which memories stand: chats, lists, records, pages."""

NEIGHBOUR: Final = 0.3
WRAPPED: Final = 0.2
NOISY: Final = 0.12
TRADITIONAL: Final = 0.08
_LONGEST: Final = {"en": 330, "zh": 110}


def varied(row: Row, neighbours: Mapping[str, Sequence[Row]], draw: random.Random) -> Row:
    """The row with a neighbour sentence, a wrapper or noise, or as it is."""
    text, kinds = row.text, row.kinds
    if draw.random() < NEIGHBOUR:
        other = draw.choice(neighbours[row.lang])
        if len(text) + len(other.text) <= _LONGEST[row.lang]:
            text = _joined(text, other.text, row.lang, draw)
            kinds = row.kinds if row.label != "benign" else _united(row.kinds, other.kinds)
    if draw.random() < WRAPPED:
        text = draw.choice(WRAPPERS[row.lang]).format(text)
    if draw.random() < NOISY:
        text = draw.choice(_NOISES)(text)
    if row.lang == "zh" and draw.random() < TRADITIONAL:
        text = _traditional().convert(text)
    return replace(row, text=text, kinds=kinds)


def _joined(text: str, other: str, lang: str, draw: random.Random) -> str:
    gap = draw.choice((" ", " ", "\n") if lang == "en" else ("", "", "\n"))
    first, second = (text, other) if draw.random() < 0.5 else (other, text)
    ending = "" if first[-1:] in ".!?;。！？；:：" else draw.choice(_ENDINGS[lang])
    return f"{first}{ending}{gap}{second}"


_ENDINGS: Final = {"en": (".", ".", ";", " -"), "zh": ("。", "。", "；", "，")}


def _united(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*left, *right)))


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _spaced(text: str) -> str:
    return text.replace(" ", "  ").replace("，", "， ")


def _no_last_stop(text: str) -> str:
    return text.rstrip(".。!！")


_NOISES: Final[Sequence[Callable[[str], str]]] = (
    str.upper,
    str.lower,
    str.title,
    _full_width,
    _spaced,
    _no_last_stop,
    _no_last_stop,
    lambda text: text.replace(",", "").replace("，", " "),
)


class Converter(Protocol):
    """Simplified to traditional Chinese."""

    def convert(self, text: str) -> str: ...


@cache
def _traditional() -> Converter:
    from opencc import OpenCC

    return OpenCC("s2t")
