"""Finds guard classes by the names that policies use.

Built-in guards come through the same door as anyone's: entry points of the group
``memwarden.guards``. A package that is installed changes nothing until a policy names its guard;
only then is its code imported. ``module:Class`` names a class directly.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Protocol

from memwarden.guards.custom_rules import CustomRules
from memwarden.policy.vocabulary import nearest

GROUP: Final = "memwarden.guards"
CUSTOM: Final = "custom"
"""The guard that runs a policy's own patterns. It needs no entry point."""

_DIRECT: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


class GuardMissing(Exception):
    """No guard can be had under this name: what is wrong, and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class GuardSource(Protocol):
    """Where guard classes come from."""

    def find(self, use: str) -> type:
        """Return the class named ``use``; raise GuardMissing."""
        ...


class InstalledGuards:
    """Guards of installed packages, each imported when it is first named."""

    def find(self, use: str) -> type:
        if use == CUSTOM:
            return CustomRules
        return _class(use, self._target(use))

    def _target(self, use: str) -> str:
        if ":" in use:
            if not _DIRECT.fullmatch(use):
                raise GuardMissing(
                    f"`{use[:80]}` is not `module:Class`", "such as acme.guards:Tone"
                )
            return use
        offered = {point.value for point in self._points if point.name == use}
        if len(offered) > 1:
            raise GuardMissing(
                f"several packages offer a guard `{use}`", "name one: " + ", ".join(sorted(offered))
            )
        if not offered:
            known = {CUSTOM, *(point.name for point in self._points)}
            raise GuardMissing(f"no guard `{use}` is installed", nearest(use, known))
        return offered.pop()

    @cached_property
    def _points(self) -> tuple[EntryPoint, ...]:
        return tuple(entry_points(group=GROUP))


class GivenGuards:
    """Guards handed over as classes, for programs and tests that bring their own."""

    def __init__(self, classes: Mapping[str, type]) -> None:
        self._classes = {CUSTOM: CustomRules, **classes}

    def find(self, use: str) -> type:
        if use in self._classes:
            return self._classes[use]
        raise GuardMissing(f"no guard `{use}` is installed", nearest(use, self._classes))


def _class(use: str, target: str) -> type:
    module, _, name = target.partition(":")
    try:
        found: object = importlib.import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except Exception as error:
        raise GuardMissing(
            f"the guard `{use}` cannot be loaded: {type(error).__name__}: {error}",
            f"`python -c 'import {module}'` shows where",
        ) from error
    if not isinstance(found, type):
        raise GuardMissing(f"`{target}` is not a class", "a guard is a frozen dataclass")
    return found
