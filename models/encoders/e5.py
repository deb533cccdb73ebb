"""multilingual-e5-small from its 4-bit container, vocabulary cut to English and Chinese."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from models.encoders.vocabulary import kept_ids

_MAGIC: Final = b"E5S1"
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 2 + _BLOCK // 2
_MATRICES: Final = (
    ("q", "attention.self.query"),
    ("k", "attention.self.key"),
    ("v", "attention.self.value"),
    ("ao", "attention.output.dense"),
    ("fi", "intermediate.dense"),
    ("fo", "output.dense"),
)
_NORMS: Final = (("aln", "attention.output.LayerNorm"), ("oln", "output.LayerNorm"))


class _Cursor:
    """Little-endian reading, one field after another."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.place = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.content, self.place)
        self.place += struct.calcsize("<" + layout)
        return values

    def skip(self, count: int) -> bytes:
        self.place += count
        return self.content[self.place - count : self.place]


@dataclass(frozen=True, slots=True)
class Container:
    """The opened file: sizes, pieces, and where every tensor lies."""

    content: bytes
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    epsilon: float
    padding: int
    unknown: int
    pieces: tuple[bytes, ...]
    tensors: Mapping[str, tuple[int, int]]

    def floats(self, name: str) -> Tensor:
        count, offset = self.tensors[name]
        return torch.from_numpy(np.frombuffer(self.content, "<f4", count, offset).copy())

    def matrix(self, name: str, rows: int, columns: int) -> Tensor:
        """A Q4_0 matrix: blocks of 32 with an fp16 scale, low nibbles first."""
        _, offset = self.tensors[name]
        size = rows * columns // _BLOCK * _BLOCK_BYTES
        blocks = np.frombuffer(self.content, np.uint8, size, offset).reshape(-1, _BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        nibbles = blocks[:, 2:]
        halves = [(nibbles & 15).astype(np.float32), (nibbles >> 4).astype(np.float32)]
        values = (np.concatenate(halves, axis=1) - 8) * scales
        return torch.from_numpy(values.reshape(rows, columns))


def open_container(content: bytes) -> Container:
    cursor = _Cursor(content)
    if cursor.skip(4) != _MAGIC:
        raise ValueError("not an E5S1 container")
    cursor.take("I")
    hidden, layers, heads, feed_forward, vocabulary, _, _ = cursor.take("7i")
    (epsilon,) = cursor.take("f")
    cursor.take("i")
    count, _, _, padding, unknown = cursor.take("5i")
    pieces = _pieces(cursor, count)
    cursor.take("i")
    cursor.skip(cursor.take("I")[0])
    return Container(
        content,
        hidden,
        layers,
        heads,
        feed_forward,
        vocabulary,
        epsilon,
        padding,
        unknown,
        pieces,
        _tensors(cursor),
    )


def _pieces(cursor: _Cursor, count: int) -> tuple[bytes, ...]:
    (size,) = cursor.take("Q")
    offsets = np.frombuffer(cursor.content, "<u4", count + 1, cursor.place)
    cursor.skip(4 * (count + 1) + 4 * count)
    blob = cursor.skip(size)
    return tuple(blob[offsets[i] : offsets[i + 1]] for i in range(count))


def _tensors(cursor: _Cursor) -> dict[str, tuple[int, int]]:
    found = {}
    for _ in range(cursor.take("i")[0]):
        name = cursor.skip(cursor.take("H")[0]).decode()
        cursor.skip(1)
        count, offset, _ = cursor.take("IQQ")
        found[name] = (count, offset)
    return found


def build(weights: bytes, tokenizer: dict[str, Any], folder: Path) -> int:
    """Write ``hf/`` and ``tokenizer.json``; return the size of the vocabulary."""
    container = open_container(weights)
    tokenizer["truncation"] = tokenizer["padding"] = None
    vocabulary = tokenizer["model"]["vocab"]
    _check_pieces(container, vocabulary)
    fixed = {0, 1, 2, 3, *(token["id"] for token in tokenizer["added_tokens"])}
    reader = Tokenizer.from_str(json.dumps(tokenizer))
    ids = kept_ids(reader, [piece for piece, _ in vocabulary], fixed)
    folder.mkdir(parents=True, exist_ok=True)
    _save_model(container, ids, folder / "hf")
    text = json.dumps(_cut(tokenizer, ids, container.unknown), ensure_ascii=False)
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    return len(ids)


def _check_pieces(container: Container, vocabulary: list[tuple[str, float]]) -> None:
    for i, piece in enumerate(container.pieces):
        if piece.decode("utf-8", "replace") != vocabulary[i][0]:
            raise ValueError(f"piece {i} of weights and tokenizer differ")


def _cut(tokenizer: dict[str, Any], ids: list[int], unknown: int) -> dict[str, Any]:
    """The same tokenizer over the kept pieces, with their new ids."""
    new = {old: i for i, old in enumerate(ids)}
    vocabulary = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = [vocabulary[i] for i in ids if i < len(vocabulary)]
    tokenizer["model"]["unk_id"] = new[unknown]
    for token in tokenizer["added_tokens"]:
        token["id"] = new[token["id"]]
    for token in tokenizer["post_processor"]["special_tokens"].values():
        token["ids"] = [new[i] for i in token["ids"]]
    return tokenizer


def _save_model(container: Container, ids: list[int], folder: Path) -> None:
    from transformers import BertConfig, BertModel

    state = _state(container, ids)
    config = BertConfig(
        vocab_size=len(ids),
        hidden_size=container.hidden,
        num_hidden_layers=container.layers,
        num_attention_heads=container.heads,
        intermediate_size=container.feed_forward,
        max_position_embeddings=state["embeddings.position_embeddings.weight"].shape[0],
        type_vocab_size=state["embeddings.token_type_embeddings.weight"].shape[0],
        layer_norm_eps=container.epsilon,
        hidden_act="gelu",
        pad_token_id=ids.index(container.padding),
    )
    model = BertModel(config, add_pooling_layer=False)
    result = model.load_state_dict(state, strict=False)
    if result.missing_keys or result.unexpected_keys:
        raise ValueError(f"weights do not fit the model: {result}")
    model.eval().save_pretrained(folder)


def _state(container: Container, ids: list[int]) -> dict[str, Tensor]:
    hidden, wide = container.hidden, container.feed_forward
    words = container.matrix("emb.word", container.vocabulary, hidden)[torch.tensor(ids)]
    state = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": container.floats("emb.pos").reshape(-1, hidden),
        "embeddings.token_type_embeddings.weight": container.floats("emb.type").reshape(-1, hidden),
        "embeddings.LayerNorm.weight": container.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": container.floats("emb.ln.b"),
    }
    shapes = {"fi": (wide, hidden), "fo": (hidden, wide)}
    for layer in range(container.layers):
        place = f"encoder.layer.{layer}."
        for short, name in _MATRICES:
            rows, columns = shapes.get(short, (hidden, hidden))
            state[f"{place}{name}.weight"] = container.matrix(f"l{layer}.{short}.w", rows, columns)
            state[f"{place}{name}.bias"] = container.floats(f"l{layer}.{short}.b")
        for short, name in _NORMS:
            state[f"{place}{name}.weight"] = container.floats(f"l{layer}.{short}.w")
            state[f"{place}{name}.bias"] = container.floats(f"l{layer}.{short}.b")
    return state
