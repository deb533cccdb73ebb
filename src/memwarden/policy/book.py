"""The policies of every tenant: opened once, swapped whole when they change."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from memwarden.errors import Mistake, PolicyError, UnknownTenant
from memwarden.model import Policy
from memwarden.policy.compile import Effective, compile_policy
from memwarden.policy.complain import tidy
from memwarden.policy.document import LOCAL, Document
from memwarden.policy.guarding import GuardShop
from memwarden.policy.merge import BASE, BUNDLED, chain_of
from memwarden.policy.registry import GuardSource, InstalledGuards
from memwarden.policy.shelf import Shelf, read_shelf
from memwarden.policy.vocabulary import name_fault


class PolicyBook:
    """The compiled policies of a folder. Reading is safe from any thread.

    ``PolicyBook.open("policies/")`` compiles every tenant in the folder, or raises PolicyError
    with every mistake in every file. Without a path there are no tenants but ``local``, which
    has the base policy that ships. ``guards`` says where guards come from; by default, installed
    packages.
    """

    def __init__(self, path: Path | None, guards: GuardSource) -> None:
        self._path = path
        self._guards = guards
        self._lock = threading.Lock()
        self._tenants = _load(path, guards)

    @classmethod
    def open(
        cls, path: str | Path | None = None, *, guards: GuardSource | None = None
    ) -> PolicyBook:
        """Compile every policy at ``path`` (a folder, or one file and what it builds on)."""
        return cls(None if path is None else Path(path), guards or InstalledGuards())

    @property
    def tenants(self) -> tuple[str, ...]:
        """The tenants that files define, sorted; not the reserved ``local``."""
        return tuple(sorted(self._tenants.keys() - {LOCAL}))

    def tenant(self, name: str) -> Policy:
        """The policy of one tenant, by its exact name. Raises UnknownTenant."""
        return self.effective(name).policy

    def effective(self, name: str) -> Effective:
        """The policy of one tenant with the place each setting came from."""
        if not isinstance(name, str) or not name:
            raise UnknownTenant("no tenant was named; name one, there is no default")
        found = self._tenants.get(name)
        if found is not None:
            return found
        fault = name_fault(name)
        if fault:
            raise UnknownTenant(f"the tenant name {fault}")
        raise UnknownTenant(
            f"no policy names the tenant {name!r}; names are compared exactly. "
            f"Add `tenant: {name}` to a policy file"
        )

    def reload(self) -> None:
        """Read everything again. On PolicyError the policies that were in force stay in force."""
        with self._lock:
            self._tenants = _load(self._path, self._guards)


def _load(path: Path | None, guards: GuardSource) -> Mapping[str, Effective]:
    shelf, mistakes = read_shelf(path)
    tenants: dict[str, Effective] = {}
    shop = GuardShop(guards)
    compiled: set[str] = set()
    for tenant, document in _wanted(shelf.documents):
        chain, wrong = chain_of(document, shelf.documents, shelf.broken)
        mistakes += wrong
        if not chain:
            continue
        compiled.update(link.stem for link in chain)
        effective, wrong = compile_policy(tenant, chain, shop)
        mistakes += wrong
        if effective is not None:
            tenants[tenant] = effective
    mistakes += _loose_layers(shelf, compiled, shop)
    if mistakes:
        raise PolicyError(tidy(mistakes))
    return MappingProxyType(tenants)


def _wanted(documents: Mapping[str, Document]) -> list[tuple[str, Document]]:
    wanted = [(LOCAL, documents[BASE])] if BASE in documents else []
    wanted += [(d.tenant, d) for _, d in sorted(documents.items()) if d.tenant]
    return wanted


def _loose_layers(shelf: Shelf, compiled: set[str], shop: GuardShop) -> list[Mistake]:
    """Files that no tenant builds on are checked too: they are somebody's next base."""
    mistakes: list[Mistake] = []
    for stem, document in sorted(shelf.documents.items()):
        if stem in compiled or document.tenant or stem == BUNDLED:
            continue
        chain, wrong = chain_of(document, shelf.documents, shelf.broken)
        mistakes += wrong
        if chain:
            mistakes += compile_policy(LOCAL, chain, shop)[1]
    return mistakes
