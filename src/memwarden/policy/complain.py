"""Turns what pydantic found wrong into mistakes with a place and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Final, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from memwarden.errors import Mistake
from memwarden.policy.tree import Branch, Leaf, Node, Path, Row, deepest, dotted, find, place_of
from memwarden.policy.unfold import TIERS
from memwarden.policy.vocabulary import nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_SHAPES: Final[Mapping[str, str]] = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "model_type": "a mapping of `key: value` lines",
    "model_attributes_type": "a mapping of `key: value` lines",
    "dataclass_type": "a mapping of `key: value` lines",
    "dict_type": "a mapping of `key: value` lines",
    "mapping_type": "a mapping of `key: value` lines",
    "tuple_type": "a list",
    "list_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
}
_UNKNOWN_KEY: Final = frozenset(("extra_forbidden", "unexpected_keyword_argument"))
_MISSING: Final = frozenset(("missing", "missing_argument", "missing_keyword_only_argument"))
_YAML_1_1_BOOLEANS: Final = frozenset(("yes", "no", "on", "off", "y", "n"))


def complaints(
    error: ValidationError, tree: Node, model: type[BaseModel], prefix: Path = ()
) -> tuple[list[Mistake], list[Path]]:
    """Return the mistakes, and the paths of what is wrong (so that the rest can be used).

    ``tree`` is the whole file, ``prefix`` the path in it of what was validated by ``model``.
    """
    mistakes: list[Mistake] = []
    faulty: list[Path] = []
    for detail in error.errors(include_url=False):
        loc = tuple(detail["loc"])
        path = deepest(tree, (*prefix, *_in_file(loc)))
        faulty.append(path)
        mistakes.append(_mistake(detail, loc, path, tree, model))
    return mistakes, faulty


def _in_file(loc: Path) -> Path:
    """A pydantic location without its marker for keys."""
    return loc[:-1] if loc and loc[-1] == "[key]" else loc


def _mistake(
    detail: ErrorDetails, loc: Path, path: Path, tree: Node, model: type[BaseModel]
) -> Mistake:
    kind = detail["type"]
    key = str(loc[-1]) if loc else ""
    if kind in _UNKNOWN_KEY:
        known = keys_at(model, loc[:-1])
        hint = nearest(key, known) if known else "it takes no settings"
        return place_of(tree, path, key=True).mistake(f"unknown key `{key[:60]}`", hint)
    if kind in _MISSING:
        where = dotted(path) or "the file"
        return place_of(tree, path, key=True).mistake(f"`{where}` needs `{key}`", f"add `{key}:`")
    if key == "[key]":
        return place_of(tree, path, key=True).mistake(*_worded(detail, path))
    given = find(tree, path)
    if kind in _SHAPES and given is not None:
        message = f"`{dotted(path)}` should be {_SHAPES[kind]}, not {describe(given)}"
        return given.place.mistake(message, _shape_hint(kind, given))
    return place_of(tree, path).mistake(*_worded(detail, path))


def _worded(detail: ErrorDetails, path: Path) -> tuple[str, str]:
    """A message and a hint for errors that speak for themselves.

    Tiers are left out of the path: in a shorthand nobody wrote them, and the place is exact.
    """
    if path and path[-1] in TIERS:
        path = path[:-1]
    context = detail.get("ctx", {})
    if detail["type"] == "policy":
        message = str(context["message"])
        if message.startswith(("should", "is ")):
            message = f"`{dotted(path)}` {message}"
        return message, str(context.get("hint", ""))
    if detail["type"] in ("literal_error", "enum"):
        given = str(detail["input"])[:40]
        expected = str(context["expected"]).replace(" or ", ",")
        known = [word.strip("' ") for word in expected.split(",")]
        return f"`{dotted(path)}` cannot be `{given}`", nearest(given, known)
    if detail["type"] in ("too_long", "too_short", "string_too_long", "string_too_short"):
        return f"`{dotted(path)}` {_length(detail['type'], context)}", ""
    text = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"`{dotted(path)}` {text}", ""


def _length(kind: str, context: Mapping[str, object]) -> str:
    unit = "characters" if kind.startswith("string") else "entries"
    if kind.endswith("long"):
        return f"should have at most {context['max_length']} {unit}"
    return f"should have at least {context['min_length']} {unit}"


def describe(node: Node) -> str:
    """What stands there, without quoting it."""
    if isinstance(node, Branch):
        return "a mapping"
    if isinstance(node, Row):
        return "a list"
    if node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    if isinstance(node.value, int):
        return "a whole number"
    return "a number" if isinstance(node.value, float) else "text"


def _shape_hint(kind: str, given: Node) -> str:
    if not isinstance(given, Leaf):
        return ""
    if kind == "string_type":
        return "put it in quotes"
    if kind == "bool_type" and given.written.lower() in _YAML_1_1_BOOLEANS:
        return "only true and false are booleans"
    if kind in ("int_type", "float_type") and given.quoted:
        return "remove the quotes"
    if kind in ("int_type", "float_type") and given.written.replace("_", "").isdigit():
        return "write the number without `_`"
    if kind in ("tuple_type", "list_type"):
        return "write it as [...] or as lines that begin with `- `"
    return ""


def keys_at(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The keys that a model allows at a location; empty where any key is allowed."""
    here: object = model
    for step in loc:
        here = _below(here, step)
    below = _mapping(here)
    if below is None:
        return []
    names = [info.alias or name for name, info in below.model_fields.items()]
    return [*names, "else"] if "untrusted" in names else names


def _below(annotation: object, step: str | int) -> object:
    """The annotation one step down: a field, the value of a mapping, the item of a list."""
    model = _mapping(annotation)
    if model is not None:
        fields = model.model_fields.items()
        return {info.alias or name: info.annotation for name, info in fields}.get(str(step))
    inner = [argument for argument in get_args(annotation) if argument not in (None, type(None))]
    if get_origin(annotation) in (Union, UnionType, Annotated) and inner:
        return _below(inner[0], step)
    return inner[0 if isinstance(step, int) else -1] if inner else None


def _mapping(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Union, UnionType, Annotated):
        return next(filter(None, map(_mapping, get_args(annotation))), None)
    return None


def tidy(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Sorted by file, line and column; one mistake for each place and message."""
    unique = {(m.file, m.line, m.column, m.message): m for m in mistakes}
    return [unique[key] for key in sorted(unique)]
