"""What lies sealed in the vault: whole candidates, and the originals of redactions.

JSON in UTF-8, with lone surrogates kept, so that whatever was held can be shown and written
later exactly as it came.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memwarden.errors import VaultError
from memwarden.model import Candidate, Origin, Part, PartRole, Redaction, Treatment

CANDIDATE: Final = "candidate"
ORIGINALS: Final = "originals"


def pack_candidate(candidate: Candidate) -> bytes:
    """A candidate with its origin and place."""
    origin = candidate.origin
    return _dump(
        {
            "parts": [[part.path, part.text, part.role.value] for part in candidate.parts],
            "source": origin.source,
            "principal": origin.principal,
            "session": origin.session,
            "derived_from": list(origin.derived_from),
            "subject": candidate.subject,
            "namespace": list(candidate.namespace),
            "memory_id": candidate.memory_id,
            "host": candidate.host,
        }
    )


def unpack_candidate(plain: bytes) -> Candidate:
    """The candidate as it came. Raises VaultError if the blob holds something else."""
    record = _load(plain)
    try:
        return Candidate(
            [Part(path, text, PartRole(role)) for path, text, role in record["parts"]],
            origin=Origin(
                source=record["source"],
                principal=record["principal"],
                session=record["session"],
                derived_from=tuple(record["derived_from"]),
            ),
            subject=record["subject"],
            namespace=tuple(record["namespace"]),
            memory_id=record["memory_id"],
            host=record["host"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise VaultError("a sealed candidate is not in the form that memwarden writes") from error


@dataclass(frozen=True, slots=True)
class SealedOriginal:
    """One redaction and what stood in its place."""

    redaction: Redaction
    original: str = field(repr=False)


def pack_originals(redactions: Sequence[Redaction], originals: Sequence[str]) -> bytes:
    """The redactions of one memory with their originals, position by position."""
    return _dump(
        {
            "originals": [
                [r.part, r.start, r.end, r.entity, r.treatment.value, r.placeholder, original]
                for r, original in zip(redactions, originals, strict=True)
            ]
        }
    )


def unpack_originals(plain: bytes, seal: str = "") -> tuple[SealedOriginal, ...]:
    """The redactions of one memory. Raises VaultError if the blob holds something else."""
    record = _load(plain)
    try:
        return tuple(
            SealedOriginal(
                Redaction(part, start, end, entity, Treatment(treatment), placeholder, seal),
                original,
            )
            for part, start, end, entity, treatment, placeholder, original in record["originals"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise VaultError("sealed originals are not in the form that memwarden writes") from error


def _dump(record: dict[str, object]) -> bytes:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _load(plain: bytes) -> dict[str, Any]:
    record = json.loads(plain.decode("utf-8", "surrogatepass"))
    if not isinstance(record, dict):
        raise VaultError("a sealed blob is not an object")
    return record
