"""Changes to a stored payload, as pure functions of the payload: what would stand there after.

The whole result is judged and the whole result is written, so that an instruction cannot be put
together from pieces that are harmless one by one.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from enum import StrEnum

from memwarden.errors import UsageError
from memwarden.stores.qdrant.paths import deleted, first_field, merged_at
from memwarden.stores.rows.payloads import RESERVED, Payload, plain


class Kind(StrEnum):
    MERGE = "set_payload"
    REPLACE = "overwrite_payload"
    DELETE = "delete_payload"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of payload. ``path`` is where a merge happens, ``keys`` what a deletion removes."""

    kind: Kind
    payload: Payload = field(default_factory=dict, repr=False)
    path: str | None = None
    keys: tuple[str, ...] = ()

    def applied(self, before: Payload) -> Payload:
        """The payload afterwards. ``before`` is left as it was."""
        if self.kind is Kind.REPLACE:
            return copy.deepcopy(self.payload)
        if self.kind is Kind.DELETE:
            return deleted(before, self.keys)
        return merged_at(before, self.path, self.payload)


def merge(payload: object, path: object) -> Change:
    """``set_payload``. Raises UsageError where it reaches into memwarden's own field."""
    if path is not None and not isinstance(path, str):
        raise UsageError("key is the path of a payload field, such as 'metadata.note'")
    if path is not None:
        _check_not_ours(path)
    return Change(Kind.MERGE, plain(payload), path)


def replace(payload: object) -> Change:
    """``overwrite_payload``."""
    return Change(Kind.REPLACE, plain(payload))


def delete(keys: object) -> Change:
    """``delete_payload``. Raises UsageError where it reaches into memwarden's own field."""
    if isinstance(keys, str | bytes) or not isinstance(keys, list | tuple):
        raise UsageError("keys is a list of payload fields")
    for key in keys:
        _check_not_ours(key)
    return Change(Kind.DELETE, keys=tuple(keys))


def _check_not_ours(path: str) -> None:
    if first_field(path) == RESERVED:
        raise UsageError(f"the payload field {RESERVED!r} belongs to memwarden")
