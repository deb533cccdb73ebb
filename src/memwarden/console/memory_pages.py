"""Memories: what is stored for whom, where it came from; delete one, forget or export a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from starlette.responses import Response

from memwarden.console.accounts import Role
from memwarden.console.marking import plain
from memwarden.console.visit import Refused, Visit
from memwarden.model import Memory
from memwarden.warden.removing import remove_memory

T = TypeVar("T")

_SHOWN = 50
_SCANNED = 100_000


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored memory, with the name of the store it lies in."""

    store: str
    memory: Memory = field(repr=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for. ``subject`` names a person, exactly; ``text`` is any words."""

    tenant: str
    subject: str = field(default="", repr=False)
    text: str = field(default="", repr=False)


def memories_page(visit: Visit) -> Response:
    """The form alone; looking for a person is a POST, so that no name lands in a history."""
    return _page(visit, Asked(_tenant(visit, visit.query("tenant"))), None)


def look(visit: Visit) -> Response:
    """The memories of a tenant, of one person, or with some words in them."""
    asked = _asked(visit)
    return _page(visit, asked, list(_first(_found(visit, asked), _SHOWN + 1)))


def delete(visit: Visit) -> Response:
    """Take one memory out of its store, on the record."""
    asked = _asked(visit, Role.REVIEWER)
    remove_memory(
        visit.house.warden,
        asked.tenant,
        visit.form.get("store", ""),
        visit.form.get("memory", ""),
        actor=visit.name,
        decision=visit.form.get("decision", "")[:64],
    )
    visit.note("memory.deleted")
    return _page(visit, asked, list(_first(_found(visit, asked), _SHOWN + 1)))


def export(visit: Visit) -> Response:
    """Everything that is stored about a person, as JSON."""
    asked = _asked(visit, Role.ADMIN)
    if not asked.subject:
        raise Refused(400, "refused.no_subject")
    told = {
        "tenant": asked.tenant,
        "subject": asked.subject,
        "memories": [_record(one) for one in _found(visit, asked)],
    }
    text = json.dumps(told, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace")
    headers = {"content-disposition": 'attachment; filename="memories.json"'}
    return Response(text, media_type="application/json", headers=headers)


def _page(visit: Visit, asked: Asked, found: list[Kept] | None) -> Response:
    return visit.page(
        "memories.html",
        asked=asked,
        found=None if found is None else found[:_SHOWN],
        more=found is not None and len(found) > _SHOWN,
        stores=tuple(visit.house.warden.stores),
        admin=visit.may(asked.tenant, Role.ADMIN),
    )


def _asked(visit: Visit, role: Role = Role.REVIEWER) -> Asked:
    form = visit.form
    tenant = _tenant(visit, form.get("tenant", ""), role)
    return Asked(tenant, form.get("subject", "").strip()[:500], form.get("text", "").strip()[:200])


def _tenant(visit: Visit, name: str, role: Role = Role.REVIEWER) -> str:
    if name:
        return visit.tenant(name, role)
    mine = [tenant for tenant in visit.tenants if visit.may(tenant, role)]
    if not mine:
        raise Refused(403, "refused.role", role=visit.say(f"role.{role.label}"))
    return mine[0]


def _found(visit: Visit, asked: Asked) -> Iterator[Kept]:
    """Stored memories by person and words, straight from the stores that can be reached."""
    warden = visit.house.warden
    keys = warden.books.keys_of(asked.tenant)
    if keys is None:
        return
    subject = keys.digest("subject", asked.subject) if asked.subject else ""
    for name, store in warden.stores.items():
        for stored in _first(store.scan(asked.tenant), _SCANNED):
            memory = warden.memory(asked.tenant, stored)
            mine = not subject or memory.subject == subject
            if mine and asked.text.casefold() in memory.text.casefold():
                yield Kept(name, memory)


def _first(found: Iterator[T], most: int) -> Iterator[T]:
    return islice(found, most)


def _record(one: Kept) -> dict[str, object]:
    memory = one.memory
    return {
        "store": one.store,
        "id": memory.memory_id,
        "text": plain(memory.text),
        "kind": memory.kind,
        "tier": memory.tier.label,
        "sensitivity": memory.sensitivity.label,
        "source": memory.origin.source,
        "stored_at": memory.stored_at.isoformat() if memory.stored_at else None,
        "valid_until": memory.valid_until.isoformat() if memory.valid_until else None,
        "decision": memory.decision_id,
    }
