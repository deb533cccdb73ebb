"""The memory server as the review desk reaches it: an approved memory is written by a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from memwarden.errors import UsageError, WriteRefused
from memwarden.model import Candidate
from memwarden.stores.rows.held import unpack
from memwarden.stores.rows.payloads import Payload, with_texts
from memwarden.warden.ports import Stored

Caller = Callable[[str, Payload], bool]
"""(tool, arguments): call the server; whether it did what was asked."""


@dataclass(frozen=True, slots=True)
class McpPlace:
    """One memory server by name."""

    name: str
    call: Caller = field(repr=False, compare=False)

    def put(self, tenant: str, memories: Sequence[Stored]) -> None:  # noqa: ARG002 one tenant a proxy
        """Call the tools again for what a reviewer approved.

        Raises WriteRefused where the server does not do it; what is already written stays.
        """
        for memory in memories:
            held = unpack(memory.host)
            tool = cast("str", held.extra["tool"])
            if not self.call(tool, with_texts(held.fields, memory.parts)):
                raise WriteRefused(f"the memory server refused the approved call of {tool}")

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None:  # noqa: ARG002
        """There is no deletion that every memory server understands."""
        raise UsageError(
            "an MCP server has no deletion that memwarden knows; delete the memory with the"
            " server's own tool"
        )

    def take_back(self, tenant: str, candidate: Candidate) -> None:
        """As ``delete``."""
        self.delete(tenant, [candidate.memory_id])

    def scan(self, tenant: str) -> Iterator[Stored]:  # noqa: ARG002
        """What a server holds cannot be listed in a way that all servers share."""
        return iter(())
