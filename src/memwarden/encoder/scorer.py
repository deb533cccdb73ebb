"""Models that only say how hostile a text is, beside models that say what kind it is."""

from __future__ import annotations

from memwarden.encoder.manifest import Manifest
from memwarden.encoder.stage import Stage


class Scorer:
    """Attack probabilities from models of their own. Thread-safe; loads on first use."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.name = manifest.stages[-1].name
        self._stages = tuple(Stage(files, manifest.check_stage) for files in manifest.stages)

    def load(self) -> None:
        """Load the models now."""
        for stage in self._stages:
            stage.tokens("")

    def attack(self, text: str) -> float:
        """How likely a window is hostile, by every stage in turn."""
        raw = [stage.read(text).attack for stage in self._stages]
        return self.manifest.calibration.attack(raw)
