"""The pattern engine: one RE2 pass says which patterns can match, spans are sought for those only.

RE2 is linear in the text whatever the pattern. Edges, checks and context, which it has no words
for, are looked at in code, once per match.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import re2

from memwarden.pii.checks import CHECKS
from memwarden.pii.context import speaks_for
from memwarden.pii.edges import label_before, run_end, stands_free
from memwarden.pii.found import SHIELD, Found
from memwarden.pii.load import pack_patterns, patterns, word_lists
from memwarden.pii.pattern import Edge, Pattern, WordList

THRESHOLD = 0.5
"""Finds below this are not reported; a record around them may still lift them."""

_FAINT = 0.01
"""The score of what means nothing alone but may be a field of a record."""

_RETRY = 64
"""Code points behind a rejected match in which a second one is sought."""

_TRIES = 8
"""How often a rejected match is sought again from the next word on."""

_MEMORY = 64 << 20
"""Bytes that RE2 may use for one automaton. When it is full RE2 starts it anew."""


def _options() -> re2.Options:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return options


@lru_cache(maxsize=1024)
def _compiled(regex: str) -> re2._Regexp:
    """A pattern compiled when it is first needed: most texts need none."""
    return re2.compile(regex, _options())


class Engine:
    """Patterns compiled together. Immutable once made, and safe to use from many threads."""

    __slots__ = ("_lists", "_patterns", "_records", "_set")

    def __init__(self, chosen: Sequence[Pattern], lists: Mapping[str, WordList]) -> None:
        self._patterns = tuple(chosen)
        self._lists = lists
        self._records = {one.id: one.scores.record for one in chosen if one.scores.record}
        self._set = re2.Set.SearchSet(_options())
        for pattern in self._patterns:
            self._set.Add(pattern.regex)
        self._set.Compile()

    @property
    def records(self) -> Mapping[str, float]:
        """What a weak find is worth as a field of a record, by pattern id."""
        return self._records

    def find(self, text: str, hint: str = "") -> list[Found]:
        """Everything the patterns find in ``text``, overlapping or not, weak finds included.

        ``hint`` is the name of the field the text comes from (``id_card``); it counts as context.
        """
        found: list[Found] = []
        for index in sorted(self._set.Match(text) or ()):
            pattern = self._patterns[index]
            for start, end in self._spans(index, text):
                score = self._score(pattern, text, start, end, hint)
                if score > 0:
                    found.append(
                        Found(pattern.entity, pattern.id, start, end, score, soft=pattern.soft)
                    )
        return found

    def _spans(self, index: int, text: str) -> Iterator[tuple[int, int]]:
        pattern = self._patterns[index]
        regex = _compiled(pattern.regex)
        group = 1 if regex.groups else 0
        for match in regex.finditer(text):
            span = match.span(group)
            if not self._free(pattern, text, *span):
                span = self._behind(pattern, text, span[0], match.end())
            if span[1]:
                yield span

    def _behind(self, pattern: Pattern, text: str, start: int, end: int) -> tuple[int, int]:
        """A free match that begins behind the word at ``start``; an empty span if there is none.

        A match that is not free may hide one that begins inside it.
        """
        regex = _compiled(pattern.regex)
        group = 1 if regex.groups else 0
        for _ in range(_TRIES):
            start = run_end(text, start)
            match = regex.search(text[start : end + _RETRY]) if start < end else None
            if match is None:
                break
            span = (match.start(group) + start, match.end(group) + start)
            if self._free(pattern, text, *span):
                return span
            start = span[0]
        return (0, 0)

    def _free(self, pattern: Pattern, text: str, start: int, end: int) -> bool:
        if end <= start:
            return False
        if stands_free(text, start, end, pattern.edge):
            return True
        label = label_before(text, start)
        if not label or not pattern.context or pattern.edge is Edge.NONE:
            return False
        known = any(label in self._lists[name].en for name in pattern.context)
        return known and stands_free(text[start : end + 2], 0, end - start, pattern.edge)

    def _score(self, pattern: Pattern, text: str, start: int, end: int, hint: str) -> float:
        value = text[start:end]
        if pattern.entropy and entropy(value) < pattern.entropy:
            return 0.0
        passed = CHECKS[pattern.check](value) if pattern.check else True
        scores = pattern.scores
        if not passed and not scores.failed_context and not scores.failed:
            return 0.0
        context = speaks_for(text, start, end, pattern.context, self._lists, hint)
        if not context and speaks_for(text, start, end, pattern.against, self._lists, hint):
            return 0.0
        score = scores.of(passed=passed, context=context)
        return max(score, _FAINT) if scores.record and (passed or score) else score


def entropy(value: str) -> float:
    """Shannon entropy of the characters of ``value``, in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


@lru_cache(maxsize=16)
def pack_engine(pack: str) -> Engine:
    """The engine for one pack alone, compiled once."""
    return Engine(pack_patterns(pack), word_lists())


@lru_cache(maxsize=64)
def engine(languages: frozenset[str], entities: frozenset[str] | None = None) -> Engine:
    """The engine for these languages and entities (all of them by default), compiled once."""
    chosen = [
        pattern
        for pattern in patterns()
        if languages & set(pattern.languages)
        and (entities is None or pattern.entity in entities or pattern.entity == SHIELD)
    ]
    return Engine(chosen, word_lists())
