"""One recall: under which policy, for whom, how far it reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memwarden.keys import TenantKeys
from memwarden.model import Memory, Policy, Sensitivity
from memwarden.warden.provenance import place_digest, writer_digest
from memwarden.warden.recall.reader import Reader
from memwarden.warden.recall.scoping import fields_of
from memwarden.warden.recall.windows import Withheld
from memwarden.warden.scope import Scope


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for. ``store`` is the name of the store that answers."""

    policy: Policy
    reader: Reader | None
    keys: TenantKeys | None = field(repr=False)
    scope: Scope
    ceiling: Sensitivity
    store: str
    now: datetime

    @property
    def tenant(self) -> str:
        return self.policy.tenant

    @property
    def own(self) -> frozenset[str]:
        """The writer digest of the reader's own principal."""
        if self.reader is None or not self.reader.principal:
            return frozenset()
        return frozenset((writer_digest(self.keys, self.reader.principal),))


@dataclass(frozen=True, slots=True)
class Vetted:
    """A memory that came back, with the namespace it lay in (None: only its stamp knows).

    ``suspect`` says that what speaks against it today is worth a reviewer's time.
    """

    memory: Memory
    namespace: tuple[str, ...] | None
    withheld: Withheld | None = None
    suspect: bool = False


def in_scope(memory: Memory, namespace: tuple[str, ...] | None, asked: Asked) -> bool:
    """Whether what came back is what was asked for, by place and by whose it is."""
    scope = asked.scope
    if not scope.allows(fields_of(memory)):
        return False
    if namespace is not None:
        if scope.namespace is not None and namespace != scope.namespace:
            return False
        return not memory.stamped or _lies_where_written(memory, namespace, asked)
    if scope.namespace is None:
        return True
    return memory.stamped and _lies_where_written(memory, scope.namespace, asked)


def _lies_where_written(memory: Memory, namespace: tuple[str, ...], asked: Asked) -> bool:
    """A memory that was moved to another place is in nobody's scope."""
    return asked.keys is not None and memory.place == place_digest(asked.keys, namespace)
