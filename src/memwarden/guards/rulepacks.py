"""A digest of the files that a guard's rules and their matching are made of.

A policy's revision holds it, so that equal revisions decide alike even after an update.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

_NOT_DECIDING: Final = ("__pycache__", ".pyc", ".md")


@cache
def packs_digest(*places: str) -> str:
    """SHA-256 over the names and bytes of the files in these places, in hexadecimal.

    A place is a package, with what lies below it, or a package and one file: ``package/file``.
    """
    digest = hashlib.sha256()
    for place in places:
        package, _, file = place.partition("/")
        root = files(package)
        for name, entry in sorted(_files(root.joinpath(file) if file else root, place)):
            digest.update(f"{name}\0".encode())
            digest.update(hashlib.sha256(entry.read_bytes()).digest())
    return digest.hexdigest()


def _files(entry: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    if name.endswith(_NOT_DECIDING):
        return
    if entry.is_file():
        yield name, entry
    elif entry.is_dir():
        for inner in entry.iterdir():
            yield from _files(inner, f"{name}/{inner.name}")
