"""Texts to token ids, by a ``tokenizer.json`` or by a Hugging Face folder."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Protocol

from memwarden.errors import ModelUnavailable


class Tokenizer(Protocol):
    """Token ids of one text, special tokens included."""

    def ids(self, text: str) -> list[int]: ...


def open_tokenizer(path: Path) -> Tokenizer:
    """Open a ``tokenizer.json``, or a folder through transformers; nothing is downloaded."""
    try:
        return _FolderTokenizer(path) if path.is_dir() else _FileTokenizer(path)
    except Exception as error:  # the libraries raise bare Exception
        raise ModelUnavailable(f"cannot load the tokenizer {path}") from error


class _FileTokenizer:
    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer as Reader

        self._reader = Reader.from_file(str(path))
        self._reader.no_padding()
        self._reader.no_truncation()

    def ids(self, text: str) -> list[int]:
        return list(self._reader.encode(text).ids)


class _FolderTokenizer:
    """One text at a time: these tokenizers keep settings that a call may change."""

    def __init__(self, path: Path) -> None:
        from transformers import AutoTokenizer

        self._reader = AutoTokenizer.from_pretrained(str(path), local_files_only=True)
        self._lock = Lock()

    def ids(self, text: str) -> list[int]:
        with self._lock:
            return [int(token) for token in self._reader.encode(text)]
