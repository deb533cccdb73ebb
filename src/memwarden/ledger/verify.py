"""Verifying: every record against its hash, its neighbour, the tree, the signature, the anchors.

    for event in verify(conn, "acme", public_key, anchors=read_anchor(path)):
        match event:
            case Progress(): bar.update(event.done)
            case Fault(): print(event)
            case Verified(): ok = event.sound

It streams: memory does not grow with the history.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.ledger import faults
from memwarden.ledger.chain import head_of
from memwarden.ledger.faults import Fault
from memwarden.ledger.heads import SignedHead, signed_head
from memwarden.ledger.merkle import EMPTY_ROOT, root_of_peaks
from memwarden.ledger.proofs import prove_record
from memwarden.ledger.segments import Walked, walk_whole
from memwarden.ledger.sidechecks import check_side_tables
from memwarden.ledger.walk import Walk


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a verification has come, in records."""

    tenant: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Verified:
    """The end of a verification. ``root`` is that of the records as they were found."""

    tenant: str
    records: int
    decisions: int
    faults: int
    root: bytes

    @property
    def sound(self) -> bool:
        return self.faults == 0


Step = Progress | Fault | Verified


def verify(
    conn: sqlite3.Connection,
    tenant: str,
    public_key: bytes | None = None,
    *,
    anchors: Sequence[SignedHead] = (),
    first: int = 0,
    last: int | None = None,
    processes: int = 1,
) -> Iterator[Step]:
    """Verify a tenant's whole chain, or the records ``first`` to ``last``, both included.

    ``public_key`` is the installation's; without it no signature can be checked and none is
    asked for. ``anchors`` are heads that were kept elsewhere; those of other tenants are ignored.
    What came after the last anchor is protected only against people without the signing key.
    With ``processes`` a long chain is shared among so many worker processes; they are spawned, so
    the calling program needs its ``if __name__ == "__main__"``.
    """
    try:
        if first == 0 and last is None:
            own = [anchor for anchor in anchors if anchor.tenant == tenant]
            yield from _whole(conn, tenant, public_key, own, processes)
        else:
            yield from _range(conn, tenant, first, last)
    except sqlite3.Error as error:
        yield faults.unreadable(tenant, first, str(error))
        yield Verified(tenant, 0, 0, 1, EMPTY_ROOT)


def _whole(
    conn: sqlite3.Connection,
    tenant: str,
    public_key: bytes | None,
    anchors: Sequence[SignedHead],
    processes: int,
) -> Iterator[Step]:
    total = head_of(conn, tenant).size
    marks = frozenset(anchor.size for anchor in anchors)
    walk = walk_whole(conn, tenant, total, marks, processes)
    grave = 0
    for found in _walked(walk, tenant, total):
        grave += isinstance(found, Fault) and found.grave
        yield found
    endings = (
        _against_head(conn, tenant, walk),
        _against_signature(conn, tenant, public_key) if public_key else (),
        _against_anchors(tenant, walk, public_key, anchors),
        check_side_tables(conn, tenant, walk.open_intents),
    )
    for ending in endings:
        for fault in ending:
            grave += fault.grave
            yield fault
    yield Verified(tenant, walk.count, walk.decisions, grave, root_of_peaks(walk.peaks))


def _walked(walk: Walked, tenant: str, total: int) -> Iterator[Progress | Fault]:
    for batch in walk.batches():
        yield from batch
        yield Progress(tenant, walk.count, max(total, walk.count))


def _against_head(conn: sqlite3.Connection, tenant: str, walk: Walked) -> Iterator[Fault]:
    head = head_of(conn, tenant)
    if walk.next_seq < head.size:
        yield faults.tail_cut(tenant, walk.next_seq, head.size)
    elif walk.next_seq > head.size:
        yield faults.tail_added(tenant, walk.next_seq, head.size)
    elif walk.peaks != list(head.peaks) or walk.previous != head.last:
        yield faults.head_differs(tenant)


def _against_signature(conn: sqlite3.Connection, tenant: str, public_key: bytes) -> Iterator[Fault]:
    row = conn.execute("SELECT size, signed_size FROM chain WHERE tenant = ?", (tenant,)).fetchone()
    if row is None:
        return
    size, signed_size = row
    if signed_size < size:
        yield faults.unsigned(tenant, signed_size, size)
        return
    head = signed_head(conn, tenant, public_key)
    if head is None or not head.holds():
        yield faults.bad_signature(tenant, size)


def _against_anchors(
    tenant: str, walk: Walked, public_key: bytes | None, anchors: Sequence[SignedHead]
) -> Iterator[Fault]:
    agreed = 0
    for anchor in sorted(anchors, key=lambda a: a.size):
        if (public_key is not None and anchor.key != public_key) or not anchor.holds():
            yield faults.anchor_forged(tenant, anchor.size)
        elif anchor.size > walk.next_seq:
            yield faults.anchor_ahead(tenant, anchor.size, anchor.at, walk.next_seq)
        elif root_of_peaks(walk.marked.get(anchor.size, ())) != anchor.root:
            yield faults.anchor_differs(tenant, anchor.size, anchor.at, agreed)
        else:
            agreed = anchor.size


def _range(conn: sqlite3.Connection, tenant: str, first: int, last: int | None) -> Iterator[Step]:
    head = head_of(conn, tenant)
    end = head.size - 1 if last is None else last
    if not 0 <= first <= end:
        raise UsageError(f"records {first} to {end} are no range")
    walk = Walk(conn, tenant, first=first, last=end)
    grave = 0
    for found in _walked(walk, tenant, end + 1 - first):
        grave += isinstance(found, Fault) and found.grave
        yield found
    for fault in _against_tree(conn, tenant, walk, end):
        grave += 1
        yield fault
    yield Verified(tenant, walk.count, walk.decisions, grave, head.root)


def _against_tree(conn: sqlite3.Connection, tenant: str, walk: Walk, end: int) -> Iterator[Fault]:
    """The last record of a range commits to those before it; so it alone has to be in the tree."""
    if walk.next_seq <= end:
        yield faults.tail_cut(tenant, walk.next_seq, end + 1)
        return
    try:
        proof = prove_record(conn, tenant, end)
    except (LedgerCorrupt, UsageError):
        yield faults.tree_differs(tenant, end)
        return
    if proof.leaf != walk.previous or not proof.holds(head_of(conn, tenant).root):
        yield faults.tree_differs(tenant, end)
