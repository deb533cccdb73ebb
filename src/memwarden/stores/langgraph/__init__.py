"""LangGraph: a store that stays a BaseStore, whatever lies behind it.

    store = warden.wrap(InMemoryStore(), tenant="acme", origin="user")
    graph = builder.compile(store=store)

Everything a BaseStore can do goes through ``batch`` and ``abatch``, so these two are guarded; what
a store offers beyond them and nobody guards is refused by name. See docs/stores/langgraph.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar, cast

from memwarden.errors import UsageError
from memwarden.stores.rows.options import RowOptions
from memwarden.stores.rows.report import Refusal, Report

if TYPE_CHECKING:
    from memwarden.warden.session import Session

T = TypeVar("T")

__all__ = ["ADAPTER", "LangGraphAdapter", "Refusal", "Report", "RowOptions"]


class LangGraphAdapter:
    """Guards any ``BaseStore``; found by entry point."""

    def wrap(self, session: Session, host: T, options: Mapping[str, object]) -> T:
        """A guarded store. The bare one is left as it is; whoever still holds it is unguarded.

        Raises UsageError for an object that is no store, is guarded already, or for an option
        that makes no sense.
        """
        from langgraph.store.base import BaseStore

        from memwarden.stores.langgraph.guarded import GuardedStore, guard_of

        if isinstance(host, GuardedStore):
            raise UsageError("this store is guarded already; wrap the bare store")
        if not isinstance(host, BaseStore):
            raise UsageError(
                f"a {type(host).__name__} cannot be guarded; wrap the BaseStore that it belongs to"
            )
        chosen = RowOptions.of(options, host="a LangGraph store", name="langgraph")
        return cast("T", GuardedStore(guard_of(session, host, chosen), host))


ADAPTER: Final = LangGraphAdapter()
