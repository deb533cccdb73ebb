"""What a tool does with memory: writes, reads or deletes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Final

import yaml

from memwarden.errors import UsageError


class Role(StrEnum):
    """What a call of a tool amounts to. ``deny`` refuses the call."""

    WRITE = "write"
    READ = "read"
    DELETE = "delete"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Tools:
    """The roles by tool name, and the arguments that are names."""

    roles: dict[str, Role]
    identifiers: frozenset[str]

    def role(self, tool: str) -> Role:
        """A tool that nobody named may write: its texts are judged."""
        return self.roles.get(tool, Role.WRITE)

    def plus(self, other: Tools) -> Tools:
        """These, and another file's over them."""
        return Tools({**self.roles, **other.roles}, self.identifiers | other.identifiers)


_BUNDLED: Final = files("memwarden.proxy.mcp").joinpath("tools.yaml")


def read_tools(path: Path | None = None) -> Tools:
    """The well-known servers' tools, and those of a file of one's own over them.

    Raises UsageError naming the file and what is wrong in it.
    """
    known = _parsed(_BUNDLED.read_text(encoding="utf-8"), "tools.yaml")
    if path is None:
        return known
    try:
        return known.plus(_parsed(path.read_text(encoding="utf-8"), str(path)))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _parsed(text: str, name: str) -> Tools:
    try:
        said = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise UsageError(f"{name} is no YAML: {error}") from error
    unknown = set(said) - {"tools", "identifiers"} if isinstance(said, dict) else {"the whole"}
    if unknown:
        raise UsageError(f"{name} knows `tools` and `identifiers`, not {sorted(unknown)}")
    roles = said.get("tools") or {}
    names = said.get("identifiers") or []
    try:
        return Tools(
            {str(tool): Role(role) for tool, role in roles.items()},
            frozenset(str(one) for one in names),
        )
    except (ValueError, AttributeError, TypeError) as error:
        known = ", ".join(role.value for role in Role)
        raise UsageError(
            f"{name}: `tools` maps the name of a tool to one of {known}; `identifiers` is a list"
        ) from error
