"""A folder of models says what it is; what is wrong with it is said before anything is judged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memwarden.encoder import read_manifest
from memwarden.errors import ModelUnavailable

MODEL = b"not really a model"


def _entries() -> dict[str, object]:
    return {
        "format": 1,
        "name": "tiny",
        "window_tokens": 60,
        "kinds": ["fact", "other"],
        "stages": [
            {
                "name": "one",
                "model": "one.onnx",
                "tokenizer": "one.tokenizer.json",
                "outputs": {"vector": "embedding", "attack": "attack", "kinds": "kinds"},
            }
        ],
        "calibration": {
            "one": {
                "mean": 0,
                "deviation": 1.0,
                "slope": 1.0,
                "intercept": 0.0,
                "kind_temperature": 1.0,
            }
        },
        "thresholds": {"trusted": 0.9},
        "files": {"one.onnx": hashlib.sha256(MODEL).hexdigest()},
    }


def _written(folder: Path, entries: object) -> Path:
    (folder / "manifest.json").write_text(json.dumps(entries), encoding="utf-8")
    (folder / "one.onnx").write_bytes(MODEL)
    return folder


def test_a_manifest_is_read(tmp_path: Path) -> None:
    manifest = read_manifest(_written(tmp_path, _entries()))
    assert manifest.name == "tiny"
    assert manifest.stages[0].model == tmp_path / "one.onnx"
    assert manifest.thresholds == (("trusted", 0.9),)
    manifest.check(tmp_path / "one.onnx")


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    manifest = read_manifest(_written(tmp_path, _entries()))
    (tmp_path / "one.onnx").write_bytes(MODEL + b"!")
    with pytest.raises(ModelUnavailable, match=r"one\.onnx .* is not the file"):
        manifest.check(tmp_path / "one.onnx")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    manifest = read_manifest(_written(tmp_path, _entries()))
    (tmp_path / "one.onnx").unlink()
    with pytest.raises(ModelUnavailable, match="cannot read"):
        manifest.check(tmp_path / "one.onnx")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 2}, "format 1 was expected"),
        ({"name": 3}, "'name' must be a str"),
        ({"kinds": ["fact", "gossip"]}, "gossip"),
        ({"stages": []}, "first stage"),
        ({"calibration": {}}, "one"),
        ({"thresholds": {"trusted": "high"}}, "'trusted' must be a float"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, change: dict[str, object], says: str) -> None:
    with pytest.raises(ModelUnavailable, match=says):
        read_manifest(_written(tmp_path, _entries() | change))


def test_no_manifest_no_encoder(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot read"):
        read_manifest(tmp_path)


def test_a_manifest_that_is_no_object(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="an object was expected"):
        read_manifest(_written(tmp_path, ["no"]))
