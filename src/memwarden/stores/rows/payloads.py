"""A row of a host as memwarden sees it: plain JSON, its texts as parts, its texts put back.

The field ``_memwarden`` belongs to memwarden: it holds the tenant and the stamp of a row.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, Protocol

from memwarden.errors import LimitExceeded, UsageError
from memwarden.model import Part, PartRole

RESERVED: Final = "_memwarden"
TENANT: Final = "tenant"
STAMP: Final = "stamp"

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Payload = dict[str, Json]
Stamped = Mapping[str, str | int | None]


class Naming(Protocol):
    """Knows which fields of a host are identifiers: judged, but never rewritten."""

    def is_identifier(self, field_path: str) -> bool: ...


_DEEPEST: Final = 200
"""Beyond this no copy, hash or JSON of a payload can be relied on, so it is refused unread."""

_ELSEWHERE: Final = (dt.datetime, dt.date, dt.time)


def plain(given: object) -> Payload:
    """A payload as the host will store it: JSON values only. The caller's own is not touched.

    Raises UsageError for what is no payload or names the reserved field, LimitExceeded for what
    is nested too deeply to be kept.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"a payload is an object of fields, not a {type(given).__name__}")
    if RESERVED in given:
        raise UsageError(
            f"the payload field {RESERVED!r} belongs to memwarden; write the payload without it"
        )
    return {_key(key): _plain(value, 1) for key, value in given.items()}


def _plain(value: object, depth: int) -> Json:
    if depth > _DEEPEST:
        raise LimitExceeded(
            f"the payload is nested deeper than {_DEEPEST} levels (or contains itself);"
            " nothing was written"
        )
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return _plain(value.value, depth + 1)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return {_key(key): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner, depth + 1) for inner in value]
    return _from_elsewhere(value, depth)


def _from_elsewhere(value: object, depth: int) -> Json:
    """Types that hosts turn into JSON themselves; done here, so that what is judged is stored."""
    if isinstance(value, _ELSEWHERE):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    for method in ("tolist", "model_dump"):  # numpy's arrays and numbers, pydantic's models
        convert = getattr(value, method, None)
        if callable(convert):
            return _plain(convert(), depth + 1)
    raise UsageError(
        f"a payload holds a {type(value).__name__}, which is no JSON; pass text, numbers, lists"
        " and objects"
    )


def _key(key: object) -> str:
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    raise UsageError(f"a payload field is named by a {type(key).__name__}; field names are text")


def bare(payload: Mapping[str, object] | None) -> Payload:
    """A stored payload without memwarden's own field."""
    stored = payload or {}
    return {_key(key): _plain(value, 1) for key, value in stored.items() if key != RESERVED}


def tenant_of(payload: Mapping[str, object] | None) -> str | None:
    """The tenant that a stored row names as its own; None for one that nobody ever stamped.

    A label of another form than memwarden's is nobody's tenant and so never equal to one.
    """
    own = (payload or {}).get(RESERVED)
    if own is None:
        return None
    label = own.get(TENANT) if isinstance(own, Mapping) else ""
    return label if isinstance(label, str) else ""


def stamp_of(payload: Mapping[str, object] | None) -> dict[str, str | int | None]:
    """The fields of a row's stamp as they stand; whether they are true is for the MAC to say."""
    own = (payload or {}).get(RESERVED)
    fields = own.get(STAMP) if isinstance(own, Mapping) else None
    if not isinstance(fields, Mapping):
        return {}
    return {
        str(name): value
        for name, value in fields.items()
        if value is None or isinstance(value, str | int)
    }


def marked(payload: Payload, tenant: str, stamp: Stamped | None) -> Payload:
    """The payload as it is stored: with the tenant, and with the stamp where there is one."""
    own: Payload = {TENANT: tenant}
    if stamp is not None:
        own[STAMP] = dict(stamp)
    return {**payload, RESERVED: own}


def parts_of(payload: Payload, naming: Naming) -> tuple[Part, ...]:
    """Every text of a payload and every field name, each once, in the payload's own order.

    A text stands under its JSON pointer (``/metadata/note``), a field name under ``#`` and
    itself, wherever it occurs: hosts keep no order of fields, and a stamp must not depend on it.
    A name is judged like a text and never rewritten.
    """
    parts: list[Part] = []
    names: set[str] = set()
    for pointer, field_path, value in _leaves(payload, "", ""):
        if value is None:
            name = pointer.rpartition("/")[2]
            if name not in names:
                names.add(name)
                parts.append(Part("#" + name, _unescaped(name), PartRole.KEY))
            continue
        role = PartRole.IDENTIFIER if naming.is_identifier(field_path) else PartRole.TEXT
        parts.append(Part(pointer, value, role))
    return tuple(parts)


def parts_of_row(
    payload: Payload, naming: Naming, row_id: str, namespace: Sequence[str] = ()
) -> tuple[Part, ...]:
    """The parts of a row whose id and place are words too: they are judged, never rewritten.

    For hosts that take any text as a key; an id under ``@`` and a namespace under ``@0``, ``@1``.
    """
    place = (Part(f"@{at}", label, PartRole.KEY) for at, label in enumerate(namespace))
    return (*parts_of(payload, naming), Part("@", row_id, PartRole.KEY), *place)


def _leaves(value: Json, pointer: str, field_path: str) -> Iterator[tuple[str, str, str | None]]:
    """(pointer, dotted path, text) of every text; the text is None where a name is introduced."""
    if isinstance(value, str):
        yield pointer, field_path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            below = f"{pointer}/{_escaped(key)}"
            path = f"{field_path}.{key}" if field_path else key
            yield below, path, None
            yield from _leaves(inner, below, path)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{pointer}/{index}", field_path)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def with_texts(payload: Payload, parts: Iterable[Part]) -> Payload:
    """The payload with its texts as decided; everything else stays as it is."""
    texts = {part.path: part.text for part in parts if part.role is not PartRole.KEY}
    changed = _with(payload, "", texts)
    if not isinstance(changed, dict):
        raise UsageError("a payload is an object of fields")
    return changed


def _with(value: Json, pointer: str, texts: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return texts.get(pointer, value)
    if isinstance(value, dict):
        return {
            key: _with(inner, f"{pointer}/{_escaped(key)}", texts) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_with(inner, f"{pointer}/{index}", texts) for index, inner in enumerate(value)]
    return value
