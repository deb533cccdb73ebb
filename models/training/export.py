"""The trained models as int8 ONNX files with tokenizers, heads inside, and one manifest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from memwarden.encoder.manifest import FORMAT, MANIFEST
from memwarden.encoder.windows import WINDOW_TOKENS
from memwarden.model import KINDS
from models.corpus.rows import CLASSES, read_rows
from models.encoders import use
from models.encoders.__main__ import digests
from models.encoders.export import export_int8
from models.training import examples
from models.training.calibrate import BENIGN, MALICIOUS
from models.training.finetune import LONGEST, PREFIX, TextModel
from models.training.head import new_head

OUTPUTS: Final = {"attack": "attack", "kinds": "kinds"}
VECTOR: Final = {"vector": "embedding"}
_HEADS: Final = ("/head/", "/classifier/")


class VectorModel(nn.Module):
    """The frozen encoder with its head: vector, attack score, logits over kinds."""

    def __init__(self, encoder: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        vector = self.encoder(input_ids, attention_mask)
        return (vector, *_answers(self.head(vector)))


class FineTunedModel(nn.Module):
    """The fine-tuned model: attack score, logits over kinds."""

    def __init__(self, model: TextModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        return _answers(self.model(input_ids, attention_mask))


def _answers(outputs: Tensor) -> tuple[Tensor, Tensor]:
    attack = outputs[:, MALICIOUS] - outputs[:, BENIGN]
    return attack, outputs[:, len(CLASSES) :]


def export(cache: Path, out: Path, name: str) -> None:
    """Write the folder that the encoder opens."""
    out.mkdir(parents=True, exist_ok=True)
    stages = [_export_use(cache, out), _export_me5(cache, out)]
    examples.write(list(read_rows(cache / "corpus.jsonl")), out, cache / "encoders")
    measured = json.loads((cache / "calibration.json").read_text(encoding="utf-8"))
    manifest = {
        "format": FORMAT,
        "name": name,
        "languages": ["en", "zh"],
        "window_tokens": WINDOW_TOKENS,
        "kinds": list(KINDS),
        "stages": stages,
        **measured,
        "examples": "examples.json",
        "files": digests(out, ("*.onnx", "*.tokenizer.json", "examples.json")),
    }
    text = json.dumps(manifest, indent=1) + "\n"
    (out / MANIFEST).write_text(text, encoding="utf-8")


def _export_use(cache: Path, out: Path) -> Mapping[str, object]:
    head = new_head(use.WIDTH)
    head.load_state_dict(torch.load(cache / "head.pt", weights_only=True))
    model = VectorModel(use.load(cache / "encoders" / "use"), head.eval())
    export_int8(model, out / "use.int8.onnx", ["embedding", "attack", "kinds"], _HEADS)
    shutil.copyfile(cache / "encoders" / "use" / "tokenizer.json", out / "use.tokenizer.json")
    return {
        "name": "use",
        "model": "use.int8.onnx",
        "tokenizer": "use.tokenizer.json",
        "max_tokens": 128,
        "outputs": {**VECTOR, **OUTPUTS},
    }


def _export_me5(cache: Path, out: Path) -> Mapping[str, object]:
    model = TextModel(cache / "encoders" / "me5" / "hf")
    model.load_state_dict(torch.load(cache / "me5.pt", weights_only=True))
    model.encoder.set_attn_implementation("eager")
    exact = ("/model/head/",)
    export_int8(FineTunedModel(model.eval()), out / "me5.int8.onnx", ["attack", "kinds"], exact)
    shutil.copyfile(cache / "encoders" / "me5" / "tokenizer.json", out / "me5.tokenizer.json")
    return {
        "name": "me5",
        "model": "me5.int8.onnx",
        "tokenizer": "me5.tokenizer.json",
        "prefix": PREFIX,
        "max_tokens": LONGEST,
        "outputs": OUTPUTS,
    }
