"""A YAML file as a tree that remembers where everything stood.

Scalars are read as YAML 1.2 core does: only ``true`` and ``false`` are booleans, so ``no``,
``off`` and ``12:30:00`` stay what they look like. What two YAML versions would read differently
(``012``), merge keys, tags and values that are not there are mistakes, not guesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from memwarden.errors import Mistake

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file, counted from 1."""

    file: str
    line: int
    column: int

    def mistake(self, message: str, hint: str = "") -> Mistake:
        return Mistake(self.file, self.line, self.column, message, hint)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar. ``written`` is how it stands in the file, ``quoted`` whether in quotes."""

    value: str | int | float | bool | None
    place: Place
    written: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A list."""

    items: tuple[Node, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Branch:
    """A mapping. ``key_places`` says where each key stood."""

    items: Mapping[str, Node]
    place: Place
    key_places: Mapping[str, Place] = field(default_factory=dict)

    def key_place(self, key: str) -> Place:
        return self.key_places.get(key, self.items[key].place)

    def having(self, key: str, node: Node) -> Branch:
        """The same mapping with ``key`` set to ``node``, standing where it stood before."""
        places = {**self.key_places, key: self.key_places.get(key, node.place)}
        return Branch({**self.items, key: node}, self.place, places)

    def lacking(self, keys: Iterable[str]) -> Branch:
        gone = frozenset(keys)
        items = {key: node for key, node in self.items.items() if key not in gone}
        return Branch(items, self.place, self.key_places)


Node: TypeAlias = Leaf | Row | Branch


def plain(node: Node) -> Plain:
    """The values alone, as JSON would hold them."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Row):
        return [plain(item) for item in node.items]
    return {key: plain(item) for key, item in node.items.items()}


def find(node: Node, path: Path) -> Node | None:
    """The node at ``path``, or None."""
    for step in path:
        below = _below(node, step)
        if below is None:
            return None
        node = below
    return node


def _below(node: Node, step: Step) -> Node | None:
    if isinstance(node, Branch) and isinstance(step, str):
        return node.items.get(step)
    if isinstance(node, Row) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


def deepest(node: Node, path: Path) -> Path:
    """The longest beginning of ``path`` that exists."""
    for at, step in enumerate(path):
        below = _below(node, step)
        if below is None:
            return path[:at]
        node = below
    return path


def place_of(node: Node, path: Path, *, key: bool = False) -> Place:
    """Where the value at ``path`` stands (``key=True``: where its key stands)."""
    path = deepest(node, path)
    found = find(node, path)
    assert found is not None
    if key and path and isinstance(path[-1], str):
        above = find(node, path[:-1])
        if isinstance(above, Branch):
            return above.key_place(path[-1])
    return found.place


def without(node: Node, paths: Iterable[Path]) -> Node:
    """The tree without what stands at ``paths``."""
    wanted = [path for path in paths if path]
    if not wanted or isinstance(node, Leaf):
        return node
    here = {path[0] for path in wanted if len(path) == 1}
    deeper = [path for path in wanted if len(path) > 1 and path[0] not in here]
    if isinstance(node, Row):
        kept = [
            without(item, [path[1:] for path in deeper if path[0] == at])
            for at, item in enumerate(node.items)
            if at not in here
        ]
        return Row(tuple(kept), node.place)
    items = {
        key: without(item, [path[1:] for path in deeper if path[0] == key])
        for key, item in node.items.items()
        if key not in here
    }
    return Branch(items, node.place, node.key_places)


def ends(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Every end of the tree with its path: scalars, lists and their items, and mappings with
    nothing in them."""
    if isinstance(node, Branch) and node.items:
        for key, item in node.items.items():
            yield from ends(item, (*path, key))
        return
    yield path, node
    if isinstance(node, Row):
        for at, item in enumerate(node.items):
            yield from ends(item, (*path, at))


def dotted(path: Iterable[Step]) -> str:
    """A path as people write it: ``kinds.preference.trusted``, ``examples[2]``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step + 1}]"
        else:
            text += f".{step}" if text else step
    return text
