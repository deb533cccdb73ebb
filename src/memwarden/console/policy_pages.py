"""Policies: what is in force and where it was written, a text tried, a draft compared."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from starlette.responses import Response

from memwarden.console.accounts import Role
from memwarden.console.cases import Told
from memwarden.console.marking import Mark, Piece, pieces, plain
from memwarden.console.visit import Refused, Visit
from memwarden.errors import CannotDecide, Mistake, PolicyError, UnknownTenant, VaultError
from memwarden.ledger import tail
from memwarden.model import Candidate, Decision, Origin
from memwarden.policy import PolicyBook
from memwarden.policy.written import as_written, differences, origin_of
from memwarden.vault import open_seal
from memwarden.warden import Chain
from memwarden.warden.sealed import CANDIDATE, unpack_candidate
from memwarden.warden.trial import compared

_LONGEST_TEXT = 20_000
_LONGEST_DRAFT = 500_000
_RECENT = (20, 50, 100)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as a file writes it, with the file and line it came from."""

    path: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class Tried:
    """A text that somebody tried, and what would be decided of it."""

    text: str = field(repr=False)
    source: str
    pieces: tuple[Piece, ...] = field(repr=False)
    decision: Decision
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What a draft would change: settings, and decisions on recent texts."""

    draft: str = field(repr=False)
    mistakes: tuple[Mistake, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    turned: tuple[tuple[str, str, str, str], ...] = ()
    looked_at: int = 0


def policy_page(visit: Visit) -> Response:
    """The effective policy of a tenant."""
    return _page(visit, visit.chosen())


def try_text(visit: Visit) -> Response:
    """Judge one text as if it came from a source. Nothing of it is recorded."""
    tenant = visit.tenant(visit.form.get("tenant", ""))
    text, source = visit.form.get("text", ""), visit.form.get("source", "")[:64]
    if len(text) > _LONGEST_TEXT:
        raise Refused(400, "refused.long")
    if not text.strip():
        return _page(visit, tenant)
    candidate = Candidate(text, origin=Origin(source=source, principal="trial"))
    (decision,) = visit.house.warden.chain.preview([candidate], tenant=tenant)
    return _page(visit, tenant, tried=_tried(candidate, decision))


def compare(visit: Visit) -> Response:
    """What a draft of the tenant's file would have decided of recent texts."""
    tenant = visit.tenant(visit.form.get("tenant", ""), Role.ADMIN)
    draft = visit.form.get("draft", "").replace("\r\n", "\n")
    if len(draft) > _LONGEST_DRAFT:
        raise Refused(400, "refused.long")
    wanted = visit.form.get("recent", "20")
    many = int(wanted) if wanted in map(str, _RECENT) else _RECENT[0]
    return _page(visit, tenant, compared=_compared(visit, tenant, draft, many))


def _page(
    visit: Visit, tenant: str, *, tried: Tried | None = None, compared: Compared | None = None
) -> Response:
    book = visit.house.warden.chain.book
    try:
        found = book.effective(tenant)
    except UnknownTenant:
        raise Refused(404, "refused.no_policy") from None
    wanted = visit.query("only")[:100]
    settings = tuple(
        Setting(path, json.dumps(value, ensure_ascii=False), Path(origin_of(found, path)).name)
        for path, value in sorted(as_written(found.policy).items())
        if wanted in path
    )
    return visit.page(
        "policy.html",
        tenant=tenant,
        policy=found.policy,
        chain=tuple(Path(file).name for file in found.chain),
        settings=settings,
        only=wanted,
        tried=tried,
        compared=compared,
        recent=_RECENT,
        draft=compared.draft if compared else _written(visit, tenant, found.chain[-1]),
    )


def _written(visit: Visit, tenant: str, file: str) -> str | None:
    """The tenant's own file, for whoever may draft another."""
    if visit.house.settings.policies is None or not visit.may(tenant, Role.ADMIN):
        return None
    try:
        return Path(file).read_text("utf-8")
    except OSError:
        return None


