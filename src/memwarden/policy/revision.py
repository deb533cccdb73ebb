"""The revision of a policy: a digest of everything that decides, and of nothing else.

Equal revisions decide alike, wherever a setting came from, in whatever order or shorthand it was
written. The tenant's name is not part of it; the rule packs behind the guards are.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

import rfc8785

from memwarden.model import Guard, GuardSetting, Policy

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_NOT_DECIDING: Final = frozenset(("tenant", "revision", "guards"))
_LARGEST: Final = 2**53 - 1


def revision_of(policy: Policy) -> str:
    """SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of ``effective(policy)``."""
    return hashlib.sha256(rfc8785.dumps(effective(policy))).hexdigest()


def effective(policy: Policy) -> dict[str, Json]:
    """Everything that decides, as JSON: what a policy says after inheritance and defaults."""
    settings: dict[str, Json] = {
        part.name: canonical(getattr(policy, part.name))
        for part in dataclasses.fields(policy)
        if part.name not in _NOT_DECIDING
    }
    settings["guards"] = [_guard(setting) for setting in policy.guards]
    return settings


def _guard(setting: GuardSetting) -> dict[str, Json]:
    return {
        "name": setting.guard.name,
        "class": f"{type(setting.guard).__module__}:{type(setting.guard).__qualname__}",
        "mode": canonical(setting.mode),
        "on_error": canonical(setting.on_error),
        "settings": settings_of(setting.guard),
        "fingerprint": fingerprint(setting.guard),
    }


def settings_of(guard: object) -> dict[str, Json]:
    """The fields a value was made with, defaults included; not where it lies on this machine."""
    assert dataclasses.is_dataclass(guard)
    return {
        part.name: canonical(getattr(guard, part.name))
        for part in dataclasses.fields(guard)
        if part.init and part.metadata.get("decides", True)
    }


def fingerprint(guard: Guard) -> str:
    """What a guard says of its rule pack, or else a digest of the file its class stands in."""
    own = getattr(guard, "fingerprint", None)
    if isinstance(own, str) and own:
        return own
    module = sys.modules.get(type(guard).__module__)
    try:
        source = inspect.getsourcefile(module) if module else None
        return "source:" + hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ""
    except (OSError, TypeError):
        return ""


def canonical(value: object) -> Json:
    """A value as JSON that is the same in every process. Raises TypeError for what has no form."""
    if isinstance(value, Enum):
        return value.name.lower()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else str(value)
    if isinstance(value, float):
        return value
    if isinstance(value, Mapping):
        return {_key(key): canonical(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((canonical(item) for item in value), key=rfc8785.dumps)
    if isinstance(value, list | tuple):
        return [canonical(item) for item in value]
    return _rare(value)


def _rare(value: object) -> Json:
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return settings_of(value)
    raise TypeError(f"a {type(value).__name__} cannot be recorded in a policy revision")


def _key(key: object) -> str:
    return key.name.lower() if isinstance(key, Enum) else str(key)
