"""Whose a memory is, as keyed digests: what its stamp carries beside the text."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.keys import TenantKeys
from memwarden.ledger import origin_digest
from memwarden.model import Candidate, Memory


@dataclass(frozen=True, slots=True)
class Provenance:
    """Digests of a memory's origin, writer, subject and namespace; "" where there is none.

    A memory that is judged again at a recall brings its own, for what they were made of is not
    kept anywhere.
    """

    origin: str
    writer: str
    subject: str
    place: str


def provenance_of(keys: TenantKeys, candidate: Candidate) -> Provenance:
    """The provenance of a candidate whose origin was attested."""
    return Provenance(
        origin_digest(keys, candidate.origin),
        writer_digest(keys, candidate.origin.principal),
        subject_digest(keys, candidate.subject),
        place_digest(keys, candidate.namespace),
    )


def kept_with(memory: Memory) -> Provenance:
    """What a recalled memory says of whose it is."""
    return Provenance(memory.origin_digest, memory.writer, memory.subject, memory.place)


def writer_digest(keys: TenantKeys | None, principal: str) -> str:
    """Who wrote it; "" for nobody in particular."""
    return keys.digest("writer", principal) if keys is not None and principal else ""


def subject_digest(keys: TenantKeys | None, subject: str) -> str:
    """Whom it is about, by the digest that ledger and vault know the person by; "" for nobody."""
    return keys.digest("subject", subject) if keys is not None and subject else ""


def place_digest(keys: TenantKeys, namespace: tuple[str, ...]) -> str:
    """The namespace, segment by segment: ("a", "b:c") is another than ("a", "b", "c")."""
    return keys.digest("place", *namespace) if namespace else ""
