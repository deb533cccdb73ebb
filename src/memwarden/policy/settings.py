"""A guard's own settings: its dataclass fields, checked strictly, with places for mistakes."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache
from typing import Annotated, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from memwarden.model import Action, Influence, Sensitivity, Severity, Tier
from memwarden.policy.vocabulary import (
    ActionWord,
    Duration,
    InfluenceWord,
    SensitivityWord,
    SeverityWord,
    TierWord,
)

NAME: Final = "name"
"""The field that takes the key under which a policy names the guard."""

_AS_WRITTEN: Final[dict[object, object]] = {
    Action: ActionWord,
    Tier: TierWord,
    Severity: SeverityWord,
    Sensitivity: SensitivityWord,
    Influence: InfluenceWord,
    timedelta: Duration,
}


class NotAGuard(Exception):
    """A class that cannot be a guard; the message says why."""


@lru_cache(maxsize=256)
def settings_model(guard: type) -> type[BaseModel]:
    """A strict model of the settings that ``guard`` takes. Raises NotAGuard."""
    if not dataclasses.is_dataclass(guard):
        raise NotAGuard("is not a dataclass")
    if not getattr(guard, "__dataclass_params__").frozen:  # noqa: B009 - unknown to type checkers
        raise NotAGuard("is not frozen")
    for method in ("needs", "judge"):
        if not callable(getattr(guard, method, None)):
            raise NotAGuard(f"has no `{method}` method")
    try:
        hints = get_type_hints(guard, include_extras=True)
        fields = {
            f"s{at}": (as_written(hints[part.name]), _default(part))
            for at, part in enumerate(dataclasses.fields(guard))
            if part.init and part.name != NAME
        }
        make = cast("Callable[..., type[BaseModel]]", create_model)
        return make(guard.__name__, __config__=ConfigDict(extra="forbid", strict=True), **fields)
    except NotAGuard:
        raise
    except Exception as error:
        raise NotAGuard(f"has fields that no policy can set: {error}") from error


def _default(part: dataclasses.Field[object]) -> object:
    if part.default is not dataclasses.MISSING:
        return Field(part.default, alias=part.name)
    if part.default_factory is not dataclasses.MISSING:
        return Field(default_factory=part.default_factory, alias=part.name)
    return Field(alias=part.name)


def chosen(values: BaseModel) -> dict[str, object]:
    """The settings that were given, by field name; the guard knows its own defaults."""
    infos = type(values).model_fields
    return {cast("str", infos[key].alias): getattr(values, key) for key in values.model_fields_set}


def has_field(guard: type, name: str) -> bool:
    return dataclasses.is_dataclass(guard) and any(
        part.name == name and part.init for part in dataclasses.fields(guard)
    )


def as_written(annotation: object) -> object:
    """The annotation with the ordered words and durations as a policy writes them."""
    if isinstance(annotation, type) and annotation in _AS_WRITTEN:
        return _AS_WRITTEN[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (None, Annotated, Literal) or not arguments:
        return annotation
    written = tuple(as_written(argument) for argument in arguments)
    if origin in (Union, types.UnionType):
        return Union[written]  # noqa: UP007 - the members are only known here
    return origin[written]
