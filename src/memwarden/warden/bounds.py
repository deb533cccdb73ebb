"""Limits on one candidate, checked before anything reads it.

What is merely odd is reported and held, because a person can still look at it. What is too
large to keep is refused, because holding it would let anyone fill the disk.
"""

from __future__ import annotations

from typing import Final

from memwarden.errors import LimitExceeded, UsageError
from memwarden.model import Candidate, Finding, Limits, Message, Part, Severity

GUARD: Final = "bounds"

_TOO_LONG: Final = Message(
    "the text is longer than this tenant's limit", "文本长度超过了该租户的上限"
)
_TOO_MANY: Final = Message(
    "the memory has more fields than this tenant's limit", "这条记忆的字段数超过了该租户的上限"
)
_TOO_DEEP: Final = Message(
    "a field is nested deeper than this tenant's limit", "字段嵌套层数超过了该租户的上限"
)
_SURROGATE: Final = Message(
    "the text holds half of a surrogate pair, which no store can keep",
    "文本含有半个代理对字符，任何存储都无法保存",
)
_NUL: Final = Message(
    "the text holds a NUL byte, which several stores cut a text at",
    "文本含有 NUL 字节，部分存储会在此处截断文本",
)


def check_bounds(candidate: Candidate, limits: Limits) -> tuple[Finding, ...]:
    """Report what exceeds the limits; raise LimitExceeded for what is too large to hold.

    Raises UsageError when a part is not text or the main text is empty.
    """
    _refuse_nonsense(candidate)
    size = sum(len(part.text) for part in candidate.parts)
    if size > limits.max_batch_bytes:
        raise LimitExceeded(
            f"one memory of {size} characters is larger than limits.max_batch_bytes"
            f" ({limits.max_batch_bytes}); nothing was written, split it or raise the limit"
        )
    found: list[Finding] = []
    if len(candidate.parts) > limits.max_parts:
        found.append(_finding("bounds.parts", candidate.parts[0], _TOO_MANY))
    for part in candidate.parts:
        found.extend(_check_part(part, limits))
    return tuple(found)


def _refuse_nonsense(candidate: Candidate) -> None:
    for part in candidate.parts:
        if not isinstance(part.text, str):
            raise UsageError(
                f"the part at {part.path} is a {type(part.text).__name__}, not a text; pass str"
            )
    if len(candidate.parts) == 1 and not candidate.parts[0].text.strip():
        raise UsageError("the text is empty, so there is nothing to remember")


def _check_part(part: Part, limits: Limits) -> list[Finding]:
    found: list[Finding] = []
    if len(part.text) > limits.max_text:
        found.append(_finding("bounds.length", part, _TOO_LONG))
    if part.path.count("/") > limits.max_depth:
        found.append(_finding("bounds.depth", part, _TOO_DEEP))
    if "\x00" in part.text:
        found.append(_finding("bounds.nul", part, _NUL))
    if not _encodable(part.text):
        found.append(_finding("bounds.surrogate", part, _SURROGATE))
    return found


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _finding(rule: str, part: Part, reason: Message) -> Finding:
    return Finding(GUARD, rule, part.path, 0, len(part.text), 1.0, Severity.HIGH, reason)
