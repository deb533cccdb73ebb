"""Policies as code: YAML files compiled, one for each tenant, into typed and frozen values."""

from memwarden.policy.book import PolicyBook
from memwarden.policy.compile import Effective
from memwarden.policy.document import LOCAL
from memwarden.policy.registry import GivenGuards, GuardSource, InstalledGuards
from memwarden.policy.revision import effective

__all__ = [
    "LOCAL",
    "Effective",
    "GivenGuards",
    "GuardSource",
    "InstalledGuards",
    "PolicyBook",
    "effective",
]
