"""From a reader and a policy to the conditions that a memory must meet to be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memwarden.errors import ScopeError
from memwarden.keys import TenantKeys
from memwarden.model import Grant, Memory, ReadSetting
from memwarden.stamp import PLACE, SOURCE, SUBJECT, WRITER
from memwarden.warden.provenance import place_digest, subject_digest, writer_digest
from memwarden.warden.recall.reader import Reader, check_namespace
from memwarden.warden.scope import Clause, Condition, Scope

_ANYONE: Final = "*"
_NOBODY: Final = ""


def scope_of(
    reader: Reader | None,
    read: ReadSetting,
    keys: TenantKeys | None,
    *,
    namespace: tuple[str, ...] | None = None,
    of: str = "",
) -> Scope:
    """What may be read. ``of`` asks for one principal's memories only, ``namespace`` for one place.

    ``keys`` is None for a tenant that never wrote anything. Raises ScopeError for what is out of
    reach: another place than the reader's, a principal without a grant, and no reader at all
    where policy requires one.
    """
    place = _place(reader, namespace)
    if reader is None:
        if read.reader == "required":
            raise ScopeError(
                "this tenant's policy requires a recall to say who reads; pass reader=Reader(...)"
            )
        return Scope(place, _only(of, keys, ((),)) if of else None)
    grants = granted_to(reader, read)
    if of and of not in reader.names and not any(one.of in (of, _ANYONE) for one in grants):
        raise ScopeError(
            "this reader was granted no leave to read that principal's memories; declare it under"
            " read.grants"
        )
    clauses = _clauses(reader, read, grants, keys)
    return Scope(place, _only(of, keys, clauses) if of else clauses)


def granted_to(reader: Reader, read: ReadSetting) -> tuple[Grant, ...]:
    """The grants that name this reader or one of its groups."""
    whose = {*reader.names, *reader.groups}
    return tuple(grant for grant in read.grants if grant.reader in whose)


def fields_of(memory: Memory) -> dict[str, object]:
    """A memory's stamp as conditions see it. An unstamped one is of no source that is shared, so
    that what a broken stamp still says of its writer can only narrow who reads it."""
    return {
        SOURCE: memory.origin.source if memory.stamped else _NOBODY,
        WRITER: memory.writer,
        SUBJECT: memory.subject,
        PLACE: memory.place,
    }


def _place(reader: Reader | None, namespace: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if namespace is not None:
        check_namespace(namespace)
    own = reader.namespace if reader is not None else None
    if own is None or namespace is None:
        return namespace if own is None else own
    if own != namespace:
        raise ScopeError("the namespace asked for is not the reader's own; nothing was read")
    return own


def _clauses(
    reader: Reader, read: ReadSetting, grants: tuple[Grant, ...], keys: TenantKeys | None
) -> tuple[Clause, ...]:
    about = _about(reader.names, keys)
    own = _by((_NOBODY, *reader.names), keys)
    clauses: list[Clause] = [
        (Condition(SOURCE, read.shared), about),
        (own, about),
    ]
    if reader.principal:
        # What people said themselves they may read again, whoever it was about.
        clauses.append((_by((reader.principal,), keys),))
    clauses += [_granted(grant, reader, keys) for grant in grants]
    return tuple(clauses)


def _granted(grant: Grant, reader: Reader, keys: TenantKeys | None) -> Clause:
    where: Clause = ()
    if grant.namespace is not None:
        places = {place_digest(keys, grant.namespace)} if keys is not None else set()
        where = (Condition(PLACE, frozenset(places)),)
    if grant.of == _ANYONE:
        return where
    return (*where, _by((grant.of,), keys), _about((*reader.names, grant.of), keys))


def _by(names: Iterable[str], keys: TenantKeys | None) -> Condition:
    """Written by one of these."""
    return Condition(WRITER, frozenset(writer_digest(keys, name) for name in _known(names, keys)))


def _about(names: Iterable[str], keys: TenantKeys | None) -> Condition:
    """About nobody in particular, or about one of these."""
    known = _known((_NOBODY, *names), keys)
    return Condition(SUBJECT, frozenset(subject_digest(keys, name) for name in known))


def _known(names: Iterable[str], keys: TenantKeys | None) -> list[str]:
    """Without keys nothing was ever stamped, and only nobody has a digest."""
    return [name for name in names if keys is not None or not name]


def _only(of: str, keys: TenantKeys | None, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    return tuple((*clause, _by((of,), keys)) for clause in clauses)
