"""One batch of a store's operations, guarded: the same account for ``batch`` and ``abatch``.

The host's batch is one transaction for the caller: nothing of it reaches the host before all of
its writes are judged, and its results keep their positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from memwarden.errors import ScopeError, UnguardedOperation
from memwarden.stores.langgraph.addresses import address
from memwarden.stores.langgraph.bare import extra_of, put_op
from memwarden.stores.langgraph.namespaces import listed
from memwarden.stores.langgraph.searching import searched, shown_items
from memwarden.stores.rows import batch as rows
from memwarden.stores.rows.changing import replacing
from memwarden.stores.rows.driving import Steps, ask, work
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.payloads import plain

_GUARDED: Final = (GetOp, SearchOp, PutOp, ListNamespacesOp)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call: which of the host's two methods, on which store."""

    method: str
    host: BaseStore


def operate(guard: RowGuard, call: Asked, ops: Sequence[Op]) -> Steps[list[Result]]:
    """Judge the writes of a batch, perform it, and give out what may be given out."""
    check_known(ops)
    puts = [(at, op) for at, op in enumerate(ops) if isinstance(op, PutOp)]
    held = yield from _held(call, [op for _, op in puts])
    check_deletions(guard, puts, held)
    writes = [(at, op) for at, op in puts if op.value is not None]
    batch = yield from work(partial(_judged, guard, writes, held))
    report = yield from work(partial(rows.refuse_or_report, guard, batch))
    if writes:
        yield from work(partial(rows.reported, guard, report))
    results = yield from _performed(guard, call, ops, batch)
    return results


def check_known(ops: Sequence[Op]) -> None:
    """Refuse what a newer host could have added, and namespaces that ``put`` would refuse."""
    for op in ops:
        if type(op) not in _GUARDED:
            raise UnguardedOperation(
                f"a {type(op).__name__} is not guarded by memwarden, so it is refused; nothing was"
                " written or read"
            )
        if isinstance(op, PutOp):
            _check_labels(op.namespace)


def _check_labels(namespace: tuple[str, ...]) -> None:
    """The host checks these in ``put`` and not in ``batch``."""
    if not namespace or not all(isinstance(one, str) and one for one in namespace):
        raise InvalidNamespaceError("a namespace is a tuple of texts, none of them empty")


def check_deletions(
    guard: RowGuard, puts: Sequence[tuple[int, PutOp]], held: Mapping[str, Mapping[str, object]]
) -> None:
    """Raise ScopeError if a deletion names another tenant's memory."""
    for _, op in puts:
        stored = held.get(address(op.namespace, op.key))
        if op.value is None and stored is not None and guard.is_foreign(stored):
            raise ScopeError("the memory to be deleted belongs to another tenant; nothing was done")


def _held(call: Asked, puts: Sequence[PutOp]) -> Steps[dict[str, Mapping[str, object]]]:
    """What the host holds now under the keys that are to be written."""
    places = {address(op.namespace, op.key): op for op in puts}
    if not places:
        return {}
    gets = [GetOp(op.namespace, op.key, refresh_ttl=False) for op in places.values()]
    items = cast("list[Item | None]", (yield from ask(call.method, {"ops": gets})))
    return {one: item.value for one, item in zip(places, items, strict=True) if item is not None}


def _judged(
    guard: RowGuard,
    writes: Sequence[tuple[int, PutOp]],
    held: Mapping[str, Mapping[str, object]],
) -> rows.Batch:
    drafts = []
    for at, op in writes:
        one = address(op.namespace, op.key)
        row = rows.Row(at, one, plain(op.value), tuple(op.namespace), extra=extra_of(op))
        drafts.append(replacing(guard, row, held.get(one)))
    return rows.judged(guard, drafts, "put")


def _performed(
    guard: RowGuard, call: Asked, ops: Sequence[Op], batch: rows.Batch
) -> Steps[list[Result]]:
    told, kept = _for_the_host(call, ops, batch)
    try:
        answers = cast("list[Result]", (yield from ask(call.method, {"ops": told})))
    except Exception as error:
        why = f"the store raised {type(error).__name__}"
        yield from work(partial(rows.not_stored, guard, batch, why))
        raise
    yield from work(partial(rows.stored, guard, batch))
    results: list[Result] = [None] * len(ops)
    for at, answer in zip(kept, answers, strict=True):
        results[at] = yield from _given_out(guard, call, ops[at], answer)
    return results


def _for_the_host(call: Asked, ops: Sequence[Op], batch: rows.Batch) -> tuple[list[Op], list[int]]:
    """The operations that the host performs, and the caller's position of each."""
    written = {one.row.position: one for one in batch.written}
    told: list[Op] = []
    kept: list[int] = []
    for at, op in enumerate(ops):
        if isinstance(op, PutOp) and op.value is not None:
            ruled = written.get(at)
            if ruled is None or ruled.fields is None:
                continue
            made = put_op(op.namespace, op.key, ruled.fields, ruled.row.extra)
            told.append(made._replace(index=_index(call.host, op)))
        else:
            told.append(op)
        kept.append(at)
    return told, kept


def _index(host: BaseStore, op: PutOp) -> object:
    """What is embedded: the caller's fields, never memwarden's own.

    A store that embeds whole values would embed the stamp with them, so it is asked for each of
    the value's own fields instead.
    """
    config = cast("Mapping[str, object] | None", getattr(host, "index_config", None))
    if op.index is False or not config:
        return op.index
    asked = op.index if op.index is not None else config.get("fields") or ["$"]
    named = [name for name in cast("Sequence[str]", asked) if name != "$"]
    if len(named) == len(cast("Sequence[str]", asked)):
        return op.index
    return [*named, *(name for name in op.value or {} if name not in named)]


def _given_out(guard: RowGuard, call: Asked, op: Op, answer: Result) -> Steps[Result]:
    if isinstance(op, GetOp):
        item = cast("Item | None", answer)
        return (yield from _one(guard, item)) if item is not None else None
    if isinstance(op, SearchOp):
        return (yield from searched(guard, call.method, op, cast("list[SearchItem]", answer)))
    if isinstance(op, ListNamespacesOp):
        return (yield from listed(guard, call.method, op, cast("list[tuple[str, ...]]", answer)))
    return answer


def _one(guard: RowGuard, item: Item) -> Steps[Item | None]:
    (shown,) = yield from work(partial(shown_items, guard, [item]))
    return shown
