"""The doctor: what a crash left between an intent and its receipt, and how to close it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import partial

from memwarden.ledger import (
    Diagnosis,
    Leaf,
    Presence,
    append,
    diagnose,
    unfinished,
)
from memwarden.warden.books import Books
from memwarden.warden.ports import Writable


def examine(
    books: Books, stores: Mapping[str, Writable], *, patience: float = 60.0
) -> tuple[Diagnosis, ...]:
    """A diagnosis for every unfinished envelope, oldest first.

    Envelopes of stores that are not among ``stores`` stay undecided: run the doctor where those
    stores can be opened. ``patience`` is how many seconds an envelope may still be under way.
    """
    with books.database.read() as conn:
        envelopes = unfinished(conn, datetime.now(UTC))
    found: list[Diagnosis] = []
    for tenant in sorted({envelope.tenant for envelope in envelopes}):
        present = {name: _present(books, store, tenant) for name, store in stores.items()}

        def ask(
            store: str, leaf: Leaf, present: Mapping[str, frozenset[str]] = present
        ) -> Presence:
            if store not in present:
                return Presence.UNREACHABLE
            return Presence.STORED if leaf.id in present[store] else Presence.ABSENT

        mine = [envelope for envelope in envelopes if envelope.tenant == tenant]
        found.extend(diagnose(mine, ask, patience=patience))
    return tuple(found)


def repair(books: Books, diagnoses: Iterable[Diagnosis]) -> int:
    """Append the receipts that the diagnoses propose; says how many."""
    done = 0
    for diagnosis in diagnoses:
        if diagnosis.repair is not None:
            step = partial(
                append,
                tenant=diagnosis.envelope.tenant,
                body=diagnosis.repair,
                now=datetime.now(UTC),
            )
            books.database.write(step)
            done += 1
    return done


def unrecorded(books: Books, store: Writable, tenant: str) -> tuple[str, ...]:
    """Ids of stored memories whose stamp does not verify: written or edited behind memwarden."""
    return tuple(
        one.memory_id
        for one in store.scan(tenant)
        if books.verify_stamp(tenant, one.stamp, one.memory_id, one.parts) is None
    )


def _present(books: Books, store: Writable, tenant: str) -> frozenset[str]:
    """Decision ids of the memories that are in a store and bear a valid stamp."""
    stamps = (
        books.verify_stamp(tenant, one.stamp, one.memory_id, one.parts)
        for one in store.scan(tenant)
    )
    return frozenset(stamp.decision_id for stamp in stamps if stamp is not None)
