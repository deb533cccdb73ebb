"""One model of the cascade: a tokenizer and an ONNX session, opened when first asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import exp, log
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from memwarden.encoder.manifest import StageFiles
from memwarden.encoder.tokens import Tokenizer, open_tokenizer
from memwarden.errors import ModelUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession


@dataclass(frozen=True, slots=True)
class RawReading:
    """What one model says of one text: log-odds of hostile, logits over kinds, the vector."""

    attack: float
    kinds: tuple[float, ...]
    vector: tuple[float, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A tokenizer, a session, and the names of the inputs that the session asks for."""

    tokenizer: Tokenizer
    session: InferenceSession
    inputs: frozenset[str]


class Stage:
    """Answers for one text at a time, so that no answer depends on its neighbours.

    Thread-safe. Loads on first use; ``check`` is called before, to refuse altered files.
    """

    def __init__(self, files: StageFiles, check: Callable[[StageFiles], None]) -> None:
        self.name = files.name
        self._files = files
        self._check = partial(check, files)
        self._lock = Lock()
        self._loaded: _Loaded | None = None

    def tokens(self, text: str) -> list[int]:
        """The token ids of ``text`` as the model reads it, prefix and special tokens included."""
        return self._open().tokenizer.ids(self._files.prefix + text)

    def read(self, text: str, tokens: Sequence[int] = ()) -> RawReading:
        """What the model says of ``text``; ``tokens`` spares the tokenizer a second look."""
        loaded = self._open()
        ids = _shortened(tokens or self.tokens(text), self._files.max_tokens)
        names = sorted(self._files.outputs)
        answers = loaded.session.run(names, _fed(ids, loaded.inputs))
        rows = {
            name: tuple(float(value) for value in answer.reshape(-1).tolist())
            for name, answer in zip(names, answers, strict=True)
        }
        vector = rows.get(self._files.vector, ())
        if self._files.logits:
            logits = rows[self._files.logits]
            kinds = logits if self._files.names_kinds else ()
            return RawReading(_log_odds(logits, self._files), kinds, vector)
        return RawReading(rows[self._files.attack][0], rows.get(self._files.kinds, ()), vector)

    def _open(self) -> _Loaded:
        loaded = self._loaded
        if loaded is None:
            with self._lock:
                loaded = self._loaded = self._loaded or self._load()
        return loaded

    def _load(self) -> _Loaded:
        self._check()
        tokenizer = open_tokenizer(self._files.tokenizer)
        session = _open_session(self._files)
        return _Loaded(tokenizer, session, frozenset(one.name for one in session.get_inputs()))


def _fed(ids: Sequence[int], wanted: frozenset[str]) -> dict[str, NDArray[np.int64]]:
    """The inputs of a model that reads one text: all of it, in one segment."""
    row = np.array([ids], dtype=np.int64)
    given = {"input_ids": row}
    if "attention_mask" in wanted:
        given["attention_mask"] = np.ones_like(row)
    if "token_type_ids" in wanted:
        given["token_type_ids"] = np.zeros_like(row)
    return given


def _log_odds(logits: Sequence[float], files: StageFiles) -> float:
    """Log-odds of the hostile labels against the others."""
    if len(logits) != len(files.labels):
        raise ModelUnavailable(
            f"{files.model} gives {len(logits)} scores for {len(files.labels)} labels"
        )
    pairs = list(zip(files.labels, logits, strict=True))
    hostile = _log_sum([value for label, value in pairs if label in files.hostile])
    return hostile - _log_sum([value for label, value in pairs if label not in files.hostile])


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + log(sum(exp(value - top) for value in values))


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
    if missing := sorted(files.outputs - offered):
        raise ModelUnavailable(f"{files.model} has no output named {', '.join(missing)}")
    return session
