"""Texts to readings: every window with its vector, attack probability and kinds."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from memwarden.encoder.examples import Examples, read_examples
from memwarden.encoder.manifest import Manifest, read_manifest
from memwarden.encoder.scorer import Scorer
from memwarden.encoder.stage import RawReading, Stage
from memwarden.encoder.windows import windows
from memwarden.errors import LimitExceeded
from memwarden.model import COMMAND_KINDS, Kind, Span, WindowReading

MAX_WINDOWS: Final = 4096
"""Most windows of one text: some 700,000 characters, far above what a policy lets through."""

SUSPICIOUS: Final = 0.25
"""Attack probability from which a window is shown beside the known commands most like it."""

_AT_ONCE: Final = 256
_DIGEST: Final = 12
"""Hexadecimal digits of a digest that stand behind a name."""

_THREADS: Final = 4

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Window:
    """A window before it is read; ``tokens`` are the first model's, if they are known."""

    span: Span
    text: str = field(repr=False)
    tokens: Sequence[int] = field(repr=False)


class Encoder:
    """Reads texts with the models of one folder. Thread-safe; nothing loads before it is used.

    Every window is read alone, on one thread, whatever else is read beside it: the same text
    has the same reading to the last bit, alone or among thousands, on one thread or many.
    """

    def __init__(
        self, manifest: Manifest, threads: int | None = None, scorer: Manifest | None = None
    ) -> None:
        self._manifest = manifest
        self._stages = tuple(Stage(files, manifest.check_stage) for files in manifest.stages)
        self._scorer = Scorer(scorer) if scorer else None
        self._threads = threads or min(_THREADS, os.cpu_count() or 1)
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None

    @classmethod
    def open(cls, folder: Path, threads: int | None = None) -> Encoder:
        """Open a folder of models with its manifest; raise ModelUnavailable if it is not one.

        ``threads`` is how many windows are read at the same time (default: the cores, at most 4).
        """
        return cls(read_manifest(folder), threads)

    @property
    def names(self) -> tuple[str, ...]:
        """Name and digest of every set of models that is asked, for the record of a decision."""
        asked = (self._manifest, *((self._scorer.manifest,) if self._scorer else ()))
        return tuple(f"{one.name}@{one.digest[:_DIGEST]}" for one in asked)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self._manifest.kinds

    @property
    def thresholds(self) -> Mapping[str, float]:
        """Attack probabilities from which to hold, by tier, as measured on unseen sources."""
        return dict(self._manifest.thresholds)

    @cached_property
    def examples(self) -> Examples:
        """The reference sentences that came with the models; empty when none did."""
        path = self._manifest.examples
        if path is None:
            return Examples.none()
        self._manifest.check(path)
        return read_examples(path)

    def load(self) -> None:
        """Load every model now, so that the first write does not wait for it."""
        for stage in self._stages:
            stage.tokens("")
        if self._scorer:
            self._scorer.load()

    def encode(self, texts: Sequence[str]) -> tuple[tuple[WindowReading, ...], ...]:
        """The readings of each text, window by window; spans are code points of that text.

        Raises ModelUnavailable, or LimitExceeded for a text of more than 4096 windows.
        """
        windows = [self._windows(text) for text in texts]
        readings = iter(self._map(self._read, [one for own in windows for one in own]))
        return tuple(tuple(next(readings) for _ in own) for own in windows)

    def vectors(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """One sentence vector per text, read as a whole up to the model's length; empty vectors
        where the models give none."""
        return tuple(raw.vector for raw in self._map(self._stages[0].read, texts))

    def close(self) -> None:
        """End the threads. The encoder may still be used; it starts them again."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def _windows(self, text: str) -> list[_Window]:
        """The windows of a text, with the tokens that were seen while they were cut."""
        first, seen = self._stages[0], dict[str, list[int]]()
        around = len(first.tokens(""))

        def count(piece: str) -> int:
            seen[piece] = first.tokens(piece)
            return max(len(seen[piece]) - around, 1)

        spans = windows(text, count, self._manifest.window_tokens)
        if len(spans) > MAX_WINDOWS:
            raise LimitExceeded(
                f"a text has {len(spans)} windows, more than the {MAX_WINDOWS} that are read: "
                "write it in parts"
            )
        texts = [text[start:end] for start, end in spans]
        return [
            _Window(span, own, seen.get(own, ())) for span, own in zip(spans, texts, strict=True)
        ]

    def _read(self, window: _Window) -> WindowReading:
        asked: list[RawReading] = []
        for stage in self._stages:
            asked.append(stage.read(window.text, () if asked else window.tokens))
            scores, kinds = [raw.attack for raw in asked], [raw.kinds for raw in asked]
            if self._manifest.calibration.cleared(scores, kinds):
                break
        return self._reading(window, asked)

    def _reading(self, window: _Window, asked: Sequence[RawReading]) -> WindowReading:
        calibration = self._manifest.calibration
        probabilities = calibration.kinds([raw.kinds for raw in asked])
        kinds = sorted(zip(self.kinds, probabilities, strict=True), key=lambda kind: -kind[1])
        vector, attack = asked[0].vector, calibration.attack([raw.attack for raw in asked])
        if self._scorer:
            attack = self._scorer.attack(window.text)
        suspicious = attack >= SUSPICIOUS and bool(vector)
        return WindowReading(
            start=window.span[0],
            end=window.span[1],
            attack=attack,
            kinds=tuple(kinds),
            vector=vector,
            model=self._scorer.name if self._scorer else self._stages[len(asked) - 1].name,
            nearest=self.examples.nearest(vector, COMMAND_KINDS) if suspicious else (),
        )

    def _map(self, step: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """``step`` of every item, in order, with a bounded number of them under way."""
        if len(items) < 2 or self._threads < 2:
            return [step(item) for item in items]
        pool = self._open_pool()
        parts = [items[i : i + _AT_ONCE] for i in range(0, len(items), _AT_ONCE)]
        return [result for part in parts for result in pool.map(step, part)]

    def _open_pool(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="encoder")
            return self._pool
