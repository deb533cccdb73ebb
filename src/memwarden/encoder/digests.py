"""SHA-256 of the files that models are made of, and one digest for a whole folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memwarden.errors import ModelUnavailable

MOST_FILES: Final = 1_000
"""A folder of models has a handful of files; one with more is not a folder of models."""


def file_digest(path: Path) -> str:
    """SHA-256 of one file in hexadecimal; raise ModelUnavailable if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error


def file_digests(folder: Path) -> Mapping[str, str]:
    """SHA-256 of every file in a folder and below, by its path inside the folder."""
    try:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    except OSError as error:
        raise ModelUnavailable(f"cannot read {folder}: {error.strerror}") from error
    if not files:
        raise ModelUnavailable(f"{folder} is not a folder with files in it")
    if len(files) > MOST_FILES:
        raise ModelUnavailable(f"{folder} holds more than {MOST_FILES} files: no folder of models")
    names = {path.relative_to(folder).as_posix(): path for path in files}
    return {name: file_digest(names[name]) for name in sorted(names)}


def folder_digest(digests: Mapping[str, str]) -> str:
    """SHA-256 of the lines that ``sha256sum`` prints for the files of a folder, sorted by name.

    In a shell: ``find -L . -type f -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum | sha256sum``.
    """
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
