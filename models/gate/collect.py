"""Collect the sentences of the gate: python -m models.gate.collect --public DATA/train

Whole source families are reserved for the gate (``reserved`` in models/corpus/sources.yaml); the
English half adds the documentation strings of Python's standard library. Licences and
attribution stand in models/gate/README.md.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import random
import re
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from memwarden.encoder.windows import sentences
from models.corpus.near import digest
from models.corpus.public import LANGUAGES, read_sources, records
from models.training.seeds import draw_for

FOLDER: Final = Path(__file__).parent
FROM_DOCUMENTATION: Final = 2600
_LONGEST: Final = 400
_PROSE: Final = re.compile(r"^[A-Z][A-Za-z0-9 ,.'()\"-]+[.]$")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--public", type=Path, required=True)
    options = parser.parse_args()
    entries = [*_reserved(options.public), *_documentation(draw_for("gate"))]
    for lang in LANGUAGES:
        lines = _unique((family, text) for own, family, text in entries if own == lang)
        write(FOLDER / f"{lang}.tsv.gz", lines)
        print(lang, len(lines))


def write(path: Path, lines: Iterable[tuple[str, str]]) -> None:
    content = "".join(f"{family}\t{text}\n" for family, text in lines).encode()
    path.write_bytes(gzip.compress(content, mtime=0))


def read(path: Path) -> list[tuple[str, str]]:
    """Family and sentence of every line."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return [(family, text) for family, _, text in (line.partition("\t") for line in lines)]


def _reserved(folder: Path) -> Iterator[tuple[str, str, str]]:
    reserved = read_sources().reserved
    for record in records(folder):
        if record["meta"]["family"] in reserved and record["lang"] in LANGUAGES:
            for text in _sentences(record["text"]):
                yield record["lang"], record["source"], text


def _documentation(draw: random.Random) -> list[tuple[str, str, str]]:
    found: dict[str, None] = {}
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("**/*.py")):
        if not {"site-packages", "test", "idlelib", "lib2to3"} & set(path.parts):
            found.update(dict.fromkeys(_docstrings(path)))
    chosen = draw.sample(sorted(found), FROM_DOCUMENTATION)
    return [("en", "python_documentation", text) for text in chosen]


def _docstrings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, holders) and (text := ast.get_docstring(node)):
            for paragraph in text.split("\n\n"):
                for sentence in _sentences(" ".join(paragraph.split())):
                    if _PROSE.match(sentence) and len(sentence.split()) > 5:
                        yield sentence


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        sentence = " ".join(text[start:end].split())
        if 3 < len(sentence) <= _LONGEST:
            yield sentence


def _unique(lines: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    kept: dict[str, tuple[str, str]] = {}
    for line in lines:
        kept.setdefault(digest(line[1]), line)
    return sorted(kept.values())


if __name__ == "__main__":
    main()
