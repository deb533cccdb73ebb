"""A call that writes: judged before the server sees it, settled by what the server answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memwarden import stamp
from memwarden.errors import MemwardenError, WriteHeld, WriteRefused
from memwarden.proxy.mcp.arguments import Piece, at_path, pieces, put_together, texts
from memwarden.proxy.mcp.known import KnownTexts
from memwarden.proxy.mcp.tools import Tools
from memwarden.stores.rows import batch as rows
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.payloads import Payload, bare, plain, stamp_of


@dataclass(frozen=True, slots=True)
class Allowed:
    """A call that may go on: what the server is to be told, and what is settled afterwards."""

    arguments: Payload = field(repr=False)
    batch: rows.Batch = field(repr=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that does not reach the server, and what the caller is told."""

    message: str


@dataclass(frozen=True, slots=True)
class Calls:
    """Judges the calls of one server."""

    guard: RowGuard
    tools: Tools
    known: KnownTexts = field(repr=False)

    def judge(self, tool: str, given: Mapping[str, object]) -> Allowed | Refused:
        """Judge every memory of a call; durable on return. Fails closed."""
        try:
            arguments = plain(given)
            cut = pieces(arguments, self.guard.options)
            drafts = [
                rows.Row(at, str(uuid.uuid4()), piece.fields, extra={"tool": tool})
                for at, piece in enumerate(cut)
            ]
            batch = rows.judged(self.guard, drafts, tool)
            report = rows.refuse_or_report(self.guard, batch)
        except (WriteHeld, WriteRefused) as error:
            return Refused(_told(error))
        except MemwardenError as error:
            return Refused(f"memwarden could not decide, so nothing was written: {error}")
        if report.written < len(drafts):
            return self._in_part(report.skipped, report.written, batch)
        return Allowed(put_together(arguments, _decided(cut, batch)), batch)

    def _in_part(self, skipped: int, written: int, batch: rows.Batch) -> Refused:
        """A call is one act: what cannot be done whole is not done."""
        rows.not_stored(self.guard, batch, "a part of the call was not to be stored")
        if skipped and not written:
            return Refused("memwarden: this is no memory (chatter or a question), nothing stored")
        return Refused(
            "memwarden: a part of this call may not be stored, so none of it was. Send its"
            " memories one by one; what is held waits for a reviewer"
        )

    def done(self, allowed: Allowed, *, stored: bool) -> None:
        """The server answered."""
        if not stored:
            rows.not_stored(self.guard, allowed.batch, "the memory server reported an error")
            return
        rows.stored(self.guard, allowed.batch)
        self.remember(allowed.batch)

    def remember(self, batch: rows.Batch) -> None:
        """Keep the stamps, so that what the server gives out later is known again."""
        keys = self.guard.session.warden.books.keys_of(self.guard.tenant)
        if keys is None:
            return
        for one in batch.written:
            fields = bare(one.fields)
            said = stamp.verify(
                keys.stamps,
                stamp_of(one.fields),
                tenant=self.guard.tenant,
                memory_id=one.row.id,
                parts=self.guard.parts(fields, one.row.id),
            )
            if said is not None:
                self.known.keep(keys, said, [text for _, _, text in texts(fields)])


def _decided(cut: Sequence[Piece], batch: rows.Batch) -> dict[tuple[str | int, ...], str]:
    decided = {}
    for one in batch.written:
        fields = bare(one.fields)
        for here, there in cut[one.row.position].sources.items():
            decided[there] = str(at_path(fields, here))
    return decided


def _told(error: WriteHeld | WriteRefused) -> str:
    """What the model reads: the decision, never the rule."""
    ids = ", ".join(error.decision_ids[:5])
    if isinstance(error, WriteHeld):
        return (
            f"memwarden: not stored. Held for review ({ids}); a person decides. Do not rephrase"
            f" and try again. 未写入：已送人工审核（{ids}），请勿改写后重试。"
        )
    return f"memwarden: not stored, refused by policy ({ids}). 未写入：策略不允许（{ids}）。"
