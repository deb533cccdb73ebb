"""Collections: their names and descriptions are text as well, and their end is everybody's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from memwarden.errors import ScopeError
from memwarden.model import Action, Candidate, Decision, Memory, Part, PartRole, Receipt
from memwarden.stores.qdrant.filters import mine
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.held import Held, How, pack
from memwarden.stores.rows.driving import Steps, ask, work
from memwarden.stores.rows.options import Legacy
from memwarden.stores.rows.payloads import plain
from memwarden.stores.rows.report import Refusal, refused

if TYPE_CHECKING:
    from qdrant_client.http.models import CollectionInfo, CountResult

_ELSEWHERE: Final = "names"


def named(g: Guarding, call: Call) -> Steps[object]:
    """Judge every text among the arguments, then let the host act; nothing is rewritten.

    A name, an alias, a description or a stop word would otherwise be a way to store anything.
    """
    yield from work(partial(_judge_names, g, call))
    return (yield from ask(call.method, call.given))


def recreate(g: Guarding, call: Call) -> Steps[object]:
    """``recreate_collection``: a deletion and a creation."""
    yield from _check_alone(g, call)
    return (yield from named(g, call))


def ended(g: Guarding, call: Call) -> Steps[object]:
    """Delete a collection, or a vector of all its points, if nothing there is another tenant's."""
    yield from _check_alone(g, call)
    return (yield from ask(call.method, call.given))


def described(g: Guarding, call: Call) -> Steps[object]:
    """``get_collection``: the description is given out only if a memory like it would be."""
    info = cast("CollectionInfo", (yield from ask(call.method, call.given)))
    metadata = getattr(info.config, "metadata", None)
    if not metadata:
        return info
    memory = Memory(tuple(_texts({"metadata": metadata})))
    told = yield from work(lambda: g.session.admit([memory]))
    if told[0] is None:
        config = info.config.model_copy(update={"metadata": None})
        return info.model_copy(update={"config": config})
    return info


def _judge_names(g: Guarding, call: Call) -> None:
    parts = tuple(_texts(call.given))
    if not parts:
        return
    held = Held(How.NAMES, str(call.get("collection_name", "")), 0, {})
    candidate = Candidate(parts, namespace=(_ELSEWHERE,), memory_id=_ELSEWHERE, host=pack(held))
    store = f"{g.options.name}/{_ELSEWHERE}"
    envelope = g.session.intend([candidate], store=store, operation=call.method)
    (decision,) = envelope.decisions
    if decision.action.stores:
        receipt = Receipt(decision.id, True, store, 0, _ELSEWHERE)
        g.session.settle(envelope, [receipt])
    if decision.action is not Action.ALLOW:
        raise refused([_refusal(decision)], 1, f"{call.method} was not carried out")


def _refusal(decision: Decision) -> Refusal:
    return Refusal(0, decision.id, decision.action)


def _texts(given: Mapping[str, object]) -> Iterator[Part]:
    """Every text among arguments of any sort, each once, as an identifier."""
    seen: set[str] = set()
    for text in _strings(json.loads(json.dumps(_as_json(given)))):
        if text and text not in seen:
            seen.add(text)
            yield Part(f"/{len(seen)}", text, PartRole.IDENTIFIER)


def _as_json(given: Mapping[str, object]) -> object:
    return plain({"arguments": _listed(given)})


def _listed(value: object) -> object:
    """Messages of gRPC as dictionaries; everything else is for the payload's own rules."""
    from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
    from google.protobuf.message import Message  # type: ignore[import-untyped]

    if isinstance(value, Message):
        return MessageToDict(value)
    if isinstance(value, Mapping):
        return {name: _listed(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(inner) for inner in value]
    return value


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _check_alone(g: Guarding, call: Call) -> Steps[None]:
    from qdrant_client.http import models

    where = {"collection_name": call.collection}
    if not (yield from ask("collection_exists", where)):
        return
    others = models.Filter(must_not=[mine(g.tenant, Legacy.INCLUDE)])
    counted = cast(
        "CountResult",
        (yield from ask("count", {**where, "count_filter": others, "exact": True})),
    )
    if counted.count:
        raise ScopeError(
            f"{call.method} would reach {counted.count} points of other tenants in"
            f" {call.collection!r}; nothing was done, delete your own points instead"
        )
