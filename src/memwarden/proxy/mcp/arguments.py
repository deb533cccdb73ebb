"""The arguments of a call as memories, one row each, and put together again.

``add_observations`` with five sentences is five memories: each is judged with the names around
it, and the call is made again from what was decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from memwarden.stores.rows.payloads import Json, Naming, Payload

Path = tuple[str | int, ...]
"""Keys and indices from the arguments down to a value."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One memory of a call: the arguments with nothing in them but this memory and its names.

    ``sources`` says for each of its own texts, by its path in ``fields``, where it stands in the
    call's arguments.
    """

    fields: Payload = field(repr=False)
    sources: Mapping[Path, Path]


def pieces(arguments: Payload, naming: Naming) -> list[Piece]:
    """Every memory of a call; names that stand beside no memory are pieces of their own."""
    found = [(_indices(path), naming.is_identifier(name)) for path, name, _ in texts(arguments)]
    told = list(dict.fromkeys(place for place, is_name in found if not is_name))
    alone = dict.fromkeys(
        place
        for place, is_name in found
        if is_name and not any(other[: len(place)] == place for other in told)
    )
    places = [*told, *alone] or [()]
    return [_cut(arguments, place, naming) for place in places]


def texts(value: Json, path: Path = (), name: str = "") -> Iterator[tuple[Path, str, str]]:
    """Every text with its path and its dotted name without indices."""
    if isinstance(value, str):
        yield path, name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, (*path, key), f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from texts(inner, (*path, at), name)


def _indices(path: Path) -> Path:
    """The path as far as its last index: texts that share it are one memory."""
    last = max((at for at, step in enumerate(path) if isinstance(step, int)), default=-1)
    return path[: last + 1]


def _cut(arguments: Payload, place: Path, naming: Naming) -> Piece:
    sources: dict[Path, Path] = {}
    kept = _kept(arguments, place, naming, ((), ()), "", sources)
    return Piece(cast("Payload", kept), sources)


def _kept(
    value: Json,
    place: Path,
    naming: Naming,
    at: tuple[Path, Path],
    name: str,
    sources: dict[Path, Path],
) -> Json:
    """The value with only what belongs to ``place``. ``at`` is its path here and in the call."""
    here, there = at
    if isinstance(value, str):
        sources[here] = there
        return value
    if isinstance(value, list):
        step = place[len(there)] if len(place) > len(there) else None
        if not isinstance(step, int):
            return []
        inner = (*here, 0), (*there, step)
        return [_kept(value[step], place, naming, inner, name, sources)]
    if not isinstance(value, dict):
        return value
    own: dict[str, Json] = {}
    for key, inner_value in value.items():
        dotted = f"{name}.{key}" if name else key
        inside = (*there, key)
        on_the_way = inside == place[: len(inside)]
        if _belongs(inner_value, place, inside, on_the_way, naming.is_identifier(dotted)):
            inner = (*here, key), inside
            own[key] = _kept(inner_value, place, naming, inner, dotted, sources)
    return own


def _belongs(value: Json, place: Path, inside: Path, on_the_way: bool, is_name: bool) -> bool:
    """Names and numbers around a memory belong to it; another memory's texts do not."""
    if on_the_way:
        return True
    if isinstance(value, str):
        return is_name or _indices(inside) == place
    if isinstance(value, list):
        return False
    if isinstance(value, dict):
        return inside[: len(place)] == place
    return True


def put_together(arguments: Payload, decided: Mapping[Path, str]) -> Payload:
    """The arguments with the decided texts in their places."""
    return cast("Payload", _with(arguments, (), decided))


def _with(value: Json, path: Path, decided: Mapping[Path, str]) -> Json:
    if isinstance(value, str):
        return decided.get(path, value)
    if isinstance(value, dict):
        return {key: _with(inner, (*path, key), decided) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with(inner, (*path, at), decided) for at, inner in enumerate(value)]
    return value


def at_path(value: Json, path: Path) -> Json:
    """What stands at a path."""
    for step in path:
        value = value[step]  # type: ignore[index]
    return value
