"""The reference sentences that come with the models, read when first asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memwarden.errors import ModelUnavailable
from memwarden.model import Kind

_SCALE: Final = 127.0


@dataclass(frozen=True, slots=True)
class Example:
    """A written sentence of known kind, with its unit vector."""

    lang: str
    kind: Kind
    text: str
    vector: tuple[float, ...] = field(repr=False)


def read_examples(path: Path) -> tuple[Example, ...]:
    """The sentences of ``examples.json``; raise ModelUnavailable when it cannot be used."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return tuple(
            Example(entry["lang"], Kind(entry["kind"]), entry["text"], _unit(entry["vector"]))
            for entry in entries
        )
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ModelUnavailable(f"{path} is not a file of examples") from error


def _unit(codes: list[int]) -> tuple[float, ...]:
    values = [code / _SCALE for code in codes]
    length = sum(value * value for value in values) ** 0.5
    return tuple(value / length for value in values)
