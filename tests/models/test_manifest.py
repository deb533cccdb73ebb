"""The manifest of the shipped models names the files that ship, and no others."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memwarden.encoder.manifest import MANIFEST

FOLDER = Path(__file__).parents[2] / "models" / "onnx"
FILES: dict[str, str] = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))["files"]


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_that_ships_is_the_one_the_manifest_was_written_for(name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == FILES[name]


def test_no_file_ships_beside_the_manifest() -> None:
    shipped = {path.name for path in FOLDER.iterdir() if not path.name.startswith(".")}
    assert shipped == {*FILES, MANIFEST}
