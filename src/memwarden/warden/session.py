"""The warden as an adapter sees it: one tenant, one store, one ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.model import Candidate, Memory, Origin, Policy, Receipt
from memwarden.warden.books import Envelope
from memwarden.warden.ports import Stored

if TYPE_CHECKING:
    from memwarden.warden.core import Warden


@dataclass(frozen=True, slots=True)
class Session:
    """What an adapter needs: record before the host's write, settle after it, admit what is read.

    ``ceiling`` is what the store's unstated writes count as; ``believed`` is false where writes
    arrive over a wire and a source counts only with a capability.
    """

    warden: Warden
    tenant: str
    ceiling: Origin | None = None
    believed: bool = True

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

    def admit(self, memories: Sequence[Memory]) -> list[Memory | None]:
        """The memories that may be given out, by position; None where one is withheld."""
        return [
            admission.memory if admission.withheld is None else None
            for admission in self.warden.admit(memories, tenant=self.tenant)
        ]
