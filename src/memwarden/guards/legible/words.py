"""The data files of this package, read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, cast

import yaml

from memwarden.model import Message

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OTHER_SCRIPT: Final = Message("another script", "其他文字")


@cache
def english() -> frozenset[str]:
    """Words that hardly any English sentence does without."""
    return frozenset(str(_data("tongues")["english"]).split())


@cache
def tongues() -> Mapping[str, tuple[str, ...]]:
    """The languages that a little word belongs to, by word; no word of English, no letter."""
    found: dict[str, tuple[str, ...]] = {}
    for name, entry in _entries("others").items():
        for word in dict.fromkeys(entry["words"].split()):
            if word not in english() and len(word) > 1:
                found[word] = (*found.get(word, ()), name)
    return found


@cache
def scripts() -> Mapping[str, str]:
    """The name of a script, by the first word of its characters' Unicode names."""
    return {first: entry["name"] for first, entry in _entries("scripts").items()}


@cache
def language_names() -> Mapping[str, Message]:
    """Languages and scripts as both languages call them, by their English name."""
    names = {name: entry["zh"] for name, entry in _entries("others").items()}
    names |= {entry["name"]: entry["zh"] for entry in _entries("scripts").values()}
    return {name: Message(name, zh) for name, zh in names.items()} | {OTHER_SCRIPT.en: OTHER_SCRIPT}


@cache
def never_side_by_side() -> frozenset[str]:
    return _letters("never_side_by_side")


@cache
def vowels() -> frozenset[str]:
    return frozenset(str(_data("letters")["vowels"]))


@cache
def known_oddities() -> frozenset[str]:
    """Words that look like none and are some."""
    return _letters("known")


@cache
def known_runs() -> tuple[str, ...]:
    """How long runs of letters and digits begin that stand for something."""
    return tuple(sorted(_letters("known_runs")))


@cache
def common_han() -> frozenset[str]:
    """The commonest Chinese characters, simplified."""
    return frozenset("".join(str(_data("han")["common"]).split()))


def _letters(key: str) -> frozenset[str]:
    return frozenset(str(_data("letters")[key]).split())


def _entries(key: str) -> Mapping[str, Mapping[str, str]]:
    return cast("Mapping[str, Mapping[str, str]]", _data("tongues")[key])


@cache
def _data(name: str) -> Mapping[str, object]:
    raw = files(__package__ or "").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    return cast("Mapping[str, object]", yaml.load(raw, Loader=_LOADER))  # noqa: S506 safe, ours
