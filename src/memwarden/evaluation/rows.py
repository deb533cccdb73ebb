"""Labelled rows: one JSON object a line, ``{id, source, lang, text, label, kind, meta}``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memwarden.errors import UsageError


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A labelled piece of personal data, in code points, end exclusive."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled text."""

    id: str
    source: str
    lang: str
    text: str = field(repr=False)
    label: str
    kind: str
    spans: tuple[GoldSpan, ...] = ()


def read_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """Yield the rows of files in order; raise UsageError naming file and line of a bad one."""
    for path in paths:
        try:
            with path.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield _row(line, f"{path}:{number}")
        except FileNotFoundError as error:
            raise UsageError(f"{path}: there is no such file") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: not UTF-8 text, save it as UTF-8 JSON lines") from error


def _row(line: str, place: str) -> Row:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{place}: not a JSON object ({error.msg})") from error
    except RecursionError:
        raise UsageError(f"{place}: nested too deeply for a row") from None
    if not isinstance(record, dict):
        raise UsageError(f"{place}: a row is a JSON object, this is a {type(record).__name__}")
    missing = [key for key in ("source", "lang", "text", "label") if key not in record]
    if missing:
        raise UsageError(f"{place}: the row lacks {', '.join(missing)}")
    wrong = [key for key in ("source", "lang", "text", "label") if type(record[key]) is not str]
    if wrong:
        raise UsageError(f"{place}: {', '.join(wrong)} must be text")
    meta = record.get("meta")
    spans = meta.get("spans", ()) if isinstance(meta, dict) else ()
    return Row(
        id=str(record.get("id", place)),
        source=record["source"],
        lang=record["lang"],
        text=record["text"],
        label=record["label"],
        kind=str(record.get("kind", "")),
        spans=tuple(_span(span, place) for span in spans),
    )


def _span(span: object, place: str) -> GoldSpan:
    try:
        return GoldSpan(int(span["start"]), int(span["end"]), str(span["type"]))  # type: ignore[index]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{place}: a span is {{start, end, type}}") from error
