"""Universal Sentence Encoder multilingual v3 as a torch module, vocabulary cut likewise."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from models.encoders.pieces import Pieces, read_pieces
from models.encoders.vocabulary import kept_ids

WIDTH: Final = 512
_PARTS: Final = 17
_PART_ROWS: Final = 7530
_FILTERS: Final = 256
_CONVOLUTIONS: Final = ((2, 0), (3, 1), (5, 2))
"""Width of each convolution and how far it reaches to the left."""
_NUMBERED: Final = ("w1", "b1", "w2", "b2")


class UniversalSentenceEncoder(nn.Module):
    """Token ids to a unit vector of 512. Convolutions over tokens, then a deep average."""

    def __init__(self, table: Tensor, weights: dict[str, Tensor], epsilon: float) -> None:
        super().__init__()
        self.table = nn.Embedding.from_pretrained(table, freeze=True)
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(value, requires_grad=False) for name, value in weights.items()}
        )
        self.epsilon = epsilon

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        mask = attention_mask.unsqueeze(-1).float()
        features = self._convolved(self.table(input_ids), mask)
        count = mask.sum(1)
        w = self.weights
        pooled = (features.sum(1) @ w["cnn_W"] + count * w["cnn_b"]) * torch.rsqrt(count)
        return _unit(self._deep(pooled))

    def _convolved(self, embedded: Tensor, mask: Tensor) -> Tensor:
        w = self.weights
        start = self._normalised(embedded @ w["proj_W"] + w["proj_b"], w["first_g"], w["first_b"])
        start = start * mask
        found = [embedded]
        for i, (width, left) in enumerate(_CONVOLUTIONS):
            own = start[..., i * _FILTERS : (i + 1) * _FILTERS]
            first = _context(own, width, left) @ w[f"w1_{width}"] + w[f"b1_{width}"]
            middle = (torch.relu(first) + own) * mask
            second = _context(middle, width, left) @ w[f"w2_{width}"] + w[f"b2_{width}"]
            found.append(torch.relu(second) + middle)
        return self._normalised(torch.cat(found, -1), w["last_g"], w["last_b"]) * mask

    def _deep(self, pooled: Tensor) -> Tensor:
        w = self.weights
        first = torch.relu(pooled @ w["d0"])
        second = torch.relu(pooled @ w["p1"] + first @ w["d1"])
        third = torch.relu(second @ w["d2"])
        return torch.tanh(second @ w["p3"] + third @ w["d3"])

    def _normalised(self, values: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
        centred = values - values.mean(-1, keepdim=True)
        scale = torch.rsqrt((centred * centred).mean(-1, keepdim=True) + self.epsilon)
        return centred * scale * gain + bias


def _context(values: Tensor, width: int, left: int) -> Tensor:
    """Every token beside its neighbours, concatenated: a convolution as one product."""
    padded = functional.pad(values, (0, 0, left, width - 1 - left))
    return torch.cat([padded[:, k : (k - width + 1) or None] for k in range(width)], -1)


def _unit(values: Tensor) -> Tensor:
    return values * torch.rsqrt((values * values).sum(-1, keepdim=True) + 1e-12)


def build(weights: bytes, pieces: bytes, folder: Path) -> int:
    """Write ``use.pt`` and ``tokenizer.json``; return the size of the vocabulary."""
    everything = read_pieces(pieces)
    reader = Tokenizer.from_str(json.dumps(_tokenizer(everything)))
    ids = kept_ids(reader, everything.names, {0, 1, 2})
    folder.mkdir(parents=True, exist_ok=True)
    cut = Pieces(
        tuple(everything.names[i] for i in ids),
        tuple(everything.scores[i] for i in ids),
        everything.charsmap,
    )
    text = json.dumps(_tokenizer(cut), ensure_ascii=False)
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    arrays = np.load(io.BytesIO(weights), allow_pickle=False)
    state = {"table": _table(arrays, ids), "weights": _weights(arrays), "eps": float(arrays["eps"])}
    torch.save(state, folder / "use.pt")
    return len(ids)


def load(folder: Path) -> UniversalSentenceEncoder:
    """The module that ``build`` wrote."""
    state = torch.load(folder / "use.pt", weights_only=True)
    return UniversalSentenceEncoder(state["table"], state["weights"], state["eps"]).eval()


def _table(arrays: Any, ids: list[int]) -> Tensor:
    """Embeddings of the kept ids from 17 interleaved parts, each with its scale and offset."""
    codes = np.empty((_PARTS * _PART_ROWS, WIDTH), np.uint8)
    for part in range(_PARTS):
        codes[part::_PARTS] = arrays[f"q{part + 1}"]
    chosen = np.array(ids)
    scale = arrays["scale"][chosen % _PARTS][:, None]
    lowest = arrays["lo"][chosen % _PARTS][:, None]
    return torch.from_numpy((codes[chosen].astype(np.float32) * scale + lowest).astype(np.float32))


def _weights(arrays: Any) -> dict[str, Tensor]:
    widths = [width for width, _ in _CONVOLUTIONS]

    def side_by_side(name: str, axis: int) -> np.ndarray:
        return np.concatenate([arrays[f"{name}{width}"] for width in widths], axis=axis)

    found = {
        "proj_W": side_by_side("proj", 1),
        "proj_b": side_by_side("proj_b", 0),
        "first_g": side_by_side("ln_g", 0),
        "first_b": side_by_side("ln_b", 0),
        "last_g": arrays["ln_g"],
        "last_b": arrays["ln_b"],
        "cnn_W": arrays["cnn_W"],
        "cnn_b": arrays["cnn_b"],
        **{name: arrays[name] for name in ("d0", "d1", "d2", "d3", "p1", "p3")},
        **{f"{name}_{width}": arrays[f"{name}_{width}"] for name in _NUMBERED for width in widths},
    }
    return {
        name: torch.from_numpy(np.ascontiguousarray(value, dtype=np.float32))
        for name, value in found.items()
    }


def _tokenizer(pieces: Pieces) -> dict[str, Any]:
    """A Unigram ``tokenizer.json`` that does what the SentencePiece model does."""
    first, last = pieces.names[1], pieces.names[2]
    marks = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}
    one = {"Sequence": {"id": "A", "type_id": 0}}
    two = {"Sequence": {"id": "B", "type_id": 0}}
    special = [
        {
            "id": i,
            "content": name,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for i, name in enumerate(pieces.names[:3])
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": pieces.charsmap},
                {"type": "Strip", "strip_left": True, "strip_right": True},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": marks,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": first, "type_id": 0}},
                one,
                {"SpecialToken": {"id": last, "type_id": 0}},
            ],
            "pair": [one, two],
            "special_tokens": {
                name: {"id": name, "ids": [i], "tokens": [name]}
                for i, name in ((1, first), (2, last))
            },
        },
        "decoder": marks,
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [[a, float(b)] for a, b in zip(pieces.names, pieces.scores, strict=True)],
            "byte_fallback": False,
        },
    }
