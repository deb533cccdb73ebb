"""The policy files of a folder, with the base policy that ships where the folder has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memwarden import bundled
from memwarden.errors import Mistake
from memwarden.policy.document import Document, read_document
from memwarden.policy.merge import BASE, BUNDLED, parent_of
from memwarden.policy.tree import place_of

SUFFIXES: Final = (".yaml", ".yml")
TEST_SUFFIX: Final = "_test"
MAX_FILES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files that were read, by stem. ``broken`` are the stems of those that could not be."""

    documents: Mapping[str, Document]
    broken: frozenset[str]


def read_shelf(path: Path | None) -> tuple[Shelf, list[Mistake]]:
    """Read a folder, or one file and the files beside it that it builds on."""
    files, mistakes = _files(path)
    documents: dict[str, Document] = {}
    broken: set[str] = set()
    for stem, file in _plan(files):
        document, wrong = read_document(file, stem)
        mistakes += wrong
        if document is None:
            broken.add(stem)
        else:
            documents[stem] = document
    mistakes += _twice(documents.values())
    return Shelf(documents, frozenset(broken)), mistakes


def is_policy(file: Path) -> bool:
    """Whether a file is read as a policy: YAML, not hidden, not a file of policy tests."""
    return (
        file.suffix in SUFFIXES
        and not file.name.startswith(".")
        and not file.stem.endswith(TEST_SUFFIX)
        and file.is_file()
    )


def _plan(files: Iterable[Path]) -> list[tuple[str, Path]]:
    plan = [(file.stem, file) for file in files]
    shipped = bundled.base_policy()
    plan.append((BUNDLED, shipped))
    if BASE not in {stem for stem, _ in plan}:
        plan.append((BASE, shipped))
    return plan


def _files(path: Path | None) -> tuple[list[Path], list[Mistake]]:
    if path is None:
        return [], []
    try:
        if path.is_file():
            return _with_ancestors(path), []
        files = sorted(file for file in path.iterdir() if is_policy(file))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "name a folder with policy files, or one file"
        return [], [Mistake(str(path), 1, 1, f"cannot be read: {reason}", hint)]
    if len(files) > MAX_FILES:
        return [], [Mistake(str(path), 1, 1, f"holds more than {MAX_FILES} policy files")]
    return _distinct(files)


def _distinct(files: Iterable[Path]) -> tuple[list[Path], list[Mistake]]:
    kept: dict[str, Path] = {}
    mistakes: list[Mistake] = []
    for file in files:
        if file.stem == BUNDLED:
            hint = "give the file another name"
            mistakes.append(Mistake(str(file), 1, 1, f"the name `{BUNDLED}` is reserved", hint))
        elif file.stem in kept:
            other = kept[file.stem].name
            message = f"{other} has the same name but for its ending"
            mistakes.append(Mistake(str(file), 1, 1, message, "keep one of them"))
        else:
            kept[file.stem] = file
    return list(kept.values()), mistakes


def _with_ancestors(path: Path) -> list[Path]:
    files = [path]
    while True:
        document, _ = read_document(files[-1], files[-1].stem)
        parent = parent_of(document) if document else ""
        beside = [path.with_name(parent + suffix) for suffix in SUFFIXES if parent]
        found = next((file for file in beside if file.is_file()), None)
        if found is None or found in files:
            return files
        files.append(found)


def _twice(documents: Iterable[Document]) -> list[Mistake]:
    first: dict[str, Document] = {}
    mistakes: list[Mistake] = []
    for document in sorted(documents, key=lambda d: d.file):
        if not document.tenant:
            continue
        known = first.setdefault(document.tenant, document)
        if known is not document:
            place = place_of(document.tree, ("tenant",))
            message = f"the tenant `{document.tenant}` already has a policy"
            mistakes.append(place.mistake(message, f"it is {known.file}"))
    return mistakes
