"""Inheritance: finding the chain of files and laying one over the other.

Mappings merge key by key; everything else (scalars, lists) is replaced. Four things are taken
whole, because half of one and half of the other would mean something nobody wrote: ``models``, an
entry of ``patterns``, an entry of ``waivers``, and a guard whose ``use`` changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from memwarden.errors import Mistake
from memwarden.policy.document import Document
from memwarden.policy.tree import Branch, Leaf, Node, Path, find, place_of
from memwarden.policy.vocabulary import nearest

BASE: Final = "base"
BUNDLED: Final = "bundled"
"""What a folder's own ``base.yaml`` extends to build on the base policy that ships."""

_NOT_INHERITED: Final = ("extends", "tenant")
_MODELS: Final = "models"
_WHOLE: Final = frozenset(("patterns", "waivers"))


def parent_of(document: Document) -> str:
    """The stem of the file that a file builds on; "" for one that stands alone."""
    if document.extends:
        return document.extends
    return "" if document.stem in (BASE, BUNDLED) else BASE


def chain_of(
    document: Document, documents: Mapping[str, Document], broken: frozenset[str]
) -> tuple[tuple[Document, ...], list[Mistake]]:
    """The files from the base to ``document``; empty when something is missing or circular.

    ``broken`` holds the stems of files that could not be read at all: they were reported, and
    need no second complaint from every file that extends them.
    """
    chain = [document]
    while parent := parent_of(chain[-1]):
        here = chain[-1]
        seen = [link.stem for link in chain]
        place = place_of(here.tree, ("extends",))
        if parent in seen:
            circle = " -> ".join([*seen[seen.index(parent) :], parent])
            return (), [place.mistake(f"`extends` goes in a circle: {circle}", "break it")]
        if parent not in documents:
            if parent in broken:
                return (), []
            hint = nearest(parent, documents.keys() - {here.stem})
            return (), [place.mistake(f"`extends` names no file: `{parent}.yaml`", hint)]
        chain.append(documents[parent])
    return tuple(reversed(chain)), []


def merged(chain: Sequence[Document]) -> Branch:
    """The effective tree of a chain, base first. Every node keeps its place."""
    trees = [document.tree.lacking(_NOT_INHERITED) for document in chain]
    whole = reduce(lambda below, above: _over(below, above, ()), trees)  # type: ignore[arg-type, return-value]
    assert isinstance(whole, Branch)
    return whole


def _over(below: Node, above: Node, path: Path) -> Node:
    if not isinstance(below, Branch) or not isinstance(above, Branch):
        return above
    if _taken_whole(below, above, path):
        return above
    items = dict(below.items)
    places = dict(below.key_places)
    for key, node in above.items.items():
        items[key] = _over(items[key], node, (*path, key)) if key in items else node
        places[key] = above.key_place(key)
    return Branch(items, above.place, places)


def _taken_whole(below: Branch, above: Branch, path: Path) -> bool:
    if path == (_MODELS,):
        return True
    if len(path) != 2:
        return False
    if path[0] in _WHOLE:
        return True
    if path[0] == "guards":
        use = find(above, ("use",))
        return isinstance(use, Leaf) and use.value != _used(below, str(path[1]))
    return False


def _used(guard: Branch, name: str) -> object:
    use = find(guard, ("use",))
    return use.value if isinstance(use, Leaf) else name
