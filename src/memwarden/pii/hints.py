"""What the place of a value says about it: its field's name, and the label in the field beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from memwarden.model import MAIN_PATH, Part

_LABEL: Final = 24
"""Code points up to which a neighbouring field may be a label (``{"field": "手机", ...}``)."""


def hints(parts: Sequence[Part]) -> Mapping[str, str]:
    """A hint for every part: the last names in its path, and short texts beside it."""
    beside: dict[str, list[Part]] = {}
    for part in parts:
        beside.setdefault(part.path.rpartition("/")[0], []).append(part)
    return {part.path: _hint(part, beside[part.path.rpartition("/")[0]]) for part in parts}


def _hint(part: Part, siblings: Sequence[Part]) -> str:
    if part.path == MAIN_PATH:
        return ""
    steps = [step for step in part.path.split("/") if step and not step.isdigit()][-2:]
    names = " ".join(step.replace("~1", "/").replace("~0", "~") for step in steps)
    labels = [
        other.text
        for other in siblings
        if other is not part and len(other.text) <= _LABEL and not any(map(str.isdigit, other.text))
    ]
    return " | ".join((names, *labels[:4]))
