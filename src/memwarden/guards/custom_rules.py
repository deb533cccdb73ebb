"""The tenant's own patterns: a policy's ``patterns`` section as a guard."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memwarden.model import (
    UNSAID,
    Candidate,
    Evidence,
    Finding,
    Kind,
    Message,
    Need,
    Severity,
    Tier,
    View,
    Views,
)
from memwarden.text import whole_word

if TYPE_CHECKING:
    import re2

_MAX_MEMORY: Final = 2 * 1024 * 1024
"""Bytes one compiled pattern may take; a repetition of repetitions that needs more is refused."""


@dataclass(frozen=True, slots=True)
class CustomPattern:
    """One rule of a tenant. ``pattern`` is RE2; matched without regard to case unless told."""

    id: str
    pattern: str
    severity: Severity
    reason: Message
    kind: Kind = UNSAID
    entity: str = ""
    whole_words: bool = False
    case_sensitive: bool = False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Every match in ``text`` in code points; nothing of no length."""
        for match in compiled(self.pattern, self.case_sensitive).finditer(encodable(text)):
            start, end = match.span()
            if end > start and (not self.whole_words or whole_word(text, start, end)):
                yield start, end


@dataclass(frozen=True, slots=True)
class CustomRules:
    """Reports every match of the tenant's own patterns, in every reading of every part."""

    patterns: tuple[CustomPattern, ...] = field(default=(), repr=False)
    name: str = "custom"

    @property
    def rule_ids(self) -> frozenset[str]:
        return frozenset(pattern.id for pattern in self.patterns)

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: the patterns, and the version of this matching."""
        known = repr([astuple(pattern) for pattern in self.patterns])
        return "custom-1:" + hashlib.sha256(known.encode("utf-8")).hexdigest()

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        return frozenset((Need.VIEWS,)) if self.patterns else frozenset()

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        found: dict[tuple[str, str, int, int], Finding] = {}
        for part in candidate.parts:
            views = evidence.views[part.path]
            for view in views.readings:
                for finding in self._in_view(part.path, view, views):
                    key = (finding.part, finding.rule, finding.start, finding.end)
                    found.setdefault(key, finding)
        return tuple(found.values())

    def _in_view(self, path: str, view: View, views: Views) -> Iterator[Finding]:
        for rule in self.patterns:
            for span in rule.spans(view.text):
                start, end = view.span(*span)
                yield Finding(
                    guard=self.name,
                    rule=rule.id,
                    part=path,
                    start=start,
                    end=end,
                    score=1.0,
                    severity=rule.severity,
                    reason=rule.reason,
                    kind=rule.kind,
                    entity=rule.entity,
                    segment=views.segment(start, end),
                    layer=view.layer,
                )


def encodable(text: str) -> str:
    """The same text with each lone surrogate as ``?``: RE2 reads UTF-8, which has none."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=4_096)
def compiled(pattern: str, case_sensitive: bool) -> re2._Regexp:
    """Compile for RE2, which matches in linear time. Raises ``re2.error``."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    options.case_sensitive = case_sensitive
    return re2.compile(pattern, options)
