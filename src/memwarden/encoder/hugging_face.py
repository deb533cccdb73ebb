"""A Hugging Face folder of a text classifier as models: ``config.json``, tokenizer, ONNX file."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

from memwarden.encoder.calibration import PLAIN, Calibration
from memwarden.encoder.fields import Fields
from memwarden.encoder.manifest import Manifest, StageFiles, faults
from memwarden.encoder.windows import WINDOW_TOKENS
from memwarden.errors import ModelUnavailable
from memwarden.model import COMMAND_KINDS, KINDS, Kind

CONFIG: Final = "config.json"
_MODELS: Final = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx")
"""Where exporters put the model, the likeliest place first."""

_LOGITS: Final = "logits"
_LONGEST: Final = 512


def read_hugging_face(folder: Path, hostile: Collection[str] = ()) -> Manifest:
    """Read the folder of a sequence classifier; raise ModelUnavailable saying what is wrong.

    Its labels (``id2label``) are kinds, or else ``hostile`` names those that mean an attack: then
    it scores attacks, and what kind a text is the bundled models say.
    """
    path = folder / CONFIG
    try:
        fields = Fields(json.loads(path.read_text(encoding="utf-8")))
        stage = _stage(folder, fields, frozenset(hostile))
        kinds = tuple(Kind(label) for label in stage.labels)
        faults((stage,), kinds)
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"{path} is not the config of a text classifier: {error}") from error
    return Manifest(
        name=folder.name,
        window_tokens=WINDOW_TOKENS,
        kinds=kinds if stage.names_kinds else (),
        stages=(stage,),
        calibration=Calibration((PLAIN,)),
        thresholds=(),
        examples=None,
        digests=(),
    )


def _stage(folder: Path, fields: Fields, hostile: frozenset[str]) -> StageFiles:
    named = fields.inner("id2label")
    labels = tuple(named.get(str(at), str) for at in range(len(named.names())))
    if not hostile and not set(labels) <= set(KINDS):
        raise ValueError(
            f"its labels {', '.join(labels) or '(none)'} are no kinds of memory; "
            "say in the policy which are hostile: `models: {hostile: [...]}`"
        )
    if missing := sorted(hostile - set(labels)):
        raise ValueError(f"it has no label {', '.join(missing)}, only {', '.join(labels)}")
    return StageFiles(
        name=folder.name,
        model=next((folder / m for m in _MODELS if (folder / m).is_file()), folder / _MODELS[0]),
        tokenizer=folder,
        max_tokens=min(fields.get("max_position_embeddings", int, _LONGEST), _LONGEST),
        logits=_LOGITS,
        labels=labels,
        hostile=hostile or frozenset(COMMAND_KINDS),
    )
