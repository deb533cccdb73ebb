"""The warden as an adapter sees it: one tenant, one store, one ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.model import Candidate, Memory, Origin, Policy, Receipt
from memwarden.warden.books import Envelope
from memwarden.warden.ports import Stored
from memwarden.warden.recall import Reader, reading_now
from memwarden.warden.scope import Scope

if TYPE_CHECKING:
    from memwarden.warden.core import Warden


@dataclass(frozen=True, slots=True)
class Session:
    """What an adapter needs: record before the host's write, settle after it, admit what is read.

    ``ceiling`` is what the store's unstated writes count as; ``believed`` is false where writes
    arrive over a wire and a source counts only with a capability. ``reader`` is for whom it reads
    where no ``reading`` scope says otherwise.
    """

    warden: Warden
    tenant: str
    ceiling: Origin | None = None
    believed: bool = True
    reader: Reader | None = None

    @property
    def policy(self) -> Policy:
        """The tenant's policy as it is now."""
        return self.warden.chain.policy(self.tenant)

    def intend(self, candidates: Sequence[Candidate], *, store: str, operation: str) -> Envelope:
        """Judge and record; durable on return. Nothing may reach the host before."""
        return self.warden.intend(
            candidates,
            tenant=self.tenant,
            store=store,
            operation=operation,
            ceiling=self.ceiling,
            believed=self.believed,
        )

    def settle(self, envelope: Envelope, receipts: Sequence[Receipt]) -> None:
        """Say what the host did with every decision that was to be stored."""
        self.warden.books.settle(envelope, receipts)

    def memory(self, memory_id: str, stored: Stored, *, bound_id: bool = True) -> Memory:
        """A memory as its stamp attests it. ``bound_id`` is false for hosts that name a memory
        only after storing it, so that its stamp binds the text alone."""
        return self.warden.memory(self.tenant, stored, stamp_id=memory_id if bound_id else "")

    def admit(self, memories: Sequence[Memory], *, store: str = "") -> list[Memory | None]:
        """The memories that may be given out, by position; None where one is withheld.

        ``store`` is the name under which the host is registered: what has to be reviewed is put
        before the desk in its name. Raises ScopeError or ReadLimit; then give nothing out.
        """
        admitted = self.warden.admit(
            memories, tenant=self.tenant, reader=reading_now() or self.reader, store=store
        )
        return [one.memory if one.withheld is None else None for one in admitted]

    def scope(self) -> Scope:
        """What the present reader may be given, to be put into the host's own query: its stamp
        fields (``src``, ``by``, ``who``, ``ns``) must meet one of the clauses, if there are any.

        Raises ScopeError where policy requires a reader and none is stated.
        """
        return self.warden.scope(self.tenant, reading_now() or self.reader)
