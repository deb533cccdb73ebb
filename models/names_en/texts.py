"""The templates and word lists of this folder."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml


@lru_cache(maxsize=1)
def document() -> dict[str, object]:
    """The parsed ``templates.yaml``."""
    loaded = yaml.safe_load((Path(__file__).parent / "templates.yaml").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def templates(name: str) -> list[str]:
    """The texts under ``name``."""
    found = document()[name]
    assert isinstance(found, list)
    return [str(one) for one in found]


def listed(name: str, divider: str | None = None) -> list[str]:
    """The words under ``name``, divided at white space or at ``divider``."""
    words = document()["words"]
    assert isinstance(words, dict)
    return [one.strip() for one in str(words[name]).split(divider)]
