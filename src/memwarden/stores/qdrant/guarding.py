"""What every operation of one wrapped client works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memwarden.errors import UsageError
from memwarden.stores.qdrant.filters import scoped
from memwarden.stores.qdrant.options import Options
from memwarden.stores.qdrant.places import Place
from memwarden.stores.rows.options import Legacy
from memwarden.stores.rows.payloads import tenant_of
from memwarden.stores.rows.report import ReportBox
from memwarden.warden.scope import Clause
from memwarden.warden.session import Session

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient, QdrantClient
    from qdrant_client.http.models import Filter

    Host = QdrantClient | AsyncQdrantClient


@dataclass(frozen=True, slots=True, eq=False)
class Guarding:
    """One tenant's view of one client.

    ``blocking`` is false for a remote async client, which the review desk cannot call.
    ``readable`` is what the reader of the present call may be given; None where none is stated.
    """

    session: Session
    options: Options
    host: Host = field(repr=False)
    blocking: bool
    readable: tuple[Clause, ...] | None = None
    reports: ReportBox = field(default_factory=ReportBox)
    places: set[Place] = field(default_factory=set, repr=False)

    @property
    def tenant(self) -> str:
        return self.session.tenant

    def store(self, collection: str) -> str:
        """How ledger and queue call a collection; the desk can write into it from now on."""
        name = f"{self.options.name}/{collection}"
        if self.blocking:
            place = Place(name, collection, self.host, self.options)
            self.session.warden.register_store(place)
            self.places.add(place)
        return name

    def forget_places(self) -> None:
        """The client is closed: the desk cannot write into it any more."""
        while self.places:
            self.session.warden.forget_store(self.places.pop())

    def own(self, given: object = None) -> Filter:
        """A caller's filter, narrowed to what this tenant, and its present reader, may see."""
        return scoped(given, self.tenant, self.options.legacy, self.readable)

    def is_foreign(self, payload: Mapping[str, object] | None) -> bool:
        """Whether a stored point belongs to another tenant, or to nobody where that counts."""
        label = tenant_of(payload)
        if label is None:
            return self.options.legacy is Legacy.EXCLUDE
        return label != self.tenant


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the client: the method, and the arguments that the caller really gave."""

    method: str
    given: Mapping[str, object] = field(repr=False)

    @property
    def collection(self) -> str:
        name = self.given.get("collection_name")
        if not isinstance(name, str):
            raise UsageError(f"{self.method} needs the name of a collection")
        return name

    def get(self, argument: str, default: object = None) -> object:
        return self.given.get(argument, default)

    def number(self, argument: str, default: int) -> int:
        """A whole number; what is none goes to the host, which has its own words for that."""
        value = self.given.get(argument, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def changed(self, **arguments: object) -> dict[str, object]:
        """The arguments with some replaced, as they go to the host."""
        return {**self.given, **arguments}

    def only(self, *arguments: str) -> dict[str, object]:
        """Those of the named arguments that were given."""
        return {name: self.given[name] for name in arguments if name in self.given}
