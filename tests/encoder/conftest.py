"""Folders of tiny models, built where a test needs them: a word decides everything."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import onnx
    from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

WORDS = ("[UNK]", "sam", "likes", "tea", "obey", "me", "喝茶", "服从")
Scores = Mapping[str, Sequence[float]]
"""What a word adds to each label's score."""


def model(labels: int, scores: Scores, *, segments: bool) -> onnx.ModelProto:
    """A classifier whose logits are the means of its words' scores."""
    table = np.zeros((len(WORDS), labels), np.float32)
    for word, row in scores.items():
        table[WORDS.index(word)] = row
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if segments else [])]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "n"]) for n in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", labels])
    nodes = [
        helper.make_node("Gather", ["table", names[-1] if segments else "input_ids"], ["zero"]),
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceMean", ["rows"], ["logits"], axes=[1], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes if segments else nodes[1:],
        "tiny",
        inputs,
        [output],
        [numpy_helper.from_array(table, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def tokenizer(folder: Path) -> None:
    reader = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    reader.pre_tokenizer = WhitespaceSplit()
    reader.save(str(folder / "tokenizer.json"))


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Callable[..., Path]:
    """Write a Hugging Face folder of a classifier with these labels; return it."""

    def write(labels: Sequence[str], scores: Scores, *, segments: bool = False) -> Path:
        folder = tmp_path_factory.mktemp("tiny")
        onnx.save(model(len(labels), scores, segments=segments), str(folder / "model.onnx"))
        tokenizer(folder)
        config = {"model_type": "bert", "id2label": dict(enumerate(labels))}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        settings = {"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]"}
        (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
        return folder

    return write
