"""Models that tell what kind of thing a text is: windows, vectors, attack scores, kinds."""

from memwarden.encoder.by_policy import Encoders, PolicyEncoder
from memwarden.encoder.encoder import MAX_WINDOWS, Encoder
from memwarden.encoder.manifest import MANIFEST, Manifest, StageFiles, read_manifest
from memwarden.encoder.separability import Confusion, Separability
from memwarden.encoder.windows import WINDOW_TOKENS, sentences, windows

__all__ = [
    "MANIFEST",
    "MAX_WINDOWS",
    "WINDOW_TOKENS",
    "Confusion",
    "Encoder",
    "Encoders",
    "Manifest",
    "PolicyEncoder",
    "Separability",
    "StageFiles",
    "read_manifest",
    "sentences",
    "windows",
]
