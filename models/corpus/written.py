"""The written texts: pairs of attacks and harmless twins, slots filled by a seeded draw."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from memwarden.model import KINDS
from models.corpus.rows import Row

EXPANSIONS: Final = 4
"""Expansions of one wording with slots. The draw among wordings ignores how many it has."""

_SLOT: Final = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class WrittenText:
    """One wording, before its slots are filled."""

    template: str
    label: str
    kind: str
    pair: str
    place: str


class WrittenFileError(ValueError):
    """A file of written texts breaks its format; the message says where."""


def read_written(path: Path, seed: int) -> Iterator[Row]:
    """The rows of one file of written texts. Same file and seed, same rows."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    slots = content.get("slots") or {}
    for text in _texts(path, content["pairs"]):
        draw = random.Random(f"{seed}/{path.stem}/{text.place}")
        for expansion in _expansions(text.template, slots, draw, path):
            yield Row(
                text=expansion,
                lang=content["lang"],
                label=text.label,
                kinds=(text.kind,),
                source=f"written/{path.stem}",
                wording=f"{path.stem}/{text.place}",
                document=f"{path.stem}/{text.place}",
                fold_key=f"written/{path.stem}/{text.pair}",
            )


def _texts(path: Path, pairs: Sequence[Mapping[str, object]]) -> Iterator[WrittenText]:
    seen: set[str] = set()
    for pair in pairs:
        name = str(pair["id"])
        if name in seen:
            raise WrittenFileError(f"{path.name}: pair {name} stands there twice")
        seen.add(name)
        for side, label in (("attack", "malicious"), ("benign", "benign")):
            texts = pair.get(side) or []
            kind = str(pair.get(f"{side}_kind", ""))
            if texts and kind not in KINDS:
                raise WrittenFileError(f"{path.name}: pair {name} has no known {side}_kind")
            for i, text in enumerate(texts):
                yield WrittenText(str(text), label, kind, name, f"{name}/{side}/{i}")


def _expansions(
    template: str, slots: Mapping[str, Sequence[object]], draw: random.Random, path: Path
) -> list[str]:
    names = [name for name in _SLOT.findall(template) if name in slots]
    texts: dict[str, None] = {}
    for _ in range(EXPANSIONS if names else 1):
        filled = _SLOT.sub(
            lambda match: str(draw.choice(slots[match[1]])) if match[1] in slots else match[0],
            template,
        )
        texts[filled] = None
    if not template.strip():
        raise WrittenFileError(f"{path.name}: an empty text")
    return list(texts)
