"""The small file that makes a folder of models an encoder: what is inside and how to read it.

``manifest.json`` names the stages in the order in which they are asked. Each stage is an ONNX
file with a tokenizer; the calibration turns their scores into probabilities. Another folder
with such a file takes the place of the bundled one without a change in code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar, cast

from memwarden.encoder.calibration import Calibration, StageScale
from memwarden.errors import ModelUnavailable
from memwarden.model import KINDS, Kind

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StageFiles:
    """One model: where it is and what its inputs and outputs are called.

    ``tokenizer`` is a ``tokenizer.json``, or a folder that transformers' AutoTokenizer reads.
    ``vector`` is the name of the sentence vector's output, empty when the model has none to give.
    """

    name: str
    model: Path
    tokenizer: Path
    prefix: str
    max_tokens: int
    vector: str
    attack: str
    kinds: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder of models says about itself."""

    name: str
    window_tokens: int
    kinds: tuple[Kind, ...]
    stages: tuple[StageFiles, ...]
    calibration: Calibration
    thresholds: tuple[tuple[str, float], ...]
    examples: Path | None
    digests: tuple[tuple[Path, str], ...]

    def check(self, *paths: Path) -> None:
        """Raise ModelUnavailable when a file, or one in a folder, is not the published one."""
        for path, digest in self.digests:
            if (path in paths or path.parent in paths) and _digest(path) != digest:
                raise ModelUnavailable(
                    f"{path.name} in {path.parent} is not the file its manifest names: "
                    "restore it, or rebuild the manifest if you replaced it on purpose"
                )


def read_manifest(folder: Path) -> Manifest:
    """Read ``folder/manifest.json``; raise ModelUnavailable saying what is wrong with it."""
    path = folder / MANIFEST
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return _manifest(folder, _Fields(entries))
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"{path} is not a manifest of models: {error}") from error


class _Fields:
    """Typed reading of one JSON object; a missing or mistyped field is named."""

    def __init__(self, entries: object) -> None:
        if not isinstance(entries, dict):
            raise TypeError("an object was expected")
        self._entries = cast("Mapping[str, object]", entries)

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        value = self._entries.get(name, default)
        if kind is float and isinstance(value, int):
            value = float(value)
        if not isinstance(value, kind):
            raise TypeError(f"field {name!r} must be a {kind.__name__}")
        return value

    def inner(self, name: str) -> _Fields:
        return _Fields(self._entries[name])

    def list_of(self, name: str) -> Sequence[object]:
        return self.get(name, list)

    def names(self) -> Sequence[str]:
        return tuple(self._entries)


def _manifest(folder: Path, fields: _Fields) -> Manifest:
    if fields.get("format", int) != FORMAT:
        raise ValueError(f"format {FORMAT} was expected")
    stages = tuple(_stage(folder, _Fields(entry)) for entry in fields.list_of("stages"))
    if not stages or not stages[0].vector:
        raise ValueError("the first stage must give a vector")
    kinds = tuple(Kind(str(kind)) for kind in fields.list_of("kinds"))
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise ValueError(f"unknown kinds {unknown}")
    examples = fields.get("examples", str, "")
    thresholds, files = fields.inner("thresholds"), fields.inner("files")
    return Manifest(
        name=fields.get("name", str),
        window_tokens=fields.get("window_tokens", int),
        kinds=kinds,
        stages=stages,
        calibration=_calibration(fields.inner("calibration"), stages),
        thresholds=tuple((name, thresholds.get(name, float)) for name in thresholds.names()),
        examples=folder / examples if examples else None,
        digests=tuple((folder / name, files.get(name, str)) for name in files.names()),
    )


def _stage(folder: Path, fields: _Fields) -> StageFiles:
    outputs = fields.inner("outputs")
    return StageFiles(
        name=fields.get("name", str),
        model=folder / fields.get("model", str),
        tokenizer=folder / fields.get("tokenizer", str),
        prefix=fields.get("prefix", str, ""),
        max_tokens=fields.get("max_tokens", int, 128),
        vector=outputs.get("vector", str, ""),
        attack=outputs.get("attack", str),
        kinds=outputs.get("kinds", str),
    )


def _calibration(fields: _Fields, stages: Sequence[StageFiles]) -> Calibration:
    scales = tuple(_scale(fields.inner(stage.name)) for stage in stages)
    return Calibration(scales)


def _scale(fields: _Fields) -> StageScale:
    return StageScale(
        mean=fields.get("mean", float),
        deviation=fields.get("deviation", float),
        slope=fields.get("slope", float),
        intercept=fields.get("intercept", float),
        kind_temperature=fields.get("kind_temperature", float),
        cleared_below=fields.get("cleared_below", float, float("-inf")),
        cleared_sure=fields.get("cleared_sure", float, 0.0),
    )


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
