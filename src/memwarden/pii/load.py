"""Reading the data files of this package into typed patterns."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

import yaml

from memwarden.errors import CannotDecide
from memwarden.pii.pattern import Edge, Example, Pattern, Scores, WordList

PACKS = ("mainland", "greater_china", "general", "united_states", "secrets", "prose", "shields")
"""The pattern packs, in the order in which they are read."""

Node = Mapping[str, object]
_HAN_FIRST, _HAN_LAST = 0x3400, 0x9FFF
_HAN_BUT = re.compile(r"\[\^\\P\{Han\}([^\]]*)\]")
_LIST = re.compile(r"@([a-z_]+)\.([a-z_]+)")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@lru_cache(maxsize=32)
def document(name: str) -> Node:
    """The parsed data file ``name`` (without its suffix)."""
    text = files("memwarden.pii").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    loaded = yaml.load(text, Loader=_LOADER)  # noqa: S506 - a safe loader, from our own package
    if not isinstance(loaded, dict):
        raise CannotDecide(f"the data file pii/data/{name}.yaml is not a mapping; reinstall")
    return loaded


@lru_cache(maxsize=1)
def word_lists() -> Mapping[str, WordList]:
    """All context word lists by name."""
    return {name: _word_list(name, _node(body)) for name, body in document("context").items()}


def _word_list(name: str, body: Node) -> WordList:
    zh = tuple(sorted(words(body, "zh"), key=len, reverse=True))
    return WordList(name, frozenset(w.lower() for w in words(body, "en")), zh)


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of every pack."""
    return tuple(pattern for pack in PACKS for pattern in pack_patterns(pack))


@lru_cache(maxsize=16)
def pack_patterns(pack: str) -> tuple[Pattern, ...]:
    body = document(pack)
    macros = {name: _macro(value) for name, value in _node(body.get("macros", {})).items()}
    defaults = _node(body.get("defaults", {}))
    return tuple(_pattern({**defaults, **node}, macros) for node in _nodes(body["patterns"]))


def _macro(value: object) -> str:
    """A piece of pattern; ``@names_zh.titles`` in it is any word of that list, longest first."""
    return _LIST.sub(lambda match: _any_of(match[1], match[2]), str(value))


def _any_of(name: str, key: str) -> str:
    chosen = sorted(words(document(name), key), key=len, reverse=True)
    return "|".join(re.escape(word).replace("_", "[ _]?") for word in chosen)


def _pattern(node: Node, macros: Mapping[str, str]) -> Pattern:
    return Pattern(
        id=str(node["id"]),
        entity=str(node.get("entity", "")),
        regex=_expand(str(node["regex"]), macros),
        scores=Scores(**{key: _number(value) for key, value in _node(node["score"]).items()}),
        edge=Edge(str(node.get("edge", "word"))),
        check=str(node.get("check", "")),
        entropy=_number(node.get("entropy", 0.0)),
        context=words(node, "context"),
        against=words(node, "against"),
        soft=bool(node.get("soft", False)),
        languages=words(node, "languages") or ("en", "zh"),
        examples=tuple(_example(item) for item in _nodes(node.get("examples", ()))),
        near_misses=tuple(fill(text) for text in words(node, "near_misses")),
    )


def _example(node: Node) -> Example:
    return Example(fill(str(node["text"])), tuple(fill(text) for text in words(node, "find")))


def _expand(regex: str, macros: Mapping[str, str]) -> str:
    """Replace ``<<name>>`` by the macro of that name, which may use others."""
    while "<<" in regex:
        before = regex
        for name, value in macros.items():
            regex = regex.replace(f"<<{name}>>", value)
        if regex == before:
            raise CannotDecide("a pattern of memwarden.pii uses a macro that is not there")
    return _HAN_BUT.sub(lambda match: _han_without(match[1]), regex)


def _han_without(signs: str) -> str:
    """``[^\\P{Han}在于]`` as plain ranges, which compile ten times faster."""
    edges = [_HAN_FIRST - 1, *sorted({ord(sign) for sign in signs}), _HAN_LAST + 1]
    pairs = pairwise(edges)
    ranges = [(low + 1, high - 1) for low, high in pairs if high - low > 1]
    return "[" + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges) + "]"


_ALPHABETS: Mapping[str, str] = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "x": "0123456789abcdef",
    "d": string.digits,
}


def fill(text: str) -> str:
    """Replace ``<<a36>>`` by 36 fixed characters of alphabet ``a``.

    Examples of keys are written this way so that no scanner takes this package for a leak.
    """
    while (start := text.find("<<")) >= 0 and (end := text.find(">>", start)) > start:
        alphabet, count = _ALPHABETS[text[start + 2]], int(text[start + 3 : end])
        drawn = "".join(alphabet[_step(i) % len(alphabet)] for i in range(count))
        text = text[:start] + drawn + text[end + 2 :]
    return text


def _step(place: int) -> int:
    """A fixed sequence that looks drawn by lot."""
    return (place + 3) * 2654435761 >> 7 & 0xFFFF


@lru_cache(maxsize=64)
def listed(name: str) -> frozenset[str]:
    """The closed list ``name`` of words.yaml."""
    return frozenset(words(document("words"), name))


def words(node: Node, key: str) -> tuple[str, ...]:
    """The list of words under ``key``; a plain string is split at white space."""
    value = node.get(key, ())
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    raise CannotDecide(f"a data file of memwarden.pii has no list under {key!r}; reinstall")


def _nodes(value: object) -> Iterator[Node]:
    for item in value if isinstance(value, (list, tuple)) else ():
        yield _node(item)


def _node(value: object) -> Node:
    if isinstance(value, dict):
        return value
    raise CannotDecide("a data file of memwarden.pii holds a list where a mapping belongs")


def _number(value: object) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    raise CannotDecide("a data file of memwarden.pii holds a word where a number belongs")
