"""The texts of the demo: published dialogue turns, facts and attack records, see ATTRIBUTION.md."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

TENANT: Final = "demo"

QUESTIONS: Final = (
    ("What does the user like to do?", "en"),
    ("日坛公园的门票和开放情况", "zh"),
)
"""What the demo recalls, and in which language the prompt is."""

POLICY: Final = "extends: base\ntenant: demo\n"


@dataclass(frozen=True, slots=True)
class Line:
    """One published text, and who writes it in the demo."""

    id: str
    lang: str
    written_by: str
    text: str = field(repr=False)
    published_as: str
    upstream: str
    licence: str


def lines() -> tuple[Line, ...]:
    """All texts of the demo, in the order they are written."""
    raw = files("memwarden.demo").joinpath("conversations.jsonl").read_text("utf-8")
    return tuple(Line(**json.loads(line)) for line in raw.splitlines() if line)