def _tried(candidate: Candidate, decision: Decision) -> Tried:
    marks = [
        Mark(one.start, one.end, number, one.severity)
        for number, one in enumerate(decision.findings, 1)
        if one.part and one.start < one.end
    ]
    told = tuple(
        Told(
            number,
            one.guard,
            one.rule,
            one.severity.label,
            one.score,
            one.reason,
            quote=plain(candidate.text[one.start : one.end]),
        )
        for number, one in enumerate(decision.findings, 1)
    )
    cut = pieces(candidate.text, marks)
    return Tried(candidate.text, candidate.origin.source, cut, decision, told)


def _compared(visit: Visit, tenant: str, draft: str, many: int) -> Compared:
    folder = visit.house.settings.policies
    if folder is None:
        raise Refused(409, "refused.no_folder")
    warden = visit.house.warden
    own = Path(warden.chain.book.effective(tenant).chain[-1])
    with tempfile.TemporaryDirectory() as name:
        try:
            chain = Chain.open(_with_draft(folder, own, draft, Path(name)))
            changed = chain.policy(tenant)
        except PolicyError as error:
            told = tuple(
                Mistake(Path(one.file).name, one.line, one.column, one.message, one.hint)
                for one in error.mistakes
            )
            return Compared(draft, told)
        except UnknownTenant as error:
            return Compared(draft, (Mistake(own.name, 1, 1, str(error)),))
        with chain:
            settings = differences(as_written(warden.chain.policy(tenant)), as_written(changed))
            recent = list(islice(_recent(visit, tenant), many))
            turned = compared(warden.chain, chain, tenant, (one for _, one in recent))
            return Compared(
                draft,
                settings=tuple(
                    (path, _json(before), _json(after)) for path, before, after in settings
                ),
                turned=tuple(
                    (
                        recent[one.at][0],
                        one.before.action.label,
                        one.after.action.label,
                        one.after.kind,
                    )
                    for one in turned
                ),
                looked_at=len(recent),
            )


def _with_draft(folder: Path, own: Path, draft: str, into: Path) -> Path:
    """The policies beside each other as they are, the draft in place of the tenant's file."""
    base = folder if folder.is_dir() else folder.parent
    for entry in base.iterdir():
        if entry.name != own.name:
            (into / entry.name).symlink_to(entry.resolve())
    (into / own.name).write_text(draft, encoding="utf-8")
    return into


def _recent(visit: Visit, tenant: str) -> Iterator[tuple[str, Candidate]]:
    """The latest texts that are still to be had: sealed candidates, and what a store holds."""
    warden = visit.house.warden
    kept = {
        str(one.stamp.get("dec")): one.parts
        for store in warden.stores.values()
        for one in islice(store.scan(tenant), 5_000)
    }
    with warden.books.database.read() as conn:
        for entered in tail(conn, tenant, limit=1_000):
            leaf = entered.leaf
            if any(ref.purpose == CANDIDATE for ref in leaf.seals):
                yield from _sealed(visit, conn, tenant, leaf.id)
            elif leaf.id in kept:
                origin = Origin(source=leaf.source, principal="comparison")
                yield leaf.id, Candidate(kept[leaf.id], origin=origin)


def _sealed(
    visit: Visit, conn: sqlite3.Connection, tenant: str, decision: str
) -> Iterable[tuple[str, Candidate]]:
    try:
        plain_bytes = open_seal(
            conn, visit.house.warden.books.ring, tenant, f"{decision}.{CANDIDATE}"
        )
        return ((decision, unpack_candidate(plain_bytes)),)
    except (VaultError, CannotDecide):
        return ()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def reload(visit: Visit) -> Response:
    """Read the policy files again; on a mistake what was in force stays in force."""
    tenant = visit.tenant(visit.form.get("tenant", ""), Role.ADMIN)
    book: PolicyBook = visit.house.warden.chain.book
    try:
        book.reload()
    except PolicyError:
        visit.note("policy.not_reloaded", good=False)
    else:
        visit.note("policy.reloaded")
    return visit.go("/policy", tenant=tenant)
