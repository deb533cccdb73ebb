"""JSON Schema (draft 2020-12) of policy files and of policy tests, for editors.

The models know only the unfolded form; here the shorthands that people write are put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, cast

from memwarden.policy.cases import CaseFile
from memwarden.policy.schema import PolicyFile
from memwarden.policy.settings import settings_model

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Object: TypeAlias = dict[str, Json]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MODES: Final = ("enforce", "observe", "off")


def policy_schema(guards: Mapping[str, type] | None = None) -> Object:
    """The schema of a policy file. ``guards`` adds the settings of guards by the names they
    have in policies, so that an editor completes those too."""
    schema = cast("Object", PolicyFile.model_json_schema(by_alias=True))
    definitions = _object(schema["$defs"])
    for name, definition in definitions.items():
        for begins, change in _SHORTHANDS.items():
            if name.startswith(begins):
                definitions[name] = change(_without_null(_object(definition)))
    _off_allowed(schema)
    if guards:
        _with_guards(schema, guards)
    schema = _without_null(schema)
    return {"$schema": DIALECT, **schema, "title": "A memwarden policy"}


def cases_schema() -> Object:
    """The schema of a ``*_test.yaml`` file."""
    schema = cast("Object", CaseFile.model_json_schema(by_alias=True))
    definitions = _object(schema["$defs"])
    expect = _object(definitions["ExpectEntry"])
    properties = _object(expect["properties"])
    for key in ("action", "lacks", "rules"):
        properties[key] = _one_or_many(_object(properties[key]))
    definitions["ExpectEntry"] = {"anyOf": [properties["action"], expect]}
    schema = _without_null(schema)
    return {"$schema": DIALECT, **schema, "title": "Tests of a memwarden policy"}


def _one_or_many(row: Object) -> Object:
    return {"anyOf": [row["items"], row]}


def _object(value: Json) -> Object:
    assert isinstance(value, dict)
    return value


def _by_tier(definition: Object) -> Object:
    properties = _object(definition["properties"])
    word = properties["untrusted"]
    whole = {**definition, "properties": {**properties, "else": word}}
    return {"anyOf": [word, whole]}


def _or_mode(definition: Object) -> Object:
    return {"anyOf": [{"enum": list(_MODES)}, definition]}


def _or_bundled(definition: Object) -> Object:
    return {"anyOf": [{"const": "bundled"}, definition]}


def _or_sentence(definition: Object) -> Object:
    sentence: Object = {"type": "string", "minLength": 1, "maxLength": 500}
    return {"anyOf": [sentence, {**definition, "minProperties": 1}]}


_SHORTHANDS: Final[Mapping[str, Callable[[Object], Object]]] = {
    "Cells": _by_tier,
    "KindEntry": _by_tier,
    "GuardEntry": _or_mode,
    "RuleEntry": _or_mode,
    "ReasonEntry": _or_sentence,
    "ModelsSection": _or_bundled,
}


def _off_allowed(schema: Object) -> None:
    """Inherited patterns and waivers may be taken back."""
    definitions = _object(schema["$defs"])
    for name in ("PatternEntry", "WaiverEntry"):
        definitions[name] = {"anyOf": [{"const": "off"}, definitions[name]]}


def _with_guards(schema: Object, guards: Mapping[str, type]) -> None:
    """Properties for the guards that are named, each with its own settings."""
    definitions = _object(schema["$defs"])
    entry = _object(cast("list[Json]", _object(definitions["GuardEntry"])["anyOf"])[1])
    properties: Object = {}
    for name, guard in sorted(guards.items()):
        own = cast("Object", settings_model(guard).model_json_schema(by_alias=True))
        definitions.update(_object(own.pop("$defs", {})))
        settings = {**_object(entry["properties"]), **_object(own.get("properties", {}))}
        described: Object = {
            "type": "object",
            "description": (guard.__doc__ or "").split("\n\n")[0].strip(),
            "properties": settings,
            "additionalProperties": False,
        }
        properties[name] = _or_mode(described)
    section = _object(_object(schema["properties"])["guards"])
    for choice in cast("list[Json]", section["anyOf"]):
        if _object(choice).get("type") == "object":
            _object(choice)["properties"] = properties


def _without_null(value: Object) -> Object:
    """Optional keys are left out, never null: ``anyOf: [X, null]`` is X."""
    return _object(_no_null(value))


def _no_null(value: Json) -> Json:
    if isinstance(value, list):
        return [_no_null(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {key: _no_null(item) for key, item in value.items()}
    if value.get("default", "") is None:
        del value["default"]
    choices = value.get("anyOf")
    if isinstance(choices, list):
        kept = [choice for choice in choices if choice != {"type": "null"}]
        if len(kept) == 1:
            del value["anyOf"]
            return {**_object(kept[0]), **value}
        value["anyOf"] = kept
    return value
