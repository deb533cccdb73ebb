"""Qdrant: a client that stays a Qdrant client, sync or async, with every route guarded.

    client = warden.wrap(QdrantClient(path="memory"), tenant="acme", origin="user")
    client.upsert("notes", [PointStruct(id=1, vector=[...], payload={"text": "..."})])

Writes are judged before they reach the store, reads are narrowed to the tenant and verified, and
what nobody guards is refused by name. See docs/stores/qdrant.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar, cast

from memwarden.errors import UsageError
from memwarden.stores.qdrant.options import Options
from memwarden.stores.rows.report import Refusal, Report

if TYPE_CHECKING:
    from memwarden.warden.session import Session

T = TypeVar("T")

__all__ = ["ADAPTER", "Options", "QdrantAdapter", "Refusal", "Report"]


class QdrantAdapter:
    """Guards ``QdrantClient`` and ``AsyncQdrantClient``; found by entry point."""

    def wrap(self, session: Session, host: T, options: Mapping[str, object]) -> T:
        """A guarded client. The bare one is left as it is; whoever still holds it is unguarded.

        Raises UsageError for an object that is no client, is guarded already, or for an option
        that makes no sense.
        """
        from qdrant_client import AsyncQdrantClient, QdrantClient
        from qdrant_client.local.async_qdrant_local import AsyncQdrantLocal

        from memwarden.stores.qdrant.face import face, is_guarded
        from memwarden.stores.qdrant.guarding import Guarding

        if is_guarded(host):
            raise UsageError("this Qdrant client is guarded already; wrap the bare client")
        if not isinstance(host, QdrantClient | AsyncQdrantClient):
            raise UsageError(
                f"a {type(host).__name__} cannot be guarded; wrap the QdrantClient or"
                " AsyncQdrantClient that it belongs to"
            )
        waits = isinstance(host, AsyncQdrantClient) and not isinstance(
            host._client, AsyncQdrantLocal
        )
        guarding = Guarding(
            session,
            Options.of(options, host="a Qdrant client", name="qdrant"),
            host,
            blocking=not waits,
        )
        return cast("T", face(guarding))


ADAPTER: Final = QdrantAdapter()
