"""What is wrong with the patterns of a policy file: found when it is loaded, not when it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from pydantic import ValidationError

from memwarden.errors import Mistake
from memwarden.guards.custom_rules import CustomPattern, compiled, encodable
from memwarden.model import UNSAID, Kind, Message
from memwarden.policy.sections import PatternEntry
from memwarden.policy.tree import Branch, Node, Path, place_of, plain
from memwarden.policy.unfold import is_off
from memwarden.text import fold

_BOUNDARY: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[bB]")
_LOOK_AROUND: Final = ("(?=", "(?!", "(?<=", "(?<!")
MAX_PATTERNS: Final = 500


def custom_pattern(name: str, entry: PatternEntry) -> CustomPattern:
    """A pattern as the guard takes it. A reason in one language stands for both."""
    english = entry.reason.en or entry.reason.zh or name
    return CustomPattern(
        id=name,
        pattern=entry.pattern,
        severity=entry.severity,
        reason=Message(english, entry.reason.zh or english),
        kind=Kind(entry.kind) if entry.kind else UNSAID,
        entity=entry.entity or "",
        whole_words=entry.whole_words,
        case_sensitive=entry.case_sensitive,
    )


def pattern_mistakes(tree: Branch) -> Iterator[Mistake]:
    """Check every whole entry under ``patterns``; the schema has reported the others."""
    section = tree.items.get("patterns")
    if not isinstance(section, Branch):
        return
    if len(section.items) > MAX_PATTERNS:
        yield section.place.mistake(
            f"more than {MAX_PATTERNS} patterns", "write a guard with a rule pack instead"
        )
        return
    for name, node in section.items.items():
        if is_off(node):
            continue
        try:
            entry = _entry(node)
        except ValidationError:
            continue
        yield from _of_entry(name, entry, tree)


def _entry(node: Node) -> PatternEntry:
    return PatternEntry.model_validate_json(json.dumps(plain(node)))


def _of_entry(name: str, entry: PatternEntry, tree: Branch) -> Iterator[Mistake]:
    path: Path = ("patterns", name)
    if entry.reason.en is None and entry.reason.zh is None:
        yield place_of(tree, (*path, "reason"), key=True).mistake(
            f"`patterns.{name}` needs a reason", "write a sentence that a reviewer understands"
        )
    fault = _fault(entry.pattern, entry.case_sensitive)
    if fault is not None:
        yield place_of(tree, (*path, "pattern")).mistake(*fault)
        return
    rule = custom_pattern(name, entry)
    for key, texts, wanted in (
        ("examples", entry.examples, True),
        ("near_misses", entry.near_misses, False),
    ):
        for at, text in enumerate(texts):
            if _matches(rule, text) is not wanted:
                verdict = "is not matched" if wanted else "is matched"
                yield place_of(tree, (*path, key, at)).mistake(
                    f"this text {verdict} by `patterns.{name}`", "change the pattern or the text"
                )


def _matches(rule: CustomPattern, text: str) -> bool:
    """As written, or folded: the two readings that every text has."""
    return any(any(rule.spans(reading)) for reading in (text, fold(text)))


def _fault(pattern: str, case_sensitive: bool) -> tuple[str, str] | None:
    import re2

    if _BOUNDARY.search(pattern):
        return "`\\b` is wrong beside Chinese text", "use `whole_words: true`"
    try:
        regex = compiled(pattern, case_sensitive)
    except (re2.error, UnicodeError) as error:
        return f"the pattern cannot be used: {_reason(error)}", _hint(pattern, _reason(error))
    if regex.search(encodable("")) is not None:
        return "the pattern matches the empty text, and so everything", "make some of it required"
    return None


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


def _hint(pattern: str, reason: str) -> str:
    if any(look in pattern for look in _LOOK_AROUND):
        return "look-around cannot be matched in linear time; use near_misses and whole_words"
    if re.search(r"\\[1-9]", pattern):
        return "back-references cannot be matched in linear time"
    if "repetition" in reason or "too large" in reason:
        return "repeat fewer times: at most 1000, and not a repetition inside another"
    return "the syntax is that of RE2"
