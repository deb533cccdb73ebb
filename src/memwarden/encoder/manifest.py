"""The small file that makes a folder of models an encoder: what is inside and how to read it.

``manifest.json`` names the stages in the order in which they are asked. Each stage is an ONNX
file with a tokenizer; the calibration turns their scores into probabilities. Another folder
with such a file takes the place of the bundled one without a change in code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memwarden.encoder.calibration import PLAIN, Calibration, StageScale
from memwarden.encoder.digests import file_digest
from memwarden.encoder.fields import Fields
from memwarden.encoder.windows import WINDOW_TOKENS
from memwarden.errors import ModelUnavailable
from memwarden.model import COMMAND_KINDS, KINDS, Kind

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class StageFiles:
    """One model: where it is and what its inputs and outputs are called.

    ``tokenizer`` is a ``tokenizer.json``, or a folder that transformers' AutoTokenizer reads.
    ``vector`` is the name of the sentence vector's output, empty when the model has none to give.
    A model has outputs ``attack`` and ``kinds``, or one output ``logits`` with a column for each
    of ``labels``; then hostile is what the labels in ``hostile`` say.
    """

    name: str
    model: Path
    tokenizer: Path
    prefix: str = ""
    max_tokens: int = 128
    vector: str = ""
    attack: str = ""
    kinds: str = ""
    logits: str = ""
    labels: tuple[str, ...] = ()
    hostile: frozenset[str] = frozenset()

    @property
    def outputs(self) -> frozenset[str]:
        """The names of the outputs that the model must have."""
        return frozenset((self.attack, self.kinds, self.vector, self.logits)) - {""}

    @property
    def names_kinds(self) -> bool:
        """Whether the model says what kind a text is, and not only whether it is hostile."""
        return bool(self.kinds) or (bool(self.labels) and set(self.labels) <= set(KINDS))


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder of models says about itself. ``digest`` tells one set of models from another:
    the SHA-256 of the manifest, or of the whole folder where a policy pins it."""

    name: str
    window_tokens: int
    kinds: tuple[Kind, ...]
    stages: tuple[StageFiles, ...]
    calibration: Calibration
    thresholds: tuple[tuple[str, float], ...]
    examples: Path | None
    digests: tuple[tuple[Path, str], ...]
    digest: str = ""

    @property
    def attack_only(self) -> bool:
        """Whether the models say no kinds, so that the bundled ones must say them."""
        return not self.stages[0].names_kinds

    def check_stage(self, stage: StageFiles) -> None:
        """Raise ModelUnavailable when a file of the stage is not the published one."""
        self.check(stage.model, stage.tokenizer)

    def check(self, *paths: Path) -> None:
        """Raise ModelUnavailable when a file, or one in a folder, is not the published one."""
        for path, digest in self.digests:
            if (path in paths or path.parent in paths) and file_digest(path) != digest:
                raise ModelUnavailable(
                    f"{path.name} in {path.parent} is not the file its manifest names: "
                    "restore it, or rebuild the manifest if you replaced it on purpose"
                )


def read_manifest(folder: Path) -> Manifest:
    """Read ``folder/manifest.json``; raise ModelUnavailable saying what is wrong with it."""
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
        entries = json.loads(data)
        return _manifest(folder, Fields(entries), hashlib.sha256(data).hexdigest())
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"{path} is not a manifest of models: {error}") from error


def _manifest(folder: Path, fields: Fields, digest: str) -> Manifest:
    if fields.get("format", int) != FORMAT:
        raise ValueError(f"format {FORMAT} was expected")
    stages = tuple(_stage(folder, Fields(entry)) for entry in fields.list_of("stages"))
    labels = stages[0].labels if stages else ()
    kinds = tuple(Kind(kind) for kind in fields.texts("kinds") or labels)
    faults(stages, kinds)
    examples = fields.get("examples", str, "")
    thresholds, files = fields.inner("thresholds"), fields.inner("files")
    return Manifest(
        name=fields.get("name", str),
        window_tokens=fields.get("window_tokens", int, WINDOW_TOKENS),
        kinds=kinds if stages[0].names_kinds else (),
        stages=stages,
        calibration=_calibration(fields, stages),
        thresholds=tuple((name, thresholds.get(name, float)) for name in thresholds.names()),
        examples=folder / examples if examples else None,
        digests=tuple((folder / name, files.get(name, str)) for name in files.names()),
        digest=digest,
    )


def faults(stages: Sequence[StageFiles], kinds: Sequence[Kind]) -> None:
    """Raise ValueError when stages do not make an encoder."""
    if not stages:
        raise ValueError("a first stage is needed")
    for stage in stages:
        if not stage.logits and not stage.attack:
            raise ValueError(f"stage {stage.name!r} has neither `attack` nor `logits`")
        if stage.logits and not stage.hostile & set(stage.labels):
            raise ValueError(f"stage {stage.name!r} has no hostile label among its labels")
        if stage.logits and not set(stage.labels) - stage.hostile:
            raise ValueError(f"stage {stage.name!r} has no harmless label among its labels")
        if stage.names_kinds != stages[0].names_kinds:
            raise ValueError("either every stage says kinds, or none does")
        if stage.names_kinds and stage.labels and stage.labels != tuple(kinds):
            raise ValueError(f"the labels of stage {stage.name!r} are not the kinds, in order")
    if stages[0].names_kinds and (unknown := sorted(set(kinds) - set(KINDS))):
        raise ValueError(f"unknown kinds {unknown}")


def _stage(folder: Path, fields: Fields) -> StageFiles:
    outputs = fields.inner("outputs")
    return StageFiles(
        name=fields.get("name", str),
        model=folder / fields.get("model", str),
        tokenizer=folder / fields.get("tokenizer", str),
        prefix=fields.get("prefix", str, ""),
        max_tokens=fields.get("max_tokens", int, 128),
        vector=outputs.get("vector", str, ""),
        attack=outputs.get("attack", str, ""),
        kinds=outputs.get("kinds", str, ""),
        logits=outputs.get("logits", str, ""),
        labels=fields.texts("labels"),
        hostile=frozenset(fields.texts("hostile") or COMMAND_KINDS),
    )


def _calibration(fields: Fields, stages: Sequence[StageFiles]) -> Calibration:
    """The scales of the stages. A manifest that has none takes the scores as they come."""
    if not fields.has("calibration"):
        return Calibration(tuple(PLAIN for _ in stages))
    given = fields.inner("calibration")
    return Calibration(tuple(_scale(given.inner(stage.name), stage.name) for stage in stages))


def _scale(fields: Fields, name: str) -> StageScale:
    if not fields.names():
        raise KeyError(name)
    return StageScale(
        mean=fields.get("mean", float),
        deviation=fields.get("deviation", float),
        slope=fields.get("slope", float),
        intercept=fields.get("intercept", float),
        kind_temperature=fields.get("kind_temperature", float),
        cleared_below=fields.get("cleared_below", float, float("-inf")),
        cleared_sure=fields.get("cleared_sure", float, 0.0),
    )
