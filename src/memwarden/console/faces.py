"""How moments, numbers and words of the model are written for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from memwarden.console.marking import plain
from memwarden.console.words import name_of, say

_STEPS: Final = (
    ("days", timedelta(days=1)),
    ("hours", timedelta(hours=1)),
    ("minutes", timedelta(minutes=1)),
)


def helpers(lang: str) -> Mapping[str, Callable[..., str]]:
    """What templates call, bound to one language."""
    return {
        "name_of": lambda group, word: name_of(lang, group, str(word)),
        "ago": lambda moment: ago(lang, datetime.now(UTC) - moment),
        "left": lambda moment: ago(lang, max(timedelta(0), moment - datetime.now(UTC)), key="left"),
        "moment": lambda value: f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC",
        "iso": lambda value: value.astimezone(UTC).isoformat(timespec="seconds"),
        "number": lambda value: f"{value:,}",
        "percent": lambda value: f"{100 * value:.1f} %" if lang == "en" else f"{100 * value:.1f}%",
        "plain": plain,
        "short": lambda digest, most=10: str(digest)[:most],
    }


def ago(lang: str, age: timedelta, *, key: str = "ago") -> str:
    """A span of time in its largest unit."""
    for unit, size in _STEPS:
        count = int(age / size)
        if count == 1:
            return say(lang, f"{key}.one_{unit}")
        if count > 1:
            return say(lang, f"{key}.{unit}", n=count)
    return say(lang, f"{key}.now")
