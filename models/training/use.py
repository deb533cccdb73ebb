"""Sentence vectors of many texts by the frozen encoder, one text at a time as at run time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np


def vectors(folder: Path, texts: Sequence[str], longest: int = 128) -> np.ndarray:
    """One vector a row, by ``use.int8.onnx`` and ``tokenizer.json`` in ``folder``."""
    import onnxruntime as ort
    from tokenizers import Tokenizer

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(str(folder / "use.int8.onnx"), options)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def one(text: str) -> np.ndarray:
        ids = np.array([tokenizer.encode(text).ids[:longest]], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        return session.run(["embedding"], feed)[0][0]

    with ThreadPoolExecutor(2) as pool:
        return np.stack(list(pool.map(one, texts)))
