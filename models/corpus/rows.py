"""One labelled window, and files of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memwarden.model import COMMAND_KINDS, KINDS, MEMORY_KINDS

CLASSES: Final = ("benign", "malicious", "jailbreak", "instruction", "harmful")
"""What a window is. Only the first two decide the attack score; the others keep them clean:
role play that asks a model to misbehave, honest instructions to a model, unsafe questions."""

GROUPS: Final = {
    "memories": tuple(MEMORY_KINDS),
    "commands": tuple(COMMAND_KINDS),
    "harmless": (*MEMORY_KINDS, "other"),
    "anything": tuple(KINDS),
}
"""Names for sets of kinds: public sources rarely say which kind a text is, only what it is not."""


@dataclass(frozen=True, slots=True)
class Row:
    """A window with its label.

    ``kinds`` are the kinds it may be (one when known, several when only the group is known).
    ``wording`` is shared by the expansions of one written sentence; ``document`` by the windows
    of one text, ``fold_key`` by everything that must be left out together.
    """

    text: str
    lang: str
    label: str
    kinds: tuple[str, ...]
    source: str
    wording: str
    document: str
    fold_key: str


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def read_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            fields = json.loads(line)
            yield Row(**{**fields, "kinds": tuple(fields["kinds"])})
