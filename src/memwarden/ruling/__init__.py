"""Findings and policy in, one ruling out: the only place where an action is chosen."""

from memwarden.ruling.cuts import remainder
from memwarden.ruling.decide import rule
from memwarden.ruling.slots import slots_for

__all__ = ["remainder", "rule", "slots_for"]
