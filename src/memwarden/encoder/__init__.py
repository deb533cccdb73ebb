"""Models that tell what kind of thing a text is: windows, vectors, attack scores, kinds."""

from memwarden.encoder.encoder import MAX_WINDOWS, Encoder
from memwarden.encoder.manifest import MANIFEST, Manifest, StageFiles, read_manifest
from memwarden.encoder.windows import WINDOW_TOKENS, sentences, windows

__all__ = [
    "MANIFEST",
    "MAX_WINDOWS",
    "WINDOW_TOKENS",
    "Encoder",
    "Manifest",
    "StageFiles",
    "read_manifest",
    "sentences",
    "windows",
]
