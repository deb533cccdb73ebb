"""Who reads: stated per recall or by a scope around it, and the highest sensitivity they get."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from memwarden.errors import ScopeError
from memwarden.model import ReadSetting, Sensitivity


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a recall reads.

    ``principal`` is the person, ``agent`` the agent that reads for them or for itself; at least
    one has a name, for a user id that got lost on the way must not read everybody's memory.
    ``groups`` are what policy gives grants and ceilings to. ``namespace`` is the one place it may
    read (None: all of the tenant). ``ceiling`` lowers what policy allows, never raises it;
    ``consent`` says that the person agreed to the use of more sensitive memories.

    A Reader is believed, like everything that the process's own code says: whoever serves a
    network builds it from what was authenticated, never from what a request claims.
    Raises ScopeError for a missing name or namespace segment.
    """

    principal: str = field(default="", repr=False)
    agent: str = ""
    groups: tuple[str, ...] = ()
    namespace: tuple[str, ...] | None = field(default=None, repr=False)
    ceiling: Sensitivity = Sensitivity.RESTRICTED
    consent: bool = False

    def __post_init__(self) -> None:
        if not self.names:
            raise ScopeError(
                "a reader needs the name of its principal or its agent; nothing was read"
            )
        for name in (self.principal, self.agent, *self.groups):
            if not isinstance(name, str):
                raise ScopeError(f"a reader's name is a text, not a {type(name).__name__}")
        if self.namespace is not None:
            check_namespace(self.namespace)

    @property
    def names(self) -> tuple[str, ...]:
        """The principal and the agent, as far as they are stated."""
        return tuple(name for name in (self.principal, self.agent) if name)


def check_namespace(namespace: tuple[str, ...]) -> None:
    """Refuse a namespace with a segment missing: it would be another place than the one meant."""
    if not isinstance(namespace, tuple):
        raise ScopeError(
            f"a namespace is a tuple of segments, not a {type(namespace).__name__};"
            " nothing was read"
        )
    for at, segment in enumerate(namespace):
        if not isinstance(segment, str) or not segment:
            raise ScopeError(
                f"segment {at + 1} of the namespace is missing or no text; nothing was read"
            )


_reader: ContextVar[Reader | None] = ContextVar("memwarden_reader", default=None)


@contextmanager
def reading(reader: Reader) -> Iterator[Reader]:
    """State for whom everything inside the ``with`` block reads."""
    token = _reader.set(reader)
    try:
        yield reader
    finally:
        _reader.reset(token)


def reading_now() -> Reader | None:
    """The reader stated by the scope around the caller."""
    return _reader.get()


def ceiling_for(
    read: ReadSetting, reader: Reader | None, asked: Sensitivity | None = None
) -> Sensitivity:
    """The highest sensitivity that this read gives out.

    What policy says of the agent or principal by name (the lower of the two) comes before what it
    says of their groups (the highest), and that before the general ceiling with or without
    consent. The reader and the caller can only lower it.
    """
    if reader is None:
        return min(read.ceiling, Sensitivity.RESTRICTED if asked is None else asked)
    limits = [_from_policy(read, reader), reader.ceiling]
    return min(limits if asked is None else (*limits, asked))


def _from_policy(read: ReadSetting, reader: Reader) -> Sensitivity:
    by_name = [read.ceilings[name] for name in reader.names if name in read.ceilings]
    if by_name:
        return min(by_name)
    by_group = [read.ceilings[name] for name in reader.groups if name in read.ceilings]
    if by_group:
        return max(by_group)
    if reader.consent and read.with_consent is not None:
        return max(read.ceiling, read.with_consent)
    return read.ceiling
