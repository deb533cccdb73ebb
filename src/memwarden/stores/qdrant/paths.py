"""Paths into payloads, as the host reads them: ``metadata.note``, ``notes[0].text``, ``notes[]``.

The host's parser says what a path means; what is done at the end of it is written down here,
because the result must be known before the host is asked.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from memwarden.stores.rows.payloads import Json, Payload

if TYPE_CHECKING:
    from qdrant_client.local.json_path_parser import JsonPathItem

Steps = tuple[str | int | None, ...]
"""A name, an index, or None for every element."""

_All = Mapping[str | int | None, object]


def parsed(path: str) -> Steps:
    """The steps of a path. Raises ValueError, as the host does, for what is none."""
    from qdrant_client.local.json_path_parser import parse_json_path

    return tuple(map(_step, parse_json_path(path)))


def _step(item: JsonPathItem) -> str | int | None:
    return item.key if item.key is not None else item.index


def first_field(path: str) -> str | int | None:
    """The top-level field that a path begins with."""
    return parsed(path)[0]


def merged_at(before: Payload, path: str | None, new: Payload) -> Payload:
    """``before`` with ``new`` merged in at a path; a null removes its field."""
    after = copy.deepcopy(before)
    if path is None:
        return _merge(after, new)
    from qdrant_client.local.json_path_parser import parse_json_path
    from qdrant_client.local.payload_value_setter import set_value_by_key

    set_value_by_key(payload=after, keys=parse_json_path(path), value=copy.deepcopy(new))
    return after


def _merge(into: Payload, new: Payload) -> Payload:
    for name, value in new.items():
        if value is None:
            into.pop(name, None)
        else:
            into[name] = copy.deepcopy(value)
    return into


def deleted(before: Payload, paths: Sequence[str]) -> Payload:
    """``before`` without what the paths name; a path that names nothing changes nothing."""
    after = copy.deepcopy(before)
    for path in paths:
        _delete(after, parsed(path))
    return after


def _delete(value: Json, steps: Steps) -> None:
    head, rest = steps[0], steps[1:]
    if not rest:
        if isinstance(value, dict) and isinstance(head, str):
            value.pop(head, None)
        elif isinstance(value, list) and head is None:
            value.clear()
        return
    for inner in _reached(value, head):
        _delete(inner, rest)


def _reached(value: Json, head: str | int | None) -> list[Json]:
    if isinstance(value, dict) and isinstance(head, str):
        return [value[head]] if head in value else []
    if isinstance(value, list) and head is None:
        return list(value)
    if isinstance(value, list) and isinstance(head, int):
        return [value[head]] if head < len(value) else []
    return []


def included(payload: Payload, paths: Sequence[str]) -> Payload:
    """Only what the paths name."""
    kept = _include(payload, _tree(paths))
    return cast("Payload", kept)


def excluded(payload: Payload, paths: Sequence[str]) -> Payload:
    """Everything but what the paths name."""
    return cast("Payload", _exclude(payload, _tree(paths)))


def _tree(paths: Sequence[str]) -> _All:
    tree: dict[str | int | None, object] = {}
    for path in paths:
        node = tree
        *parents, last = parsed(path)
        for step in parents:
            below = node.setdefault(step, {})
            if not isinstance(below, dict):
                break
            node = below
        else:
            node[last] = True
    return tree


def _include(value: Json, tree: _All) -> Json:
    if isinstance(value, dict):
        return {
            name: _include(inner, below) if isinstance(below := tree[name], dict) else inner
            for name, inner in value.items()
            if name in tree
        }
    if isinstance(value, list):
        below = tree.get(None)
        if below is None:
            return []
        return [_include(inner, below) if isinstance(below, dict) else inner for inner in value]
    return value


def _exclude(value: Json, tree: _All) -> Json:
    if isinstance(value, dict):
        return {
            name: _exclude(inner, below) if isinstance(below, dict) else inner
            for name, inner in value.items()
            if (below := tree.get(name)) is not True
        }
    if isinstance(value, list):
        below = tree.get(None)
        if below is None:
            return value
        return [] if not isinstance(below, dict) else [_exclude(inner, below) for inner in value]
    return value
