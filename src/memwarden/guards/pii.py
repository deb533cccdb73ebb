"""Personal data and secrets: where they are, and of what type. What happens to them is policy.

Structured values come from patterns with checks and context, names and places from models, special
categories from statements about a person. Nothing here decides, and nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memwarden.guards.rulepacks import packs_digest
from memwarden.model import (
    Candidate,
    Evidence,
    Finding,
    Message,
    Need,
    Part,
    PartRole,
    Tier,
    View,
    Views,
)
from memwarden.pii.business import told_apart
from memwarden.pii.catalogue import entity_type
from memwarden.pii.detect import LANGUAGES, Search, found_in
from memwarden.pii.extra import extra
from memwarden.pii.fold import fold
from memwarden.pii.found import Found
from memwarden.pii.hints import hints
from memwarden.pii.load import PACKS, pack_patterns
from memwarden.pii.look import may_name
from memwarden.pii.special import asked_for
from memwarden.pii.special import find as find_special
from memwarden.text import cleaned

_SKIPPED: Final = frozenset({"original", "folded", "skeleton", "leet", "rot13", "reversed"})
"""Readings that say nothing new about values, or turn any digits into somebody's number."""

_MODELLED: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "ADDRESS"})


RULE_PACKS: Final = (
    *PACKS,
    "address_en",
    "address_zh",
    "names_en_rules",
    "names_zh_rules",
    "organizations",
    "special",
)
"""Every data file that holds patterns."""

_IN_CODE: Final = ("en.name.lower", "en.name.listed", "en.name.again", "ner.lac", "ner.linear")
_DECIDING: Final = ("memwarden.pii", "memwarden.text", "memwarden.guards/pii.py")


@dataclass(frozen=True, slots=True)
class Pii:
    """Finds personal data and secrets in every part.

    ``languages`` ("en", "zh") are the packs in use; ``entities`` the types to report (empty: all)
    and ``ignore`` those not to. ``names`` asks the models for people, places and organisations,
    ``titled_names`` adds short forms (张总, 王老师), ``special`` statements about health, faith and
    the like. ``min_score`` is the least certainty reported. ``recognizers`` names Presidio
    recognizers of your own as ``module:Class``.
    """

    languages: tuple[str, ...] = ("en", "zh")
    entities: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    names: bool = True
    titled_names: bool = False
    special: bool = True
    min_score: float = 0.5
    recognizers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return "pii"

    @property
    def rule_ids(self) -> frozenset[str] | None:
        """Every rule there is; None where recognizers of one's own bring others."""
        return None if self.recognizers else rule_ids()

    @property
    def fingerprint(self) -> str:
        """A digest of what decides: patterns, word lists, checks, the reading of texts."""
        return f"pii:{packs_digest(*_DECIDING)}"

    def needs(self, candidate: Candidate) -> frozenset[Need]:
        texts = [part.text for part in candidate.parts if part.role is PartRole.TEXT]
        if self._asks_models() and any(may_name(fold(text).text) for text in texts):
            return frozenset({Need.VIEWS, Need.ENTITIES})
        return frozenset({Need.VIEWS})

    def judge(self, candidate: Candidate, evidence: Evidence, tier: Tier) -> Sequence[Finding]:
        said = hints(candidate.parts)
        findings: list[Finding] = []
        for part in candidate.parts:
            views = evidence.views[part.path]
            clean = cleaned(views)
            found = self._found(part, views, clean, evidence, said.get(part.path, ""))
            findings += (_finding(part, views, one, requested=False) for one in found)
            if self.special and part.role is PartRole.TEXT:
                findings += self._special(part, views, clean, tier)
        return findings

    def _found(
        self, part: Part, views: Views, clean: View, evidence: Evidence, hint: str
    ) -> list[Found]:
        search = self._search()
        readings = [clean, *(view for view in views.readings if _adds(view))]
        entities = evidence.entities.get(part.path, ())
        others = [one for name in self.recognizers for one in extra(name).find(part.text)]
        found = found_in(part.text, readings, search, hint=hint, entities=entities, extra=others)
        if part.role is not PartRole.TEXT:
            found = [one for one in found if not one.soft]
        return [one for one in told_apart(found, part.text) if self._reports(one.entity)]

    def _special(self, part: Part, views: Views, clean: View, tier: Tier) -> Iterable[Finding]:
        for one in find_special(clean.text):
            if one.score >= self.min_score and self._reports(one.entity):
                requested = tier >= Tier.TRUSTED and asked_for(clean.text, one)
                placed = one.at(*clean.span(one.start, one.end))
                yield _finding(part, views, placed, requested=requested)

    def _search(self) -> Search:
        return Search(
            languages=LANGUAGES & frozenset(self.languages),
            names=self.names,
            titled=self.titled_names,
            threshold=self.min_score,
        )

    def _asks_models(self) -> bool:
        return self.names and any(self._reports(entity) for entity in _MODELLED)

    def _reports(self, entity: str) -> bool:
        return entity not in self.ignore and (not self.entities or entity in self.entities)


@cache
def rule_ids() -> frozenset[str]:
    """The rules of every pack, and those that are code."""
    packed = (pattern.id for pack in RULE_PACKS for pattern in pack_patterns(pack))
    return frozenset(f"pii.{one}" for one in (*packed, *_IN_CODE))


def _adds(view: View) -> bool:
    last = view.layer.rpartition(">")[2]
    return last not in _SKIPPED


def _finding(part: Part, views: Views, one: Found, *, requested: bool) -> Finding:
    kind = entity_type(one.entity)
    reason = Message(f"this contains {kind.title.en}", f"文本含有{kind.title.zh}")
    return Finding(
        guard="pii",
        rule=f"pii.{one.rule}",
        part=part.path,
        start=one.start,
        end=one.end,
        score=one.score,
        severity=kind.severity,
        reason=reason,
        entity=one.entity,
        segment=views.segment(one.start, one.end),
        layer=one.layer,
        requested=requested,
    )
