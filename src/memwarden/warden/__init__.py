"""The composition root: judge, record, store, recall, fence, scrub, review."""

from memwarden.warden.asynchronous import AsyncWarden
from memwarden.warden.books import Envelope
from memwarden.warden.chain import Chain
from memwarden.warden.core import Warden
from memwarden.warden.desk import Case, Desk
from memwarden.warden.origins import carry
from memwarden.warden.ports import MemoryStore, Stored
from memwarden.warden.recall import Reader, Withheld
from memwarden.warden.scope import Clause, Condition, Scope
from memwarden.warden.session import Session

__all__ = [
    "AsyncWarden",
    "Case",
    "Chain",
    "Clause",
    "Condition",
    "Desk",
    "Envelope",
    "MemoryStore",
    "Reader",
    "Scope",
    "Session",
    "Stored",
    "Warden",
    "Withheld",
    "carry",
]
