"""Reading and rebuilding an answer's objects, whatever they are made of.

A node is a mapping, a pydantic model or a dataclass. It is never changed: a changed one is a copy
of the same type, sharing everything that stayed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from enum import Enum
from typing import Final

from memwarden.errors import UsageError

Path = tuple[str | int, ...]
"""The way from a node to one of its leaves: field names, and positions in lists."""

_LEAVES: Final = (str, list, tuple, bool, int, float, Decimal, date, time, Enum)


def fields(node: object) -> Mapping[str, object] | None:
    """The fields of a node by name; None for a text, a number, a list or nothing.

    Raises UsageError for an object whose fields cannot be known: what is in it cannot be vouched
    for.
    """
    if node is None or isinstance(node, _LEAVES):
        return None
    if isinstance(node, Mapping):
        return node
    if _is_model(node):
        extra = getattr(node, "__pydantic_extra__", None) or {}
        return {**vars(node), **extra}
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        return {one.name: getattr(node, one.name) for one in dataclasses.fields(node)}
    raise UsageError(
        f"an answer holds a {type(node).__module__}.{type(node).__qualname__}, which memwarden"
        " cannot look into; give it the text, a dictionary, a pydantic model or a dataclass"
    )


def rebuilt(node: object, changes: Mapping[str, object]) -> object:
    """A copy of a node with some fields changed; the node itself if none is."""
    if not changes:
        return node
    if isinstance(node, Mapping):
        return {**node, **changes}
    if _is_model(node):
        return node.model_copy(update=dict(changes))  # type: ignore[attr-defined]
    return dataclasses.replace(node, **changes)  # type: ignore[type-var]


def relisted(old: Sequence[object], new: list[object]) -> object:
    """``new`` as the kind of list that ``old`` is, or ``old`` where nothing changed."""
    if all(one is other for one, other in zip(old, new, strict=True)):
        return old
    return tuple(new) if isinstance(old, tuple) else new


def get(node: object, name: str) -> object:
    """One field of a node; None where there is none."""
    given = fields(node)
    return None if given is None else given.get(name)


def word(node: object, name: str) -> str:
    """One field of a node that holds a text; "" where there is none."""
    value = get(node, name)
    return value if isinstance(value, str) else ""


def items(node: object, name: str) -> Sequence[object]:
    """One field of a node that holds a list; empty where there is none."""
    value = get(node, name)
    return value if isinstance(value, list | tuple) else ()


def put(node: object, path: Path, value: object) -> object:
    """A copy of a node with one leaf changed."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        assert isinstance(node, list | tuple)
        return relisted(
            node, [put(one, rest, value) if at == step else one for at, one in enumerate(node)]
        )
    return rebuilt(node, {step: put(get(node, step), rest, value)})


def only(node: object, path: Path, value: object) -> object:
    """A copy of a node in which nothing is said but one leaf. Numbers and types stay."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        assert isinstance(node, list | tuple)
        return [only(node[step], rest, value)]
    given = fields(node) or {}
    said = {name: one for name, one in given.items() if isinstance(one, int) or name == "type"}
    unsaid = {} if isinstance(node, Mapping) else dict.fromkeys(given)
    kept = {**unsaid, **said, step: only(given.get(step), rest, value)}
    return kept if isinstance(node, Mapping) else rebuilt(node, kept)


def leaves(node: object, skipped: frozenset[str], path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text below a node with the way to it, but for fields whose name is ``skipped``."""
    if isinstance(node, str):
        yield path, node
    elif isinstance(node, list | tuple):
        for at, one in enumerate(node):
            yield from leaves(one, skipped, (*path, at))
    else:
        for name, one in (fields(node) or {}).items():
            if name not in skipped:
                yield from leaves(one, skipped, (*path, name))


def _is_model(node: object) -> bool:
    kind = type(node)
    return hasattr(kind, "model_copy") and hasattr(kind, "model_fields")
