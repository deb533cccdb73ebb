"""Matching all rules at once, in linear time.

One pass over the text for literals says which few patterns can be there; RE2 searches for those.
(A single RE2 set of all patterns was measured too: as fast on text it has seen, but each new
text that touches several rules builds new automaton states, which took 3 to 50 ms a text.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from memwarden.model import Severity
from memwarden.rules.language import (
    alternatives,
    demanded,
    render,
    render_loose,
    whole_words,
)
from memwarden.rules.literals import demands
from memwarden.rules.loader import load_packs
from memwarden.rules.model import Form, Lang, Pattern, Rule
from memwarden.rules.sieve import Sieve

if TYPE_CHECKING:
    import re2

_PATTERN_MEMORY: Final = 16 << 20
_SPANS_PER_PATTERN: Final = 8
_EDGES: Final = b" \t\r\n.,:;!?\"'()[]{}<>*_#-"


class Hit(NamedTuple):
    """A rule found at ``start:end`` of the text that was searched."""

    rule: Rule
    start: int
    end: int


class Book:
    """Rules, compiled. The squeezed half is compiled when a text first needs it."""

    __slots__ = ("_alarms", "_by_id", "_quiet", "_squeezed", "rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_id = {rule.id: rule for rule in self.rules}
        alarms = [rule for rule in self.rules if rule.severity > Severity.INFO]
        self._alarms = _Alarms(alarms, Form.EXACT)
        self._squeezed: _Alarms | None = None
        self._quiet = _Quiet(rule for rule in self.rules if rule.severity == Severity.INFO)

    def named(self, rule_id: str) -> Rule:
        return self._by_id[rule_id]

    def search(self, text: str, *, squeezed: bool = False, quiet: bool = True) -> list[Hit]:
        """Every rule found in a folded text. ``quiet`` asks for the rules that never alarm too,
        ``squeezed`` is for a text whose words were joined."""
        if squeezed:
            if self._squeezed is None:
                self._squeezed = _Alarms(self._alarms.rules, Form.SQUEEZED)
            return self._squeezed.search(text)
        hits = self._alarms.search(text)
        return hits + self._quiet.search(text) if quiet else hits


class _Alarms:
    """Rules that may alarm, each pattern asked for only where its literals are there."""

    __slots__ = ("_form", "_loose", "_patterns", "_plain", "_whole", "rules")

    def __init__(self, rules: Sequence[Rule], form: Form) -> None:
        self.rules = rules
        self._form = form
        self._patterns = [(rule, pattern) for rule in rules for pattern in rule.patterns]
        self._loose: list[re2._Regexp | None] = [None] * len(self._patterns)
        whole: dict[int, tuple[frozenset[str], ...]] = {}
        plain: dict[int, tuple[frozenset[str], ...]] = {}
        for index, (_, pattern) in enumerate(self._patterns):
            words = whole_words(pattern, form)
            side = whole if words else plain
            side[index] = demands(demanded(pattern, form), only_words=words)
        self._whole = Sieve(whole, only_words=True)
        self._plain = Sieve(plain, only_words=False)

    def search(self, text: str) -> list[Hit]:
        raw = text.encode()
        hits: list[Hit] = []
        for index in sorted(self._whole.possible(raw) | self._plain.possible(raw)):
            rule, pattern = self._patterns[index]
            loose = self._loose[index]
            if loose is None:
                loose = self._loose[index] = _compile(render_loose(pattern, self._form))
            if loose.search(raw) is not None:
                strict = compiled(pattern, self._form)
                hits += (Hit(rule, *span) for span in _spans(strict, text))
        return hits


class _Quiet:
    """Rules that only name a kind: one expression for each rule and language, first place only."""

    __slots__ = ("_by_lang",)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_lang: dict[Lang, list[tuple[Rule, re2._Regexp]]] = defaultdict(list)
        for rule in rules:
            for lang in Lang:
                patterns = [pattern for pattern in rule.patterns if pattern.lang is lang]
                if patterns:
                    expression = alternatives(patterns, Form.EXACT)
                    self._by_lang[lang].append((rule, _compile(expression)))

    def search(self, text: str) -> list[Hit]:
        raw = text.encode()
        ascii_only = len(raw) == len(text)
        langs = (Lang.EN, Lang.ANY) if ascii_only else tuple(Lang)
        hits: list[Hit] = []
        for lang in langs:
            for rule, expression in self._by_lang[lang]:
                match = expression.search(raw)
                if match is not None:
                    hits.append(Hit(rule, *_trimmed(raw, *match.span())))
        return hits


def _spans(expression: re2._Regexp, text: str) -> Iterator[tuple[int, int]]:
    """Where an expression stands in a text; no more than a handful of places."""
    for match in islice(expression.finditer(text), _SPANS_PER_PATTERN):
        yield match.span(1)


def _trimmed(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """A match without the signs at its edges, in characters instead of bytes."""
    piece = raw[start:end]
    start += len(piece) - len(piece.lstrip(_EDGES))
    end -= len(piece) - len(piece.rstrip(_EDGES))
    if end <= start:
        return len(raw[:start].decode()), len(raw[:start].decode())
    first = len(raw[:start].decode())
    return first, first + len(raw[start:end].decode())


def found(pattern: Pattern, text: str) -> bool:
    """Whether a pattern stands in a text at all."""
    return compiled(pattern, Form.EXACT).search(text) is not None


def broken(pattern: Pattern) -> str:
    """What RE2 has against a pattern; empty if nothing."""
    import re2

    try:
        _compile(render(pattern, Form.EXACT))
    except re2.error as error:
        detail = error.args[0]
        return detail.decode() if isinstance(detail, bytes) else str(detail)
    return ""


@cache
def book(packs: tuple[str, ...], paranoia: int) -> Book:
    """The compiled rules of these packs up to a paranoia level. Compiled once per settings."""
    loaded = load_packs(packs)
    return Book(rule for pack in loaded for rule in pack.rules if rule.paranoia <= paranoia)


@cache
def compiled(pattern: Pattern, form: Form) -> re2._Regexp:
    """The expression of a pattern, compiled once."""
    return _compile(render(pattern, form))


def _compile(expression: str) -> re2._Regexp:
    import re2

    options = re2.Options()
    options.max_mem = _PATTERN_MEMORY
    options.log_errors = False
    return re2.compile(expression, options)
