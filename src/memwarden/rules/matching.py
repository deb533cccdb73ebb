"""Matching all rules at once, in linear time.

One pass over the text for literals says which few patterns can be there; RE2 searches for those.
(A single RE2 set of all patterns was measured too: as fast on text it has seen, but each new
text that touches several rules builds new automaton states, which took 3 to 50 ms a text.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from memwarden.model import Severity
from memwarden.rules.language import (
    demanded,
    render,
    render_loose,
    whole_words,
)
from memwarden.rules.literals import demands
from memwarden.rules.loader import load_packs
from memwarden.rules.model import Form, Pattern, Rule
from memwarden.rules.sieve import Sieve

if TYPE_CHECKING:
    import re2

_PATTERN_MEMORY: Final = 16 << 20
_SPANS_PER_PATTERN: Final = 8


class Hit(NamedTuple):
    """A rule found at ``start:end`` of the text that was searched."""

    rule: Rule
    start: int
    end: int


class Book:
    """Rules, compiled. The squeezed half is compiled when a text first needs it."""

    __slots__ = ("_by_id", "_exact", "_squeezed", "rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_id = {rule.id: rule for rule in self.rules}
        self._exact = Matcher(self.rules, Form.EXACT)
        self._squeezed: Matcher | None = None

    def named(self, rule_id: str) -> Rule:
        return self._by_id[rule_id]

    def search(self, text: str, *, squeezed: bool = False, quiet: bool = True) -> list[Hit]:
        """Every rule found in a folded text. ``quiet`` asks for the rules that never alarm too,
        ``squeezed`` is for a text whose words were joined."""
        if not squeezed:
            return self._exact.search(text, quiet=quiet)
        if self._squeezed is None:
            self._squeezed = Matcher(self.rules, Form.SQUEEZED)
        return self._squeezed.search(text, quiet=False)


class Matcher:
    """Rules in one form, each pattern asked for only where its literals are there."""

    __slots__ = ("_form", "_loose", "_patterns", "_plain", "_whole")

    def __init__(self, rules: Sequence[Rule], form: Form) -> None:
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

    def possible(self, raw: bytes) -> list[int]:
        """The patterns whose literals are all in a text (in UTF-8), by number."""
        return sorted(self._whole.possible(raw) | self._plain.possible(raw))

    def search(self, text: str, *, quiet: bool) -> list[Hit]:
        raw = text.encode()
        hits: list[Hit] = []
        for index in self.possible(raw):
            rule, pattern = self._patterns[index]
            if rule.severity == Severity.INFO and not quiet:
                continue
            loose = self._loose[index]
            if loose is None:
                loose = self._loose[index] = _compile(render_loose(pattern, self._form))
            if loose.search(raw) is not None:
                strict = compiled(pattern, self._form)
                hits += (Hit(rule, *span) for span in _spans(strict, text))
        return hits


def _spans(expression: re2._Regexp, text: str) -> Iterator[tuple[int, int]]:
    """Where an expression stands in a text; no more than a handful of places."""
    for match in islice(expression.finditer(text), _SPANS_PER_PATTERN):
        yield match.span(1)


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
