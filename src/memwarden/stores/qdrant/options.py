"""What a caller may say when wrapping a Qdrant client. Every mistake is told when wrapping."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

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
"""Redacted texts in, one vector each out, in any form that the collection takes."""


class OnRedactVector(StrEnum):
    """What becomes of a vector whose text was redacted after it was embedded."""

    KEEP = "keep"
    REJECT = "reject"
    REEMBED = "reembed"


class Legacy(StrEnum):
    """Whether points that no tenant ever stamped are seen at all."""

    INCLUDE = "include"
    EXCLUDE = "exclude"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of ``warden.wrap(client, tenant=..., ...)``.

    ``name`` is how ledger and review queue call this client; each client of one warden needs its
    own. ``text_fields`` names the payload fields that may be redacted (default: every text);
    other texts are judged as identifiers and never rewritten. ``identifier_fields`` names fields
    that are identifiers anyway. ``reembed`` makes new vectors for redacted texts.
    ``subject_field`` names the payload field that says whom a memory is about: that person's key
    seals it and forgetting them erases it ("": none). ``max_filter_points`` caps a payload update
    by filter. ``on_report`` receives a Report where policy says ``on_refused: report``.
    """

    name: str = "qdrant"
    text_fields: tuple[str, ...] | None = None
    identifier_fields: frozenset[str] = frozenset(IDENTIFIERS)
    subject_field: str = "user_id"
    legacy: Legacy = Legacy.INCLUDE
    on_redact_vector: OnRedactVector = OnRedactVector.KEEP
    reembed: Reembed | None = field(default=None, repr=False)
    max_filter_points: int = 10_000
    on_report: Callable[[Report], None] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Options:
        """Options from what was given to ``wrap``. Raises UsageError naming what is wrong."""
        known = [one.name for one in fields(cls)]
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else "one of: " + ", ".join(known)
                raise UsageError(f"wrapping a Qdrant client knows no option {name!r}; {hint}")
        default = cls()
        options = cls(
            name=_name(given.get("name", default.name)),
            text_fields=_fields(given.get("text_fields"), "text_fields"),
            identifier_fields=frozenset(
                _fields(given.get("identifier_fields", IDENTIFIERS), "identifier_fields") or ()
            ),
            subject_field=_subject(given.get("subject_field", default.subject_field)),
            legacy=_word(Legacy, given.get("legacy", default.legacy), "legacy"),
            on_redact_vector=_word(
                OnRedactVector,
                given.get("on_redact_vector", default.on_redact_vector),
                "on_redact_vector",
            ),
            reembed=_reembed(given.get("reembed")),
            max_filter_points=_count(given.get("max_filter_points", default.max_filter_points)),
            on_report=_listener(given.get("on_report")),
        )
        if options.on_redact_vector is OnRedactVector.REEMBED and options.reembed is None:
            raise UsageError(
                "on_redact_vector='reembed' needs reembed=, a callable: texts -> vectors"
            )
        return options

    def is_identifier(self, field_path: str) -> bool:
        """Whether the text at a dotted path is judged but never rewritten."""
        if field_path in self.identifier_fields:
            return True
        if field_path.rpartition(".")[2] in self.identifier_fields:
            return True
        return self.text_fields is not None and not any(
            field_path == name or field_path.startswith(name + ".") for name in self.text_fields
        )


def _name(given: object) -> str:
    if not isinstance(given, str) or not given.strip() or "/" in given:
        raise UsageError("name is a word without a slash, such as 'support-memory'")
    return given


def _subject(given: object) -> str:
    if not isinstance(given, str):
        raise UsageError("subject_field is the name of a payload field, or an empty text")
    return given


def _fields(given: object, option: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Sequence | set | frozenset):
        raise UsageError(f"{option} is a list of payload fields, such as ['data', 'metadata.note']")
    if not all(isinstance(name, str) and name for name in given):
        raise UsageError(f"{option} holds something that is not the name of a payload field")
    return tuple(given)


def _word(kind: type[W], given: object, option: str) -> W:
    try:
        return kind(str(given))
    except ValueError:
        known = ", ".join(repr(one.value) for one in kind)
        raise UsageError(f"{option} cannot be what was given; one of: {known}") from None


def _reembed(given: object) -> Reembed | None:
    if given is not None and not callable(given):
        raise UsageError("reembed is a callable: texts in, one vector each out")
    return given


def _listener(given: object) -> Callable[[Report], None] | None:
    if given is not None and not callable(given):
        raise UsageError("on_report is a callable that takes a Report")
    return given


def _count(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise UsageError("max_filter_points is a number of points and at least 1")
    return given
