"""Makes the guards of a policy from their settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import rfc8785
from pydantic import BaseModel, ValidationError

from memwarden.errors import Mistake, PolicyError
from memwarden.model import Action, Guard, GuardSetting, Mode
from memwarden.policy.complain import complaints
from memwarden.policy.registry import CUSTOM, GuardMissing, GuardSource
from memwarden.policy.revision import canonical
from memwarden.policy.sections import GuardEntry
from memwarden.policy.settings import NAME, NotAGuard, chosen, has_field, settings_model
from memwarden.policy.tree import Branch, Node, Path, place_of, plain

_RESERVED: Final = ("use", "mode", "on_error")
PARANOIA: Final = "paranoia"
PATTERNS: Final = "patterns"


@dataclass(slots=True)
class GuardShop:
    """Makes guards, once each: tenants with equal settings share one (guards keep no state)."""

    source: GuardSource
    made: dict[tuple[type, bytes], Guard] = field(default_factory=dict)
    known: dict[str, type] = field(default_factory=dict)

    def find(self, use: str) -> type:
        if use not in self.known:
            self.known[use] = self.source.find(use)
        return self.known[use]


@dataclass(frozen=True, slots=True)
class GuardOrder:
    """One guard as a policy asks for it. ``given`` are settings that other keys hand down."""

    name: str
    node: Branch
    root: Branch
    given: Mapping[str, object]

    @property
    def path(self) -> Path:
        return ("guards", self.name)

    def at_key(self, message: str, hint: str = "") -> Mistake:
        return place_of(self.root, self.path, key=True).mistake(message, hint)


def make_guard(order: GuardOrder, shop: GuardShop) -> tuple[GuardSetting | None, list[Mistake]]:
    """Return the guard with its mode, None when it is off or wrong, and what is wrong."""
    entry = GuardEntry.model_validate_json(json.dumps(plain(order.node)))
    mode = Mode(entry.mode or "enforce")
    if mode is Mode.OFF:
        return None, []
    try:
        kind = shop.find(entry.use or order.name)
        model = settings_model(kind)
    except GuardMissing as error:
        place = place_of(order.root, (*order.path, "use"), key="use" not in order.node.items)
        return None, [place.mistake(error.message, error.hint)]
    except NotAGuard as error:
        return None, [order.at_key(f"the guard `{order.name}` {error}", "see docs/policy.md")]
    values, mistakes = _settings(order, model)
    if values is None:
        return None, mistakes
    guard, mistakes = _build(order, kind, values, shop)
    if guard is None:
        return None, mistakes
    on_error = Action.HOLD if entry.on_error is None else entry.on_error
    return GuardSetting(guard, mode, on_error), []


def _settings(
    order: GuardOrder, model: type[BaseModel]
) -> tuple[dict[str, object] | None, list[Mistake]]:
    own = order.node.lacking(_RESERVED)
    handed = {info.alias for info in model.model_fields.values() if info.alias in order.given}
    try:
        values = model.model_validate_json(json.dumps(plain(own)))
    except ValidationError as error:
        mistakes, _ = complaints(error, order.root, model, order.path)
        return None, mistakes
    return {**{key: order.given[key] for key in handed if key}, **chosen(values)}, []


def _build(
    order: GuardOrder, kind: type, values: dict[str, object], shop: GuardShop
) -> tuple[Guard | None, list[Mistake]]:
    if has_field(kind, NAME):
        values = {**values, NAME: order.name}
    try:
        recipe = (kind, rfc8785.dumps(canonical(values)))
        if recipe not in shop.made:
            shop.made[recipe] = _made(kind, values)
        guard = shop.made[recipe]
        name = guard.name
    except PolicyError as error:
        return None, list(error.mistakes)
    except Exception as error:  # noqa: BLE001 - a guard's constructor is code that is not ours
        message = f"the guard `{order.name}` refuses its settings: {error}"
        return None, [order.at_key(message, type(error).__name__)]
    if name != order.name:
        return None, [order.at_key(f"this guard is called `{name}`", f"write `{name}:` here")]
    return guard, []


def _made(kind: type, values: Mapping[str, object]) -> Guard:
    guard = kind(**values)
    if not isinstance(guard, Guard):
        raise TypeError("it lacks a name, needs or judge")
    return guard


def orders(root: Branch, given: Mapping[str, object]) -> list[GuardOrder]:
    """The guards that a merged tree asks for, by name. Patterns need no entry of their own."""
    section = root.items.get("guards")
    wanted: dict[str, Node] = dict(section.items) if isinstance(section, Branch) else {}
    if given.get(PATTERNS) and CUSTOM not in wanted:
        place = place_of(root, (PATTERNS,), key=True)
        wanted[CUSTOM] = Branch({}, place)
    return [
        GuardOrder(name, node, root, given if name == CUSTOM else _without_patterns(given))
        for name, node in sorted(wanted.items())
        if isinstance(node, Branch)
    ]


def _without_patterns(given: Mapping[str, object]) -> Mapping[str, object]:
    return {key: value for key, value in given.items() if key != PATTERNS}
