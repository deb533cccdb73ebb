"""Generated people, addresses, organisations and places, and sentences around them."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from faker import Faker

from models.names_en.texts import listed, templates

Spans = list[tuple[int, int, str]]
Sentence = tuple[str, Spans]

_HOME = listed("home")
_ABROAD = listed("abroad")
_SYLLABLES = listed("syllables")
_FAMILIES = listed("families", ",")
_TAILS = listed("tails")
_LABELS = {
    "PERSON": "PER", "ADDRESS": "ADDR", "STREET_ADDRESS": "ADDR", "ORGANIZATION": "ORG",
    "GPE": "LOC", "LOCATION": "LOC",
}  # fmt: skip
_TITLE = re.compile(r"(?i)^(?:mr|mrs|ms|dr|prof)\.?\s")
_MONTHS = ["January", "March", "May", "June", "August", "October", "December"]
_NAMES = ["count", "size", "width", "index", "value", "rate", "price", "limit"]


class People:
    """A seeded source. ``sentence`` and ``number`` are texts of our own, ``dressed`` a row anew."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self._faker = {name: Faker(name) for name in (*_HOME, *_ABROAD)}
        for name, faker in self._faker.items():
            faker.seed_instance(zlib.crc32(name.encode()) + seed)
        self._texts = templates("texts")
        self._numbers = templates("not_addresses")
        self._words = listed("capital")

    def _home(self) -> Any:
        return self._faker[self.lot.choice(_HOME)]

    def _anywhere(self) -> Any:
        return self._faker[self.lot.choice((*_HOME, *_ABROAD))]

    def first(self) -> str:
        if self.lot.random() < 0.06:
            count = self.lot.choice((1, 2, 2))
            return "".join(self.lot.choice(_SYLLABLES) for _ in range(count)).capitalize()
        return str(self._anywhere().first_name().split()[0])

    def last(self) -> str:
        if self.lot.random() < 0.12:
            return self.lot.choice(_FAMILIES)
        return str(self._anywhere().last_name())

    def person(self, like: str) -> str:
        """A name of as many words as ``like`` has."""
        parts = like.split()
        if len(parts) == 1:
            return self.first() if self.lot.random() < 0.6 else self.last()
        if _TITLE.match(like):
            middle = f"{self.first()} " if len(parts) > 2 else ""
            return f"{parts[0]} {middle}{self.last()}"
        if len(parts) == 2:
            return f"{self.first()} {self.last()}"
        initial = self.lot.choice("ABCDEFGHJKLMNPRSTVW") + self.lot.choice(("", ".", "."))
        middle = self.lot.choice((initial, self.first(), self.last()))
        return f"{self.first()} {middle} {self.last()}"

    def place(self) -> str:
        town = self.lot.random() < 0.6
        return str(self._home().city() if town else self._faker["en_US"].country())

    def organisation(self) -> str:
        kind, one, other = self.lot.random(), self.last(), self.last()
        if kind < 0.35:
            return str((self._faker["en_US"] if kind < 0.2 else self._home()).company())
        if kind < 0.6:
            return " ".join(self.lot.sample(self._words, self.lot.choice((1, 2, 2, 3))))
        if kind < 0.75:
            return self.lot.choice(self._words) + self.lot.choice(_TAILS)
        if kind < 0.85:
            return f"{one}, {other} and {self.last()}"
        return f"{one}-{other}" if kind < 0.92 else f"University of {self.place()}"

    def address(self) -> str:
        home, kind, n = self._home(), self.lot.random(), self.lot.randint
        street, town, code = home.street_address(), home.city(), home.postcode()
        if kind < 0.3:
            made = street
        elif kind < 0.45:
            named = home.street_name()
            made = f"{named} {n(1, 299)}" if n(0, 1) else f"{n(1, 9999)} {named}"
        elif kind < 0.6:
            made = f"{street}, {code} {town}" + (f", {self.place()}" if n(0, 9) < 4 else "")
        elif kind < 0.7:
            made = f"{street}\n{town}\n{self._faker['en_US'].country()} {code}"
        elif kind < 0.8:
            unit = self.lot.choice(("Apt.", "Suite", "Unit", "Flat"))
            made = (
                f"{n(1, 9999)} {home.street_name()} {n(1, 200)} {unit} {n(1, 999)}, {town}, "
                f"{self._faker['en_US'].country()} {n(10000, 99999)}"
            )
        elif kind < 0.84:
            made = f"P.O. Box {n(1, 9999)}, {town}" + (f" {code}" if n(0, 9) < 7 else "")
        elif kind < 0.88:
            first = self._faker["en_US"].street_address()
            made = f"{first}\nSuite {n(1, 999)}\n{town}\n{self.place()} {n(10000, 99999)}"
        else:
            made = home.address()
        return str(made.replace("\n", ", ") if n(0, 1) else made).strip()

    def sentence(self) -> Sentence:
        return self._filled(self.lot.choice(self._texts))

    def number(self) -> Sentence:
        return self._filled(self.lot.choice(self._numbers))

    def _filled(self, template: str) -> Sentence:
        out, spans, read = "", [], 0
        for match in re.finditer(r"\{(\w)\d?\}", template):
            out += template[read : match.start()]
            value, label = self._slot(match[1])
            if label:
                spans.append((len(out), len(out) + len(value), label))
            out, read = out + value, match.end()
        return self._cased(out + template[read:]), spans

    def _slot(self, mark: str) -> tuple[str, str]:
        lot = self.lot
        filled: Mapping[str, Callable[[], tuple[str, str]]] = {
            "P": lambda: (self.person(lot.choice(("a", "a b", "a b", "a b", "a b c"))), "PER"),
            "A": lambda: (self.address(), "ADDR"),
            "O": lambda: (self.organisation(), "ORG"),
            "L": lambda: (self.place(), "LOC"),
            "N": lambda: (str(lot.choice((lot.randint(0, 20), lot.randint(20, 3000)))), ""),
            "Y": lambda: (str(lot.randint(1800, 2030)), ""),
            "M": lambda: (lot.choice(_MONTHS), ""),
            "W": lambda: (lot.choice(self._words), ""),
            "w": lambda: (lot.choice(_NAMES), ""),
        }
        return filled[mark]()

    def _cased(self, text: str) -> str:
        kind = self.lot.random()
        changed = text.lower() if kind < 0.14 else text.upper() if kind < 0.17 else text
        return changed if len(changed) == len(text) else text

    def dressed(self, row: Mapping[str, Any]) -> Sentence:
        """A labelled row with other people, places and addresses in it."""
        text, same = row["text"], {}
        out, spans, read = "", [], 0
        for span in sorted(row["meta"]["spans"], key=lambda one: one["start"]):
            value = text[span["start"] : span["end"]]
            new = self._instead(span["type"], value, same)
            new = new.lower() if text.islower() else new
            out += text[read : span["start"]]
            if label := _LABELS.get(span["type"]):
                spans.append((len(out), len(out) + len(new), label))
            out, read = out + new, span["end"]
        return self._cased(out + text[read:]), joined(out + text[read:], spans)

    def _instead(self, kind: str, value: str, same: dict[str, str]) -> str:
        if kind == "PERSON":
            return same.setdefault(value, self.person(value))
        if kind in ("ADDRESS", "STREET_ADDRESS") and len(value) > 9:
            return self.address()
        if kind == "ORGANIZATION":
            return self.organisation()
        if kind in ("GPE", "LOCATION") and self.lot.random() < 0.7:
            return self.place()
        return value


def labelled(row: Mapping[str, Any]) -> Sentence:
    """A row as it is, with the labels of the tagger."""
    spans = [
        (one["start"], one["end"], _LABELS[one["type"]])
        for one in row["meta"]["spans"]
        if one["type"] in _LABELS
    ]
    return row["text"], joined(row["text"], spans)


def joined(text: str, spans: Spans) -> Spans:
    """Pieces of an address that nothing but signs divides as one address."""
    out: Spans = []
    for start, end, label in sorted(spans):
        last = out[-1] if out else None
        between = text[last[1] : start] if last else ""
        goes_on = len(between) <= 8 and not re.search("[A-Za-z]", between)
        if last and last[2] == "ADDR" and label in ("ADDR", "LOC") and goes_on:
            out[-1] = (last[0], end, "ADDR")
        else:
            out.append((start, end, label))
    return out


def rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)
