"""The ledger: the tamper-evident record of every decision, review and erasure.

Every function takes the connection of a transaction (see ``memwarden.database``), so that the
composition root can seal, record and enqueue in one durable step.
"""

from memwarden.ledger.chain import Head, append, claimed, head_of, tenants
from memwarden.ledger.doctor import Ask, Case, Diagnosis, Presence, Unfinished, diagnose
from memwarden.ledger.faults import Fault, Wrong
from memwarden.ledger.heads import (
    SignedHead,
    export_anchor,
    read_anchor,
    sign_heads,
    signed_head,
)
from memwarden.ledger.ids import new_id
from memwarden.ledger.listing import Entered, Filter, Place, tail
from memwarden.ledger.notes import leaf_of, memory_digest, origin_digest, parts_digest
from memwarden.ledger.proofs import (
    Consistency,
    Inclusion,
    prove_decision,
    prove_growth,
    prove_record,
    root_at,
)
from memwarden.ledger.queries import (
    Event,
    Story,
    derived_from,
    export,
    find,
    show,
    tombstones,
    unfinished,
)
from memwarden.ledger.records import (
    Body,
    ConfigChange,
    CutNote,
    Entry,
    Fate,
    FindingNote,
    Intent,
    Leaf,
    Outcome,
    Outcomes,
    PolicyChange,
    RecordType,
    RedactionNote,
    Reveal,
    ReviewStep,
    SealRef,
    Tombstone,
)
from memwarden.ledger.sealchecks import WHOLE_TENANT, check_seals
from memwarden.ledger.verify import Progress, Verified, verify

__all__ = [
    "WHOLE_TENANT",
    "Ask",
    "Body",
    "Case",
    "ConfigChange",
    "Consistency",
    "CutNote",
    "Diagnosis",
    "Entered",
    "Entry",
    "Event",
    "Fate",
    "Fault",
    "Filter",
    "FindingNote",
    "Head",
    "Inclusion",
    "Intent",
    "Leaf",
    "Outcome",
    "Outcomes",
    "Place",
    "PolicyChange",
    "Presence",
    "Progress",
    "RecordType",
    "RedactionNote",
    "Reveal",
    "ReviewStep",
    "SealRef",
    "SignedHead",
    "Story",
    "Tombstone",
    "Unfinished",
    "Verified",
    "Wrong",
    "append",
    "check_seals",
    "claimed",
    "derived_from",
    "diagnose",
    "export",
    "export_anchor",
    "find",
    "head_of",
    "leaf_of",
    "memory_digest",
    "new_id",
    "origin_digest",
    "parts_digest",
    "prove_decision",
    "prove_growth",
    "prove_record",
    "read_anchor",
    "root_at",
    "show",
    "sign_heads",
    "signed_head",
    "tail",
    "tenants",
    "tombstones",
    "unfinished",
    "verify",
]
