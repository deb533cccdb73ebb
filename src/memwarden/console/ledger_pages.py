"""The ledger: latest decisions, one decision's whole story, verification and proofs."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from starlette.responses import Response

from memwarden import review
from memwarden.console.item import steps
from memwarden.console.visit import Refused, Visit
from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.ledger import (
    Consistency,
    Filter,
    Inclusion,
    SignedHead,
    derived_from,
    find,
    head_of,
    prove_decision,
    prove_growth,
    prove_record,
    read_anchor,
    root_at,
    show,
    signed_head,
    tail,
)
from memwarden.model import Action

_PAGE = 40


def ledger_page(visit: Visit) -> Response:
    """The head of a tenant's chain, its latest decisions, and how the last check went."""
    tenant = visit.chosen()
    where = _filter(visit)
    database = visit.house.warden.books.database
    with database.read() as conn:
        before = find(conn, tenant, visit.query("before")) if visit.query("before") else None
        found = list(tail(conn, tenant, where, limit=_PAGE, before=before))
        size = head_of(conn, tenant).size
        head = signed_head(conn, tenant, visit.house.warden.books.ring.root.public_key)
    return visit.page(
        "ledger.html",
        tenant=tenant,
        found=found,
        size=size,
        head=head,
        actions=tuple(action.label for action in Action),
        action=where.action.label if where.action is not None else "",
        rule=where.rule,
        more=found[-1].leaf.id if len(found) == _PAGE else "",
        check=visit.house.checks.latest(tenant),
    )


def _filter(visit: Visit) -> Filter:
    try:
        action = Action.parse(visit.query("action")) if visit.query("action") else None
    except UsageError:
        action = None
    return Filter(action=action, rule=visit.query("rule")[:200], origin=visit.query("origin")[:200])


def story_page(visit: Visit) -> Response:
    """One decision from candidate to receipt, with the proof that it is in the ledger."""
    tenant = visit.tenant(visit.path("tenant"))
    decision = visit.path("decision")
    with visit.house.warden.books.database.read() as conn:
        try:
            story = show(conn, tenant, decision)
        except UsageError:
            raise Refused(404, "refused.no_decision") from None
        item = review.of_decision(conn, tenant, decision)
        children = derived_from(conn, tenant, decision)
    return visit.page(
        "story.html",
        tenant=tenant,
        story=story,
        leaf=story.entered.leaf,
        item=item,
        children=children,
        steps=steps(story),
        proof=_proof(visit, tenant, decision),
    )


@dataclass(frozen=True, slots=True)
class Proof:
    """That a decision is in its envelope and the envelope in the ledger, checked just now."""

    decision: Inclusion
    record: Inclusion
    root: bytes
    holds: bool


def _proof(visit: Visit, tenant: str, decision: str) -> Proof | None:
    """None where the tree lacks what a proof needs: verification says what is wrong."""
    with visit.house.warden.books.database.read() as conn:
        place = find(conn, tenant, decision).place
        try:
            record = prove_record(conn, tenant, place.seq)
            envelope = prove_decision(conn, tenant, place.seq, place.position)
            root = root_at(conn, tenant, record.size)
        except (LedgerCorrupt, UsageError):
            return None
    return Proof(envelope, record, root, record.holds(root))


def proof_file(visit: Visit) -> Response:
    """The inclusion proof as JSON, for somebody who verifies it elsewhere."""
    tenant = visit.tenant(visit.path("tenant"))
    decision = visit.path("decision")
    try:
        proof = _proof(visit, tenant, decision)
    except UsageError:
        raise Refused(404, "refused.no_decision") from None
    if proof is None:
        raise Refused(409, "refused.corrupt")
    told = {
        "tenant": tenant,
        "decision": decision,
        "decision_in_envelope": _inclusion(proof.decision),
        "record_in_ledger": {**_inclusion(proof.record), "root": proof.root.hex()},
    }
    return _download(json.dumps(told, indent=2), f"proof-{decision}.json")


def growth(visit: Visit) -> Response:
    """Whether the ledger of an earlier size is the beginning of a later one."""
    tenant = visit.tenant(visit.query("tenant"))
    old, new = (_count(visit.query(name)) for name in ("old", "new"))
    with visit.house.warden.books.database.read() as conn:
        proof = prove_growth(conn, tenant, old, new)
        roots = root_at(conn, tenant, old), root_at(conn, tenant, new)
    return visit.page(
        "growth_part.html" if visit.partial else "growth.html",
        tenant=tenant,
        proof=proof,
        holds=proof.holds(*roots),
        roots=roots,
        told=json.dumps(_growth(proof, roots), indent=2),
    )


def check(visit: Visit) -> Response:
    """Begin to verify, against anchored heads if some were given."""
    tenant = visit.tenant(visit.form.get("tenant", ""))
    visit.house.checks.start(tenant, _anchors(visit.form.get("anchors", "")))
    return visit.go("/ledger", tenant=tenant)


def check_state(visit: Visit) -> Response:
    """How the check of a tenant goes on: asked for by the page until it has ended."""
    tenant = visit.tenant(visit.query("tenant"))
    return visit.page("check.html", tenant=tenant, check=visit.house.checks.latest(tenant))


def _anchors(text: str) -> tuple[SignedHead, ...]:
    """Heads as ``memwarden audit anchor`` writes them, one a line."""
    if not text.strip():
        return ()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "heads.jsonl"
        file.write_text(text.replace("\r\n", "\n").strip() + "\n", encoding="utf-8")
        return read_anchor(file)


def _count(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Refused(400, "refused.form") from None


def _inclusion(proof: Inclusion) -> dict[str, object]:
    return {
        "leaf": proof.leaf.hex(),
        "index": proof.index,
        "size": proof.size,
        "path": [step.hex() for step in proof.path],
    }


def _growth(proof: Consistency, roots: tuple[bytes, bytes]) -> dict[str, object]:
    return {
        "old": {"size": proof.old, "root": roots[0].hex()},
        "new": {"size": proof.new, "root": roots[1].hex()},
        "path": [step.hex() for step in proof.path],
    }


def _download(text: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)
