"""Counters behind the overview, kept up from the ledger record by record.

A file of its own, beside the ledger: everything in it can be counted again, nothing in it is
personal, and a page costs the same after ten million decisions as after ten.
"""

from memwarden.console.counts.asking import (
    Latency,
    OriginRow,
    Precision,
    RuleRow,
    held_by_day,
    latency,
    origins,
    over_time,
    precision,
    rules,
)
from memwarden.console.counts.filling import Progress, catch_up
from memwarden.console.counts.store import Counts

__all__ = [
    "Counts",
    "Latency",
    "OriginRow",
    "Precision",
    "Progress",
    "RuleRow",
    "catch_up",
    "held_by_day",
    "latency",
    "origins",
    "over_time",
    "precision",
    "rules",
]
