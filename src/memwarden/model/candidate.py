"""What somebody wants remembered, and where it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from memwarden.errors import UsageError

Span = tuple[int, int]
"""Half-open range of code points in an original part."""

UNSTATED: Final = "unstated"
"""The source of an origin that nobody stated. No policy can raise it above untrusted."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a candidate came from.

    ``source`` is a word that policy maps to a tier (user, tool, agent, document, web, ...).
    ``derived_from`` holds the decision ids of the memories it was made of; a derived memory is
    never trusted further than the least of them. ``capability`` is a signed writer capability,
    needed by writers that are not the owner of the process.
    """

    source: str = UNSTATED
    principal: str = field(default="", repr=False)
    session: str = field(default="", repr=False)
    derived_from: tuple[str, ...] = ()
    capability: str = field(default="", repr=False)


class PartRole(StrEnum):
    """What a part is to its host. Only texts may be rewritten."""

    TEXT = "text"
    KEY = "key"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a write: ``path`` is a JSON pointer (RFC 6901) into the host's payload."""

    path: str
    text: str = field(repr=False)
    role: PartRole = PartRole.TEXT


MAIN_PATH: Final = "/text"
"""The path of the only part of a candidate made from a plain string."""


@dataclass(frozen=True, slots=True, init=False)
class Candidate:
    """A memory that somebody wants written.

    ``Candidate("Sam is allergic to peanuts", origin=Origin(source="user"))`` makes a candidate
    with one part; adapters pass every text field and key of the host's write as its own part.
    ``subject`` names the person it is about (their key seals it), ``namespace`` the place inside
    the tenant, ``memory_id`` the host's own id where it has one. ``host`` is whatever else an
    adapter needs to perform the write later, when a reviewer approves it (a vector, a target).
    """

    parts: tuple[Part, ...]
    origin: Origin
    subject: str = field(repr=False)
    namespace: tuple[str, ...]
    memory_id: str
    host: str = field(repr=False)

    def __init__(
        self,
        content: str | Iterable[Part],
        *,
        origin: Origin | None = None,
        subject: str = "",
        namespace: tuple[str, ...] = (),
        memory_id: str = "",
        host: str = "",
    ) -> None:
        parts = (Part(MAIN_PATH, content),) if isinstance(content, str) else tuple(content)
        paths = [part.path for part in parts]
        if len(set(paths)) != len(paths):
            raise UsageError("two parts of one candidate have the same path; give each its own")
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "origin", origin or Origin())
        object.__setattr__(self, "subject", subject)
        object.__setattr__(self, "namespace", namespace)
        object.__setattr__(self, "memory_id", memory_id)
        object.__setattr__(self, "host", host)

    @property
    def text(self) -> str:
        """The rewritable texts, one a line: what a person would call the memory."""
        return "\n".join(part.text for part in self.parts if part.role is PartRole.TEXT)

    def part(self, path: str) -> Part:
        for part in self.parts:
            if part.path == path:
                return part
        raise UsageError(f"the candidate has no part at {path}")

    def with_parts(self, parts: Iterable[Part]) -> Candidate:
        """The same candidate with other parts (after a cut or a redaction)."""
        return self._changed(parts=tuple(parts))

    def with_origin(self, origin: Origin) -> Candidate:
        """The same candidate with the origin that was attested."""
        return self._changed(origin=origin)

    def with_id(self, memory_id: str) -> Candidate:
        """The same candidate under the id that a store knows it by."""
        return self._changed(memory_id=memory_id)

    def _changed(
        self,
        *,
        parts: tuple[Part, ...] | None = None,
        origin: Origin | None = None,
        memory_id: str | None = None,
    ) -> Candidate:
        return Candidate(
            self.parts if parts is None else parts,
            origin=self.origin if origin is None else origin,
            subject=self.subject,
            namespace=self.namespace,
            memory_id=self.memory_id if memory_id is None else memory_id,
            host=self.host,
        )
