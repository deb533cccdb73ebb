"""Where the master key lives: a file outside the data folder, the environment, or a callable.

The database names the key it needs by fingerprint, and a key file is named after its key's, so
data folders can be moved and several can share one key folder.
"""

from __future__ import annotations

import base64
import binascii
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memwarden.errors import VaultError
from memwarden.keys.derive import KEY_BYTES, fingerprint, new_key

KEY_VARIABLE: Final = "MEMWARDEN_MASTER_KEY"
FOLDER_VARIABLE: Final = "MEMWARDEN_KEY_DIR"

KeySource = Callable[[str], bytes]
"""Hands over the 32-byte master key with this fingerprint ("" at first start), as a KMS would."""


@dataclass(frozen=True, slots=True)
class MasterKey:
    """The key that wraps all others. ``where`` says to people where it came from."""

    secret: bytes = field(repr=False)
    where: str

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES:
            raise VaultError(
                f"{self.where}: the master key must be {KEY_BYTES} bytes, not {len(self.secret)}"
            )

    @property
    def id(self) -> str:
        return fingerprint(self.secret)


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where to look for master keys, in this order: ``source``, the environment, ``folder``."""

    folder: Path
    source: KeySource | None = None
    environment: str = field(default="", repr=False)

    @classmethod
    def of(
        cls,
        environ: Mapping[str, str] | None = None,
        *,
        folder: Path | None = None,
        source: KeySource | None = None,
    ) -> KeyPlace:
        """The places that the environment names: MEMWARDEN_MASTER_KEY, MEMWARDEN_KEY_DIR, XDG."""
        env = os.environ if environ is None else environ
        return cls(folder or default_folder(env), source, env.get(KEY_VARIABLE, ""))

    def find(self, key_id: str) -> MasterKey:
        """The key with this fingerprint. Raises VaultError if it is nowhere to be found."""
        given = self._given(key_id)
        if given is None:
            return read_key_file(self._file(key_id), key_id)
        if given.id != key_id:
            raise VaultError(
                f"the master key from {given.where} is {given.id}, but the data was sealed under "
                f"{key_id}; give the right key, or the data folder that belongs to this one"
            )
        return given

    def first(self) -> tuple[MasterKey, bool]:
        """The key for a new data folder, and whether it was made just now."""
        given = self._given("")
        if given is not None:
            return given, False
        key = new_key()
        path = self._file(fingerprint(key))
        write_key_file(path, key)
        return MasterKey(key, str(path)), True

    def _given(self, key_id: str) -> MasterKey | None:
        if self.source is not None:
            return MasterKey(self.source(key_id), "the configured key source")
        if self.environment:
            return MasterKey(decode_key(self.environment, KEY_VARIABLE), KEY_VARIABLE)
        return None

    def _file(self, key_id: str) -> Path:
        return self.folder / f"{key_id}.key"


def default_folder(env: Mapping[str, str]) -> Path:
    """$MEMWARDEN_KEY_DIR, else memwarden/keys under $XDG_CONFIG_HOME or ~/.config."""
    if env.get(FOLDER_VARIABLE):
        return Path(env[FOLDER_VARIABLE])
    base = env.get("XDG_CONFIG_HOME") or ""
    # The XDG specification says that a relative path is to be ignored.
    root = Path(base) if base.startswith("/") else Path.home() / ".config"
    return root / "memwarden" / "keys"


def encode_key(key: bytes) -> str:
    """A key as people store it: URL-safe base64."""
    return base64.urlsafe_b64encode(key).decode()


def decode_key(text: str, where: str) -> bytes:
    """A key from 64 hex digits or base64. The error names ``where``, never the text."""
    stripped = text.strip()
    try:
        if len(stripped) == 2 * KEY_BYTES:
            return bytes.fromhex(stripped)
        key = base64.b64decode(stripped.replace("-", "+").replace("_", "/"), validate=True)
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != KEY_BYTES:
        raise VaultError(
            f"{where} does not hold a master key: it must be {KEY_BYTES} random bytes as base64 "
            "or as 64 hex digits"
        )
    return key


def write_key_file(path: Path, key: bytes) -> None:
    """Write a new key file, mode 0600, flushed to disk before anything is sealed under it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(encode_key(key) + "\n")
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(path.parent)
    except OSError as error:
        raise VaultError(
            f"{path}: {error.strerror}: the master key cannot be stored there; set "
            f"{FOLDER_VARIABLE} to a folder that can be written, or {KEY_VARIABLE} to a key"
        ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_key_file(path: Path, key_id: str) -> MasterKey:
    """Read a key file, refusing one that others may read or that holds another key."""
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            _refuse_open_to_others(path, os.fstat(file.fileno()))
            text = file.read(1024)
    except FileNotFoundError:
        raise VaultError(
            f"the master key {key_id} is missing: {path} does not exist. The data was sealed under "
            f"it and opens with no other; bring the file back from your copy, or set {KEY_VARIABLE}"
        ) from None
    except OSError as error:
        raise VaultError(f"{path}: {error.strerror}: the master key cannot be read") from error
    key = MasterKey(decode_key(text, str(path)), str(path))
    if key.id != key_id:
        raise VaultError(f"{path} holds another key ({key.id}) than the data needs ({key_id})")
    return key


def _refuse_open_to_others(path: Path, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_uid != os.geteuid():
        raise VaultError(f"{path} belongs to another user; the master key must be yours alone")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise VaultError(
            f"{path} can be read by other users (mode {stat.S_IMODE(found.st_mode):04o}); "
            f"run: chmod 600 {path}"
        )
