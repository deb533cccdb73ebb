"""The models as the policies of tenants use them: which ones, with which kinds of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock

from memwarden.encoder.custom import LearnedKind, Shown, learn, shown, with_custom
from memwarden.encoder.digests import file_digests, folder_digest
from memwarden.encoder.encoder import Encoder
from memwarden.encoder.hugging_face import read_hugging_face
from memwarden.encoder.manifest import MANIFEST, Manifest, read_manifest
from memwarden.encoder.remembered import Readings, Remembered
from memwarden.encoder.separability import Separability, separability
from memwarden.encoder.windows import sentences
from memwarden.errors import ModelUnavailable
from memwarden.model import CustomKind, ModelSetting, Policy, Span, WindowReading


class PolicyEncoder:
    """Reads texts for the tenants of equal kinds and models. Thread-safe and lazy: kinds are
    learned when the first text is read."""

    def __init__(
        self, encoder: Encoder, remembered: Remembered, kinds: tuple[CustomKind, ...]
    ) -> None:
        self._encoder = encoder
        self._remembered = remembered
        self._kinds = kinds

    @property
    def names(self) -> tuple[str, ...]:
        """Name and digest of every set of models that is asked."""
        return self._encoder.names

    def encode(self, texts: Sequence[str], tenant: str) -> list[Readings]:
        """The readings of each text, window by window, with the tenant's own kinds among them.

        Raises ModelUnavailable where there are no models, or none to learn the kinds with.
        """
        learned = self.learned
        readings = self._remembered.encode(texts, tenant)
        if not learned:
            return readings
        claimed = iter(self._sentences(texts, readings))
        return [
            (*(with_custom(window, learned) for window in own), *next(claimed)) for own in readings
        ]

    def _sentences(self, texts: Sequence[str], readings: Sequence[Readings]) -> list[Readings]:
        """The sentences that a kind of the tenant's claims among others of their window.

        They are readings of their own beside the window, which keeps its kind: a sentence of an
        allowed kind does not cover for its neighbours, and one of a forbidden kind is found.
        """
        spans = [_sentences_of(text, own) for text, own in zip(texts, readings, strict=True)]
        flat = [text[s:e] for text, own in zip(texts, spans, strict=True) for s, e in own]
        vectors = iter(self._encoder.vectors(flat))
        alone = [
            [WindowReading(start, end, 0.0, (), next(vectors)) for start, end in own]
            for own in spans
        ]
        told = [[with_custom(one, self.learned) for one in own] for own in alone]
        return [tuple(one for one in own if one.kinds) for own in told]

    @cached_property
    def learned(self) -> tuple[LearnedKind, ...]:
        """The tenant's kinds. Learning twice at the same time gives the same."""
        return learn(self._shown, self._encoder.examples.vectors) if self._kinds else ()

    def separability(self) -> tuple[Separability, ...]:
        """How well each of the tenant's kinds can be told from all others."""
        if not self._kinds:
            return ()
        likeliest = {
            kind.name: [
                max(windows, key=lambda window: window.attack).kinds[0][0]
                for windows in self._encoder.encode(kind.examples)
            ]
            for kind in self._kinds
        }
        reference = self._encoder.examples.kinds
        return separability(self.learned, self._shown, reference, likeliest)

    @cached_property
    def _shown(self) -> tuple[Shown, ...]:
        if not self._encoder.examples.known:
            raise ModelUnavailable(
                f"the models {', '.join(self.names)} bring no examples, so no kinds can be "
                "learned beside them: name an examples file in their manifest"
            )
        vectors = self._encoder.vectors
        return tuple(
            shown(kind, vectors(kind.examples), vectors(kind.near_misses)) for kind in self._kinds
        )


def _sentences_of(text: str, windows: Readings) -> list[Span]:
    """The sentences of windows that hold several."""
    found: list[Span] = []
    for window in windows:
        inside = list(sentences(text[window.start : window.end]))
        if len(inside) > 1:
            found += [(window.start + start, window.start + end) for start, end in inside]
    return found


class Encoders:
    """Opens models once and hands them out by policy. Thread-safe; nothing loads before it is
    used."""

    def __init__(self, bundled: Path) -> None:
        self._bundled = bundled
        self._lock = Lock()
        self._opened: dict[ModelSetting | None, tuple[Encoder, Remembered]] = {}
        self._by_kinds: dict[tuple[ModelSetting | None, tuple[CustomKind, ...]], PolicyEncoder] = {}

    @property
    def bundled(self) -> Encoder:
        """The models that ship. Raises ModelUnavailable if they are missing or altered."""
        return self._open(None)[0]

    def of(self, policy: Policy) -> PolicyEncoder:
        """The models of a policy. Raises ModelUnavailable if they are not there, or not those
        that the policy names."""
        key = (policy.models, policy.custom_kinds)
        found = self._by_kinds.get(key)
        if found is None:
            found = PolicyEncoder(*self._open(policy.models), policy.custom_kinds)
            found = self._by_kinds.setdefault(key, found)
        return found

    def close(self) -> None:
        """End the threads of all models. They may still be used."""
        with self._lock:
            opened = tuple(self._opened.values())
        for encoder, _ in opened:
            encoder.close()

    def _open(self, setting: ModelSetting | None) -> tuple[Encoder, Remembered]:
        with self._lock:
            if setting not in self._opened:
                encoder = self._encoder(setting)
                self._opened[setting] = (encoder, Remembered(encoder))
            return self._opened[setting]

    def _encoder(self, setting: ModelSetting | None) -> Encoder:
        if setting is None:
            return Encoder.open(self._bundled)
        manifest = pinned(setting)
        if not manifest.attack_only:
            return Encoder(manifest)
        return Encoder(read_manifest(self._bundled), scorer=manifest)


def pinned(setting: ModelSetting) -> Manifest:
    """The models that a policy names, every file of them the one that the policy means.

    Raises ModelUnavailable if the folder is no models, or has another digest.
    """
    folder = Path(setting.folder)
    digests = file_digests(folder)
    actual = folder_digest(digests)
    if actual != setting.sha256:
        raise ModelUnavailable(
            f"the models in {folder} have the digest {actual}, the policy names {setting.sha256}: "
            "restore them, or change the policy if you replaced them on purpose"
        )
    own = (folder / MANIFEST).is_file()
    manifest = read_manifest(folder) if own else read_hugging_face(folder, setting.hostile)
    files = tuple((folder / name, digest) for name, digest in digests.items())
    return replace(manifest, digests=files, digest=actual)
