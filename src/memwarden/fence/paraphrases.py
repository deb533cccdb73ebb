"""Sentences of an answer that say in other words what a protected text says.

The scrubber finds an original however it is written; it does not find what was said anew. This
compares sentence vectors, which costs a model call a sentence, so it is only done where a caller
asks for it, and the caller is told what it cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memwarden.fence.scrub.flow import Flow
from memwarden.fence.scrub.scrubber import Scrubber
from memwarden.text import is_prose, segments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Sentence vectors of texts, by position."""

_DATA: Final = ("{", "[")
"""An answer that begins so is data and not prose; sentences are not cut out of it."""
_CONTEXT: Final = 64
"""Characters that are remembered after they went out."""

_FEWEST_SIGNS: Final = 16
"""Letters and digits, Chinese characters twice: less says too little to be a paraphrase."""


@dataclass(slots=True)
class Paraphrases:
    """Asks for the check and is told what it cost; one for as many answers as a caller likes.

    ``threshold`` is the cosine from which a sentence counts as saying the same. ``found`` counts
    sentences that were taken out, ``sentences`` those that were read by the model, ``characters``
    all that passed, ``seconds`` the time that reading and comparing took.
    """

    threshold: float = 0.8
    found: int = 0
    sentences: int = 0
    characters: int = 0
    seconds: float = 0.0

    @property
    def milliseconds_per_thousand(self) -> float:
        """What 1,000 characters of answers cost so far; 0 before the first."""
        return self.seconds * 1e6 / self.characters if self.characters else 0.0


@dataclass(frozen=True, slots=True)
class Sayings:
    """What must not be said in other words either, and what stands in its place."""

    texts: tuple[str, ...] = field(repr=False)
    replacements: tuple[str, ...]
    rows: NDArray[np.float32] = field(repr=False)

    @classmethod
    def of(cls, protected: Sequence[tuple[str, str]], embed: Embed) -> Sayings:
        """Of (text, replacement) those that are whole sentences; names and numbers say nothing."""
        telling = [(text, instead) for text, instead in protected if says_something(text)]
        texts = tuple(text for text, _ in telling)
        rows = _unit_rows(embed(texts)) if texts else _unit_rows(())
        return cls(texts, tuple(instead for _, instead in telling), rows)


class CheckedScrubber:
    """A scrubber that also takes out sentences which say what a protected text says."""

    def __init__(
        self, scrubber: Scrubber, sayings: Sayings, embed: Embed, asked: Paraphrases
    ) -> None:
        self._scrubber = scrubber
        self._sayings = sayings
        self._embed = embed
        self._asked = asked

    def scrub(self, text: str) -> str:
        """``text`` without originals, and without sentences that say the same."""
        flow = self.flow()
        return flow.feed(text) + flow.finish()

    def flow(self) -> CheckedFlow:
        """The same for a text that arrives in pieces; goes out sentence by sentence."""
        return CheckedFlow(self._scrubber.flow(), self._checked)

    def _checked(self, sentences: Sequence[str]) -> list[str]:
        """The sentences, those that say too much replaced."""
        asked, known = self._asked, self._sayings
        asked.characters += sum(map(len, sentences))
        read = [at for at, one in enumerate(sentences) if says_something(one)]
        out = list(sentences)
        if not read or not known.texts:
            return out
        started = time.perf_counter()
        rows = _unit_rows(self._embed([sentences[at].strip() for at in read]))
        alike = rows @ known.rows.T
        asked.seconds += time.perf_counter() - started
        asked.sentences += len(read)
        for at, likeness in zip(read, alike, strict=True):
            nearest = int(likeness.argmax())
            if likeness[nearest] >= asked.threshold:
                asked.found += 1
                out[at] = _instead(sentences[at], known.replacements[nearest])
        return out


class CheckedFlow:
    """The state of one answer: what the scrubber lets out waits for the end of its sentence."""

    def __init__(self, inner: Flow, check: Callable[[Sequence[str]], list[str]]) -> None:
        self._inner = inner
        self._check = check
        self._before = ""
        self._waiting = ""
        self._data: bool | None = None

    @property
    def held(self) -> int:
        """Code points that have arrived and not gone out."""
        return self._inner.held + len(self._waiting)

    def feed(self, piece: str) -> str:
        """Take in a piece; return what can go out now, whole sentences only."""
        self._waiting += self._inner.feed(piece)
        return self._released(final=False)

    def finish(self) -> str:
        """Return the rest. The flow is then ready for another answer."""
        self._waiting += self._inner.finish()
        out = self._released(final=True)
        self._before, self._data = "", None
        return out

    def _released(self, *, final: bool) -> str:
        if self._data is None and self._waiting.strip():
            self._data = self._waiting.lstrip().startswith(_DATA)
        if self._data:
            out, self._waiting = self._waiting, ""
            return out
        # Where a sentence ends depends on the words before it, too.
        text, start = self._before + self._waiting, len(self._before)
        spans = [span for span in segments(text) if span[1] > start]
        if not final:
            del spans[-1:]
        if not spans:
            return ""
        sentences = [text[max(low, start) : high] for low, high in spans]
        self._waiting = text[spans[-1][1] :]
        self._before = text[: spans[-1][1]][-_CONTEXT:]
        return "".join(self._check(sentences))


def says_something(text: str) -> bool:
    """Whether a text is a sentence that could be said in other words."""
    signs = [char for char in text if char.isalnum()]
    wide = sum(char > "\u2e7f" for char in signs)
    return len(signs) + wide >= _FEWEST_SIGNS and is_prose(text)


def _instead(sentence: str, replacement: str) -> str:
    """The replacement with the blanks that stood around the sentence."""
    bare = sentence.strip()
    start = sentence.index(bare) if bare else 0
    return f"{sentence[:start]}{replacement}{sentence[start + len(bare) :]}"


def _unit_rows(vectors: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    import numpy as np

    rows = np.array(vectors, dtype=np.float32).reshape(len(vectors), -1 if len(vectors) else 0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
