"""One model of the cascade: a tokenizer and an ONNX session, opened when first asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from memwarden.encoder.manifest import StageFiles
from memwarden.encoder.tokens import Tokenizer, open_tokenizer
from memwarden.errors import ModelUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


@dataclass(frozen=True, slots=True)
class RawReading:
    """What one model says of one text: log-odds of hostile, logits over kinds, the vector."""

    attack: float
    kinds: tuple[float, ...]
    vector: tuple[float, ...] = field(default=(), repr=False)


class Stage:
    """Answers for one text at a time, so that no answer depends on its neighbours.

    Thread-safe. Loads on first use; ``check`` is called before, to refuse altered files.
    """

    def __init__(self, files: StageFiles, check: Callable[[StageFiles], None]) -> None:
        self.name = files.name
        self._files = files
        self._check = partial(check, files)
        self._lock = Lock()
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None

    def tokens(self, text: str) -> list[int]:
        """The token ids of ``text`` as the model reads it, prefix and special tokens included."""
        tokenizer, _ = self._open()
        return tokenizer.ids(self._files.prefix + text)

    def read(self, text: str, tokens: Sequence[int] = ()) -> RawReading:
        """What the model says of ``text``; ``tokens`` spares the tokenizer a second look."""
        _, session = self._open()
        ids = _shortened(tokens or self.tokens(text), self._files.max_tokens)
        fed = np.array([ids], dtype=np.int64)
        names = [self._files.attack, self._files.kinds]
        if self._files.vector:
            names.append(self._files.vector)
        outputs = session.run(names, {"input_ids": fed, "attention_mask": np.ones_like(fed)})
        vector = tuple(outputs[2][0].tolist()) if self._files.vector else ()
        return RawReading(float(outputs[0].reshape(-1)[0]), tuple(outputs[1][0].tolist()), vector)

    def _open(self) -> tuple[Tokenizer, InferenceSession]:
        loaded = self._loaded
        if loaded is None:
            with self._lock:
                loaded = self._loaded = self._loaded or self._load()
        return loaded

    def _load(self) -> tuple[Tokenizer, InferenceSession]:
        self._check()
        tokenizer = open_tokenizer(self._files.tokenizer)
        return tokenizer, _open_session(self._files)


def _shortened(ids: Sequence[int], limit: int) -> Sequence[int]:
    """The first tokens and the closing one: windows are cut to fit, so this hardly ever cuts."""
    return ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]


def _open_session(files: StageFiles) -> InferenceSession:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    try:
        session = ort.InferenceSession(
            str(files.model), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime's own exceptions share no base class
        raise ModelUnavailable(f"onnxruntime cannot load {files.model}") from error
    offered = {output.name for output in session.get_outputs()}
    if missing := sorted({files.attack, files.kinds, files.vector} - offered - {""}):
        raise ModelUnavailable(f"{files.model} has no output named {', '.join(missing)}")
    return session
