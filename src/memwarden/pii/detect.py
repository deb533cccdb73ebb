"""Finding personal data in a text, or in the readings that others made of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memwarden.model import Entity, View
from memwarden.pii import address_en, address_zh, names_en, names_zh
from memwarden.pii.disguise import disguised
from memwarden.pii.engine import THRESHOLD, Engine, engine, pack_engine
from memwarden.pii.fold import fold
from memwarden.pii.found import Found
from memwarden.pii.overlap import settle
from memwarden.pii.people import related
from memwarden.pii.records import lift

LANGUAGES = frozenset({"en", "zh"})


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for. ``entities`` None means every type.

    ``names`` adds the people that rules can find (a label, a title, a greeting); models find the
    rest and are not part of this package. ``titled`` adds short forms such as 张总 and 王老师.
    """

    languages: frozenset[str] = LANGUAGES
    entities: frozenset[str] | None = None
    names: bool = True
    titled: bool = False
    addresses: bool = True
    threshold: float = THRESHOLD

    def wants(self, entity: str) -> bool:
        return self.entities is None or entity in self.entities


EVERYTHING = Search()


def detect(text: str, search: Search = EVERYTHING, *, hint: str = "") -> tuple[Found, ...]:
    """Personal data in ``text``: spans in code points, in order, none overlapping.

    ``hint`` is the name of the field that the text comes from; it counts as context.
    """
    return tuple(found_in(text, [fold(text)], search, hint=hint))


def found_in(
    text: str,
    readings: Iterable[View],
    search: Search,
    *,
    hint: str = "",
    entities: Iterable[Entity] = (),
    extra: Iterable[Found] = (),
) -> list[Found]:
    """What stands in ``text`` by its readings, a model's entities and finds from elsewhere."""
    found = [*raw(readings, search, hint=hint), *from_model(entities, search), *extra]
    if search.names and "en" in search.languages and search.wants("PERSON"):
        found += related(found, text)
    return settle(found, search.threshold)


def from_model(entities: Iterable[Entity], search: Search) -> list[Found]:
    """What a model named, as soft finds: a checked value that overlaps one wins."""
    return [
        Found(one.type, f"ner.{one.recognizer}", one.start, one.end, one.score, soft=True)
        for one in entities
        if search.wants(one.type)
    ]


def raw(readings: Iterable[View], search: Search, *, hint: str = "") -> list[Found]:
    """Every find in every reading, as spans of the original, overlaps not yet settled."""
    patterns = engine(search.languages, search.entities)
    found: list[Found] = []
    seen: set[str] = set()
    for view in readings:
        if view.text in seen:
            continue
        seen.add(view.text)
        found += _in_view(view, patterns, search, hint)
        hidden = disguised(view)
        if hidden is not None:
            found += _moved(patterns.find(hidden.text, hint), hidden)
    return found


def _in_view(view: View, patterns: Engine, search: Search, hint: str) -> list[Found]:
    text = view.text
    found = lift(patterns.find(text, hint), text, patterns.records)
    if search.addresses and search.wants("ADDRESS"):
        found += address_zh.find(text) if "zh" in search.languages else []
        found += address_en.find(text) if "en" in search.languages else []
    if search.names and search.wants("PERSON"):
        found += names_zh.find(text, titled=search.titled) if "zh" in search.languages else []
        found += names_en.find(text) if "en" in search.languages else []
    if search.names and search.wants("ORGANIZATION"):
        found += pack_engine("organizations").find(text)
    return _moved(found, view)


def _moved(found: list[Found], view: View) -> list[Found]:
    return [replace(one.at(*view.span(one.start, one.end)), layer=view.layer) for one in found]
