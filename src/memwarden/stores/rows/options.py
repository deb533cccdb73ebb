"""What a caller may say when wrapping a host. Every mistake is told when wrapping."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self, TypeVar

from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.stores.rows.report import Report

W = TypeVar("W", bound=StrEnum)

IDENTIFIERS: Final = (
    "agent_id",
    "chunk_id",
    "doc_id",
    "group_id",
    "run_id",
    "session_id",
    "tenant_id",
    "thread_id",
    "user_id",
)
"""Fields that hosts filter by. Rewriting one would lose the memory to its own filter."""

Reembed = Callable[[Sequence[str]], Sequence[object]]
"""Redacted texts in, one vector each out, in any form that the host takes."""


class OnRedactVector(StrEnum):
    """What becomes of a vector whose text was redacted after it was embedded."""

    KEEP = "keep"
    REJECT = "reject"
    REEMBED = "reembed"


class Legacy(StrEnum):
    """Whether rows that no tenant ever stamped are seen at all."""

    INCLUDE = "include"
    EXCLUDE = "exclude"


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Options of ``warden.wrap(host, tenant=..., ...)`` that every adapter understands.

    ``name`` is how ledger and review queue call this host; each host of one warden needs its
    own. ``text_fields`` names the fields that may be redacted (default: every text); other texts
    are judged as identifiers and never rewritten. ``identifier_fields`` names fields that are
    identifiers anyway. ``reembed`` makes new vectors for redacted texts. ``subject_field`` names
    the field that says whom a memory is about: that person's key seals it and forgetting them
    erases it ("": none). ``on_report`` receives a Report where policy says ``on_refused: report``.
    """

    name: str = "store"
    text_fields: tuple[str, ...] | None = None
    identifier_fields: frozenset[str] = frozenset(IDENTIFIERS)
    subject_field: str = "user_id"
    legacy: Legacy = Legacy.INCLUDE
    on_redact_vector: OnRedactVector = OnRedactVector.KEEP
    reembed: Reembed | None = field(default=None, repr=False)
    on_report: Callable[[Report], None] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, given: Mapping[str, object], *, host: str, name: str) -> Self:
        """Options from what was given to ``wrap``. Raises UsageError naming what is wrong.

        ``host`` is what the message calls the host ("a Chroma collection"); ``name`` the default
        name. A subclass adds fields of its own and reads them in ``more``.
        """
        known = [one.name for one in fields(cls)]
        for option in given:
            if option not in known:
                near = difflib.get_close_matches(option, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else "one of: " + ", ".join(known)
                raise UsageError(f"wrapping {host} knows no option {option!r}; {hint}")
        options = cls(**{**_shared(given, name), **cls.more(given)})  # type: ignore[arg-type]
        if options.on_redact_vector is OnRedactVector.REEMBED and options.reembed is None:
            raise UsageError(
                "on_redact_vector='reembed' needs reembed=, a callable: texts -> vectors"
            )
        return options

    @classmethod
    def more(cls, given: Mapping[str, object]) -> Mapping[str, object]:  # noqa: ARG003
        """The options that a subclass adds, checked, by field name."""
        return {}

    def is_identifier(self, field_path: str) -> bool:
        """Whether the text at a dotted path is judged but never rewritten."""
        if field_path in self.identifier_fields:
            return True
        if field_path.rpartition(".")[2] in self.identifier_fields:
            return True
        return self.text_fields is not None and not any(
            field_path == name or field_path.startswith(name + ".") for name in self.text_fields
        )


def _shared(given: Mapping[str, object], name: str) -> dict[str, object]:
    default = RowOptions()
    named = as_fields(given.get("identifier_fields", IDENTIFIERS), "identifier_fields")
    return {
        "name": as_name(given.get("name", name)),
        "text_fields": as_fields(given.get("text_fields"), "text_fields"),
        "identifier_fields": frozenset(named or ()),
        "subject_field": _subject(given.get("subject_field", default.subject_field)),
        "legacy": as_word(Legacy, given.get("legacy", default.legacy), "legacy"),
        "on_redact_vector": as_word(
            OnRedactVector,
            given.get("on_redact_vector", default.on_redact_vector),
            "on_redact_vector",
        ),
        "reembed": as_callable(given.get("reembed"), "reembed", "texts in, one vector each out"),
        "on_report": as_callable(given.get("on_report"), "on_report", "a Report in"),
    }


def as_name(given: object) -> str:
    """A name for ledger and queue."""
    if not isinstance(given, str) or not given.strip() or "/" in given:
        raise UsageError("name is a word without a slash, such as 'support-memory'")
    return given


def _subject(given: object) -> str:
    if not isinstance(given, str):
        raise UsageError("subject_field is the name of a field, or an empty text")
    return given


def as_fields(given: object, option: str) -> tuple[str, ...] | None:
    """Names of fields; None where nothing was said."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Sequence | set | frozenset):
        raise UsageError(f"{option} is a list of fields, such as ['data', 'metadata.note']")
    if not all(isinstance(name, str) and name for name in given):
        raise UsageError(f"{option} holds something that is not the name of a field")
    return tuple(given)


def as_word(kind: type[W], given: object, option: str) -> W:
    """One of the words of an enumeration."""
    try:
        return kind(str(given))
    except ValueError:
        known = ", ".join(repr(one.value) for one in kind)
        raise UsageError(f"{option} cannot be what was given; one of: {known}") from None


def as_callable(given: object, option: str, shape: str) -> object:
    """A callable, or None."""
    if given is not None and not callable(given):
        raise UsageError(f"{option} is a callable: {shape}")
    return given


def as_count(given: object, option: str) -> int:
    """A number of at least 1."""
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise UsageError(f"{option} is a number and at least 1")
    return given
