"""Matching all rules at once, in linear time.

One pass of an RE2 set says which patterns can be there; only those are searched for their spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from memwarden.errors import GuardFailed
from memwarden.rules.language import render
from memwarden.rules.loader import load_packs
from memwarden.rules.model import Form, Pattern, Rule

if TYPE_CHECKING:
    import re2

_SET_MEMORY: Final = 256 << 20
"""A ceiling for automaton states, which are made as texts need them; not what is used."""

_PATTERN_MEMORY: Final = 32 << 20
_SPANS_PER_PATTERN: Final = 8


class Hit(NamedTuple):
    """A rule found at ``start:end`` of the text that was searched."""

    rule: Rule
    start: int
    end: int


class Book:
    """Rules, compiled. The squeezed half is compiled when a text first needs it."""

    __slots__ = ("_plain", "_rules", "_squeezed")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._plain = _Matcher(self._rules, squeezed=False)
        self._squeezed: _Matcher | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self._rules

    def search(self, text: str, *, squeezed: bool = False) -> list[Hit]:
        """Every rule found in a folded text."""
        if not squeezed:
            return self._plain.search(text)
        if self._squeezed is None:
            self._squeezed = _Matcher(self._rules, squeezed=True)
        return self._squeezed.search(text)


class _Matcher:
    __slots__ = ("_form", "_patterns", "_sentinel", "_set")

    def __init__(self, rules: Iterable[Rule], *, squeezed: bool) -> None:
        self._form = Form.SQUEEZED if squeezed else Form.EXACT
        self._patterns = tuple((rule, pattern) for rule in rules for pattern in rule.patterns)
        self._set = _new_set()
        loose = Form.SQUEEZED_LOOSE if squeezed else Form.LOOSE
        for _, pattern in self._patterns:
            self._set.Add(render(pattern, loose))
        self._sentinel = self._set.Add("")
        self._set.Compile()

    def search(self, text: str) -> list[Hit]:
        possible = self._set.Match(text) or ()
        if len(possible) == 1:
            return []
        if self._sentinel not in possible:
            raise GuardFailed("the rules ran out of memory on a text; lower `limits.max_text`")
        hits: list[Hit] = []
        for index in sorted(possible):
            if index != self._sentinel:
                rule, pattern = self._patterns[index]
                hits += (Hit(rule, *span) for span in spans(pattern, self._form, text))
        return hits


def spans(pattern: Pattern, form: Form, text: str) -> Iterator[tuple[int, int]]:
    """Where a pattern stands in a text; no more than a handful of places."""
    for match in islice(_compiled(pattern, form).finditer(text), _SPANS_PER_PATTERN):
        yield match.span(1)


def found(pattern: Pattern, text: str) -> bool:
    """Whether a pattern stands in a text at all."""
    return _compiled(pattern, Form.EXACT).search(text) is not None


def broken(pattern: Pattern, form: Form) -> str:
    """What RE2 has against a pattern; empty if nothing."""
    import re2  # noqa: PLC0415 - compiled code, imported when first needed

    try:
        re2.compile(render(pattern, form), _options(_PATTERN_MEMORY))
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
def _compiled(pattern: Pattern, form: Form) -> re2._Regexp:
    import re2  # noqa: PLC0415 - compiled code, imported when first needed

    return re2.compile(render(pattern, form), _options(_PATTERN_MEMORY))


def _new_set() -> re2.Set:
    import re2  # noqa: PLC0415 - compiled code, imported when first needed

    return re2.Set.SearchSet(_options(_SET_MEMORY))


def _options(memory: int) -> re2.Options:
    import re2  # noqa: PLC0415 - compiled code, imported when first needed

    options = re2.Options()
    options.max_mem = memory
    options.log_errors = False
    return options
