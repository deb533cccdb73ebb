"""Every string that the console shows, in English and Chinese, out of two catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

LANGUAGES: Final = ("en", "zh")
DEFAULT: Final = "en"


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """The strings of one language by dotted key."""
    text = files("memwarden.console").joinpath("catalogue", f"{lang}.yaml").read_text("utf-8")
    return dict(_flat(yaml.safe_load(text)))


def _flat(tree: Mapping[str, object], path: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in tree.items():
        name = f"{path}.{key}" if path else str(key)
        found += _flat(value, name) if isinstance(value, Mapping) else [(name, str(value))]
    return found


def say(lang: str, key: str, **words: object) -> str:
    """One string, with ``words`` put into its braces. Raises KeyError for a key nobody wrote."""
    text = catalogue(lang)[key]
    return text.format(**words) if words else text


def name_of(lang: str, group: str, word: str) -> str:
    """A word of the model (a kind, a tier, a state ...) as a reader says it.

    A tenant's own kinds have no entry and stand as they are written.
    """
    return catalogue(lang).get(f"{group}.{word}", word)


def wished(accept: str) -> str:
    """The language that an Accept-Language header asks for, as far as the console speaks it."""
    best, chosen = 0.0, DEFAULT
    for entry in accept.split(","):
        tag, _, rest = entry.strip().partition(";")
        weight = _weight(rest)
        lang = tag.strip().lower().split("-")[0]
        if lang in LANGUAGES and weight > best:
            best, chosen = weight, lang
    return chosen


def _weight(rest: str) -> float:
    name, _, value = rest.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
