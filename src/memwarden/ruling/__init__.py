"""Findings and policy in, one ruling out: the only place where an action is chosen."""

from memwarden.ruling.cuts import remainder
from memwarden.ruling.decide import rule

__all__ = ["remainder", "rule"]
