"""Gathering evidence: the only place between a candidate and its ruling that does I/O.

Each kind of evidence is fetched once for a whole batch, and a text that occurs twice is read
once. What cannot be had is named as missing; the guards that need it then hold the write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from memwarden.model import (
    Entity,
    Evidence,
    Lesson,
    Need,
    Neighbour,
    Policy,
    RecentWrite,
    Views,
    WindowReading,
)
from memwarden.text import is_prose
from memwarden.warden.judge import Presented

_log = structlog.get_logger("memwarden.gather")


class TextReader(Protocol):
    """Canonical readings of one text."""

    def __call__(self, text: str, /) -> Views: ...


class WindowEncoder(Protocol):
    """What a policy's models make of texts, by position, in the code points of each original."""

    def __call__(
        self, texts: Sequence[Views], policy: Policy, /
    ) -> Sequence[tuple[WindowReading, ...]]: ...


class EntityFinder(Protocol):
    """Named entities of texts, by position, in the code points of each original."""

    def __call__(self, texts: Sequence[str], /) -> Sequence[tuple[Entity, ...]]: ...


class StoredEvidence(Protocol):
    """Evidence from what a tenant has already stored."""

    def recent(self, tenant: str, one: Presented) -> tuple[RecentWrite, ...]: ...

    def lessons(self, tenant: str, one: Presented, evidence: Evidence) -> tuple[Lesson, ...]: ...

    def neighbours(self, tenant: str, one: Presented) -> tuple[Neighbour, ...]: ...


@dataclass(frozen=True, slots=True)
class _Wanting:
    """One candidate that wants a kind of evidence, with what was gathered so far."""

    one: Presented
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Gathers evidence from the text room, the models and the stores it was given."""

    read: TextReader
    encode: WindowEncoder
    find_entities: EntityFinder
    stored: StoredEvidence

    def __call__(
        self, wanted: Sequence[tuple[Presented, frozenset[Need]]], policy: Policy
    ) -> Sequence[Evidence]:
        """Return evidence by position. Local evidence comes first: the rest may build on it."""
        fetches: tuple[tuple[Need, Callable[[list[_Wanting]], list[Evidence]]], ...] = (
            (Need.VIEWS, self._views),
            (Need.ENCODING, lambda w: self._encoding(w, policy)),
            (Need.ENTITIES, self._entities),
            (Need.LESSONS, lambda w: self._lessons(w, policy.tenant)),
            (Need.RECENT, lambda w: self._recent(w, policy.tenant)),
            (Need.NEIGHBOURS, lambda w: self._neighbours(w, policy.tenant)),
        )
        gathered = [Evidence() for _ in wanted]
        for need, fetch in fetches:
            who = [at for at, (_, needs) in enumerate(wanted) if need in _with_basis(needs)]
            if not who:
                continue
            wanting = [_Wanting(wanted[at][0], gathered[at]) for at in who]
            for at, evidence in zip(who, _fetched(need, fetch, wanting), strict=True):
                gathered[at] = evidence
        return gathered

    def _views(self, wanting: list[_Wanting]) -> list[Evidence]:
        texts = _distinct(wanting)
        read = {text: self.read(text) for text in texts}
        return [
            replace(w.evidence, views={p.path: read[p.text] for p in w.one.candidate.parts})
            for w in wanting
        ]

    def _encoding(self, wanting: list[_Wanting], policy: Policy) -> list[Evidence]:
        views = {
            part.text: w.evidence.views[part.path]
            for w in wanting
            for part in w.one.candidate.parts
            if _says_something(w.evidence.views[part.path])
        }
        encoded = dict(zip(views, self.encode(list(views.values()), policy), strict=True))
        return [
            replace(
                w.evidence,
                encoding={p.path: encoded.get(p.text, ()) for p in w.one.candidate.parts},
            )
            for w in wanting
        ]

    def _entities(self, wanting: list[_Wanting]) -> list[Evidence]:
        texts = _distinct(wanting)
        found: Mapping[str, tuple[Entity, ...]] = dict(
            zip(texts, self.find_entities(texts), strict=True)
        )
        return [
            replace(w.evidence, entities={p.path: found[p.text] for p in w.one.candidate.parts})
            for w in wanting
        ]

    def _lessons(self, wanting: list[_Wanting], tenant: str) -> list[Evidence]:
        return [
            replace(w.evidence, lessons=self.stored.lessons(tenant, w.one, w.evidence))
            for w in wanting
        ]

    def _recent(self, wanting: list[_Wanting], tenant: str) -> list[Evidence]:
        return [replace(w.evidence, recent=self.stored.recent(tenant, w.one)) for w in wanting]

    def _neighbours(self, wanting: list[_Wanting], tenant: str) -> list[Evidence]:
        return [
            replace(w.evidence, neighbours=self.stored.neighbours(tenant, w.one)) for w in wanting
        ]


def _says_something(views: Views) -> bool:
    """Whether some reading is more than a name, an id or a word: models know nothing of those."""
    return any(is_prose(view.text) for view in views.readings)


def _with_basis(needs: frozenset[Need]) -> frozenset[Need]:
    """The needs, and what they are made from: windows are read from views."""
    return needs | {Need.VIEWS} if Need.ENCODING in needs else needs


def _distinct(wanting: Sequence[_Wanting]) -> list[str]:
    return list(dict.fromkeys(part.text for w in wanting for part in w.one.candidate.parts))


def _fetched(
    need: Need, fetch: Callable[[list[_Wanting]], list[Evidence]], wanting: list[_Wanting]
) -> list[Evidence]:
    try:
        return fetch(wanting)
    except Exception as error:  # noqa: BLE001 lost evidence holds the write, whatever lost it
        _log.warning("evidence missing", need=need.value, error=type(error).__name__)
        return [replace(w.evidence, missing=w.evidence.missing | {need}) for w in wanting]
