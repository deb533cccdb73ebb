"""The vault: sealed originals, erasable by destroying a key, and stable placeholder numbers.

Every function takes the connection of a transaction, so that sealing becomes durable together
with the ledger's record of it.
"""

from memwarden.vault.erasing import Erasure, destroy_digest, destroy_subject, destroy_tenant
from memwarden.vault.numbers import number_for
from memwarden.vault.sealing import Seal, digests_of, open_seal, seal, seals_of, subject_digest

__all__ = [
    "Erasure",
    "Seal",
    "destroy_digest",
    "destroy_subject",
    "destroy_tenant",
    "digests_of",
    "number_for",
    "open_seal",
    "seal",
    "seals_of",
    "subject_digest",
]
