"""One policy file: read, unfolded and checked against the schema, as far as it is right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Final

from pydantic import ValidationError

from memwarden.errors import Mistake
from memwarden.model import UNSTATED, Tier
from memwarden.policy.complain import complaints
from memwarden.policy.pattern_check import pattern_mistakes
from memwarden.policy.read import MAX_BYTES, read_bytes
from memwarden.policy.schema import PolicyFile
from memwarden.policy.tree import (
    Branch,
    Leaf,
    Node,
    Path,
    Row,
    dotted,
    find,
    place_of,
    plain,
    without,
)
from memwarden.policy.unfold import unfold, without_taken_back

_ROUNDS: Final = 4
"""Taking out what is wrong can leave something else incomplete; more rounds never helped."""

LOCAL: Final = "local"
"""The reserved tenant of the command line. It has the base policy, and no file may define it."""


@dataclass(frozen=True, slots=True)
class Document:
    """``tree`` holds what is right; ``sound`` says whether that is everything."""

    stem: str
    file: str
    tree: Branch
    tenant: str
    extends: str
    sound: bool


def read_document(path: FilePath, stem: str) -> tuple[Document | None, list[Mistake]]:
    """Read one policy file; every mistake in it that can be seen without the other files."""
    file = str(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return None, [Mistake(file, 1, 1, f"the file cannot be read: {reason}")]
    return document(data, stem, file)


def document(data: bytes, stem: str, file: str) -> tuple[Document | None, list[Mistake]]:
    root, mistakes = read_bytes(data, file)
    if root is None:
        return None, mistakes
    root, empty = _without_nothing(root)
    mistakes += empty
    full = unfold(root)
    told = {(mistake.line, mistake.column) for mistake in mistakes}
    tree, found = _right_part(full)
    mistakes += [mistake for mistake in found if (mistake.line, mistake.column) not in told]
    own = list(_own_checks(tree))
    mistakes += own
    sound = not mistakes
    return (
        Document(stem, file, tree, _text(tree, "tenant"), _text(tree, "extends"), sound),
        mistakes,
    )


def checked(tree: Branch) -> PolicyFile:
    """The typed form of a tree; raises ValidationError."""
    return PolicyFile.model_validate_json(json.dumps(plain(without_taken_back(tree))))


def _right_part(tree: Branch) -> tuple[Branch, list[Mistake]]:
    mistakes: list[Mistake] = []
    for _ in range(_ROUNDS):
        try:
            checked(tree)
        except ValidationError as error:
            found, faulty = complaints(error, without_taken_back(tree), PolicyFile)
            mistakes = mistakes or found
            rest = without(tree, faulty)
            assert isinstance(rest, Branch)
            tree = rest
        else:
            return tree, mistakes
    return Branch({}, tree.place), mistakes


def _without_nothing(root: Branch) -> tuple[Branch, list[Mistake]]:
    """Nothing after a colon is nearly always a slip, and never a way to switch a guard off."""
    paths = list(_nothings(root))
    mistakes = [
        place_of(root, path, key=True).mistake(
            f"`{dotted(path)}` has no value",
            "write `{}` for a guard's own settings, or `off`"
            if path[0] == "guards" and len(path) == 2
            else "give it one, or remove the line",
        )
        for path in paths
    ]
    rest = without(root, paths)
    assert isinstance(rest, Branch)
    return rest, mistakes


def _nothings(node: Node, path: Path = ()) -> Iterator[Path]:
    if isinstance(node, Leaf):
        if node.value is None:
            yield path
    elif isinstance(node, Row):
        for at, item in enumerate(node.items):
            yield from _nothings(item, (*path, at))
    else:
        for key, item in node.items.items():
            yield from _nothings(item, (*path, key))


def _own_checks(tree: Branch) -> Iterator[Mistake]:
    if _text(tree, "tenant") == LOCAL:
        yield place_of(tree, ("tenant",)).mistake(
            "the tenant `local` is reserved: it is the base policy, for the command line",
            "choose another name",
        )
    unstated = find(tree, ("sources", UNSTATED))
    if isinstance(unstated, Leaf) and unstated.value != Tier.UNTRUSTED.label:
        yield unstated.place.mistake(
            "an origin that nobody stated is always untrusted", "remove the line"
        )
    yield from pattern_mistakes(tree)


def _text(tree: Branch, key: str) -> str:
    node = tree.items.get(key)
    return node.value if isinstance(node, Leaf) and isinstance(node.value, str) else ""
