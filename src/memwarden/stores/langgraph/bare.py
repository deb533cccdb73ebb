"""The bare store as the review desk, the doctor and a rollback reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp

from memwarden.stores.langgraph.addresses import address, located
from memwarden.stores.rows.admitting import Found
from memwarden.stores.rows.held import HeldRow
from memwarden.stores.rows.payloads import Payload

_PAGE: Final = 256


@dataclass(frozen=True, slots=True)
class BareStore:
    """One LangGraph store by its rows. An async store answers from a thread other than its
    loop's, which is where a desk runs."""

    host: BaseStore = field(repr=False)

    def get(self, row_id: str) -> Mapping[str, object] | None:
        namespace, key = located(row_id)
        (item,) = self.host.batch([GetOp(namespace, key, refresh_ttl=False)])
        return None if item is None else cast("Item", item).value

    def put(self, held: HeldRow, fields: Payload) -> None:
        namespace, key = located(held.id)
        self.host.batch([put_op(namespace, key, fields, held.extra)])

    def delete(self, row_id: str) -> None:
        namespace, key = located(row_id)
        self.host.batch([PutOp(namespace, key, None)])

    def scan(self) -> Iterator[Found]:
        offset = 0
        while True:
            (page,) = self.host.batch([SearchOp((), limit=_PAGE, offset=offset, refresh_ttl=False)])
            items = cast("list[SearchItem]", page)
            yield from (found(item) for item in items)
            offset += len(items)
            if len(items) < _PAGE:
                return


def found(item: Item) -> Found:
    """An item as a row."""
    score = getattr(item, "score", None)
    return Found(
        address(item.namespace, item.key),
        item.value,
        tuple(item.namespace),
        None if score is None else float(score),
    )


def put_op(namespace: tuple[str, ...], key: str, fields: Payload, extra: Payload) -> PutOp:
    """The host's own operation, with the index and the life that the caller asked for."""
    index = cast("Any", extra.get("index"))
    ttl = cast("float | None", extra.get("ttl"))
    return PutOp(namespace, key, cast("dict[str, Any]", fields), index=index, ttl=ttl)


def extra_of(op: PutOp) -> Payload:
    """What a write needs beside its value, as JSON."""
    index = list(op.index) if isinstance(op.index, list | tuple) else op.index
    return {"index": cast("Any", index), "ttl": op.ttl}
