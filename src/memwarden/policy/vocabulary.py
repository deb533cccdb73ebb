"""The words of a policy file as pydantic types: each checks itself and says what it expected."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from memwarden.errors import UsageError
from memwarden.model import Action, Influence, Sensitivity, Severity, Tier, Treatment

_W = TypeVar("_W", Action, Tier, Sensitivity, Severity, Influence)
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}
_DURATION: Final = re.compile(r"([1-9][0-9]{0,5})([smhdwy])")
_LONGEST: Final = timedelta(days=36_500)
_ENTITY: Final = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
MAX_NAME: Final = 64

FOREVER: Final = "forever"


def refuse(message: str, hint: str = "") -> PydanticCustomError:
    """An error that reaches the policy author word for word."""
    return PydanticCustomError(
        "policy", "{message}", {"message": message, "hint": hint} if hint else {"message": message}
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the known word most like ``word``, or every known one if they are few."""
    names = sorted(known)
    few = "one of: " + ", ".join(names) if 0 < len(names) <= 20 else ""
    return similar(word, names) or few


def similar(word: str, known: Iterable[str]) -> str:
    """A hint that names the known word most like ``word``; "" when none is."""
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    return f"did you mean `{names[close[0]]}`?" if close else ""


def word_parser(words: type[_W], noun: str) -> Callable[[object], _W]:
    """A validator that reads a label (``hold``) as the member of an ordered word."""

    def parse(given: object) -> _W:
        if isinstance(given, words):
            return given
        if not isinstance(given, str):
            raise refuse(f"should be {noun}", _labels(words))
        try:
            return words.parse(given)
        except UsageError:
            hint = nearest(given, [member.label for member in words])
            raise refuse(f"`{given[:40]}` is not {noun}", hint) from None

    return parse


def _labels(words: type[_W]) -> str:
    return "one of: " + ", ".join(member.label for member in words)


def labels_schema(words: type[_W]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [member.label for member in words]})


def _treatment(given: object) -> Treatment:
    if isinstance(given, Treatment):
        return given
    known = [str(member) for member in Treatment]
    if isinstance(given, str) and given in known:
        return Treatment(given)
    if isinstance(given, str):
        raise refuse(f"`{given[:40]}` is not a treatment", nearest(given, known))
    raise refuse("should be a treatment", "one of: " + ", ".join(known))


def parse_duration(given: object) -> timedelta | None:
    """Read ``90d`` (units s, m, h, d, w, y) or ``forever``."""
    if given is None or isinstance(given, timedelta):
        return given
    if given == FOREVER:
        return None
    match = _DURATION.fullmatch(given) if isinstance(given, str) else None
    if match is None:
        raise refuse("should be a duration", "such as 12h, 90d, 2w, 1y, or forever")
    duration = timedelta(seconds=int(match[1]) * _UNITS[match[2]])
    if duration > _LONGEST:
        raise refuse("is longer than a hundred years", "write forever")
    return duration


def parse_expiry(given: object) -> datetime:
    """Read a date (valid to the end of that day, UTC) or a time with its offset (ISO 8601)."""
    if isinstance(given, datetime):
        return given
    try:
        if isinstance(given, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", given):
            day = date.fromisoformat(given) + timedelta(days=1)
            return datetime.combine(day, time(), UTC)
        moment = datetime.fromisoformat(given) if isinstance(given, str) else None
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        raise refuse("should be a date", "such as 2027-06-30, or 2027-06-30T12:00:00+08:00")
    if moment.tzinfo is None:
        raise refuse("is a time without an offset", "add Z, or an offset such as +08:00")
    return moment.astimezone(UTC)


def name_fault(name: str) -> str:
    """What is wrong with a name of a tenant, source, guard, rule or file; "" if nothing is."""
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if not unicodedata.is_normalized("NFC", name):
        return "is not in Unicode normal form C"
    if name[0] in ".-":
        return f"begins with `{name[0]}`"
    for character in name:
        if character not in "-_." and unicodedata.category(character)[0] not in "LMN":
            return f"contains U+{ord(character):04X}; letters, digits, `-`, `_` and `.` are allowed"
    return ""


def _name(given: str) -> str:
    fault = name_fault(given)
    if fault:
        raise refuse(f"the name {fault}")
    return given


def _entity(given: str) -> str:
    if not _ENTITY.fullmatch(given):
        raise refuse(f"`{given[:40]}` is not an entity", "entities look like EMAIL_ADDRESS")
    return given


def _kind(given: str) -> str:
    if not _KIND.fullmatch(given):
        raise refuse(f"`{given[:40]}` is not a kind", "kinds look like price_change")
    return given


ActionWord = Annotated[
    Action, PlainValidator(word_parser(Action, "an action")), labels_schema(Action)
]
TierWord = Annotated[Tier, PlainValidator(word_parser(Tier, "a tier")), labels_schema(Tier)]
SeverityWord = Annotated[
    Severity, PlainValidator(word_parser(Severity, "a severity")), labels_schema(Severity)
]
SensitivityWord = Annotated[
    Sensitivity,
    PlainValidator(word_parser(Sensitivity, "a sensitivity")),
    labels_schema(Sensitivity),
]
InfluenceWord = Annotated[
    Influence, PlainValidator(word_parser(Influence, "an influence")), labels_schema(Influence)
]
TreatmentWord = Annotated[
    Treatment,
    PlainValidator(_treatment),
    WithJsonSchema({"type": "string", "enum": [str(member) for member in Treatment]}),
]
Duration = Annotated[
    timedelta | None,
    PlainValidator(parse_duration),
    WithJsonSchema({"type": "string", "pattern": "^([1-9][0-9]{0,5}[smhdwy]|forever)$"}),
]
Expiry = Annotated[
    datetime,
    PlainValidator(parse_expiry),
    WithJsonSchema({"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\d"}),
]
Name = Annotated[str, AfterValidator(_name)]
EntityName = Annotated[str, AfterValidator(_entity)]
KindName = Annotated[str, AfterValidator(_kind)]
