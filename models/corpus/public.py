"""Public texts as rows: what ``sources.yaml`` permits, cut into windows as at run time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memwarden.encoder.windows import Count, windows
from models.corpus.rows import GROUPS, Row

SOURCES = Path(__file__).with_name("sources.yaml")
LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Use:
    """What the texts of one kind of one source are used as."""

    label: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of ``sources.yaml``."""

    uses: Mapping[tuple[str, str], Use]
    reserved: frozenset[str]
    skipped_contexts: frozenset[str]
    overrides: Mapping[str, re.Pattern[str]]


def read_sources(path: Path = SOURCES) -> Sources:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    uses = {
        (source, kind): Use(use["label"], _kinds(use["kinds"]))
        for source, kinds in content["sources"].items()
        for kind, use in kinds.items()
    }
    return Sources(
        uses=uses,
        reserved=frozenset(content["reserved"]),
        skipped_contexts=frozenset(content["skipped_contexts"]),
        overrides={lang: re.compile(rule) for lang, rule in content["overrides"].items()},
    )


def records(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every record of every ``*.jsonl`` in a folder, files in order of name."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def read_public(folder: Path, sources: Sources, count: Count) -> Iterator[Row]:
    """The rows that may be trained on, one per window."""
    for record in records(folder):
        use = sources.uses.get((record["source"], record["kind"]))
        if use is not None and _permitted(record, sources):
            yield from _rows(record, use, sources, count)


def _permitted(record: Mapping[str, Any], sources: Sources) -> bool:
    meta = record["meta"]
    return (
        record["lang"] in LANGUAGES
        and meta["family"] not in sources.reserved
        and "CC-BY-SA" not in record["licence"].split(";")[0]
        and not {meta.get("type"), meta.get("context")} & sources.skipped_contexts
        and "jlang" not in meta  # low-resource languages, out of scope here
    )


def _rows(record: Mapping[str, Any], use: Use, sources: Sources, count: Count) -> Iterator[Row]:
    text, family = record["text"], record["meta"]["family"]
    for start, end in windows(text, count):
        window = text[start:end]
        label, kinds = use.label, use.kinds
        if label == "jailbreak" and sources.overrides[record["lang"]].search(window):
            label, kinds = "malicious", ("behaviour_change", "safety_bypass")
        yield Row(
            text=window,
            lang=record["lang"],
            label=label,
            kinds=kinds,
            source=record["source"],
            wording=f"{record['id']}/{start}",
            document=record["id"],
            fold_key=family,
        )


def _kinds(entry: str | Sequence[str]) -> tuple[str, ...]:
    names = [entry] if isinstance(entry, str) else entry
    return tuple(kind for name in names for kind in GROUPS.get(name, (name,)))
