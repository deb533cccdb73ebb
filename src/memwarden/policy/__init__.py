"""Policies as code: YAML files compiled, one for each tenant, into typed and frozen values."""

from memwarden.policy.book import PolicyBook
from memwarden.policy.cases import Case, Expectation, load_cases
from memwarden.policy.compile import Effective
from memwarden.policy.document import LOCAL
from memwarden.policy.editor import cases_schema, policy_schema
from memwarden.policy.registry import GivenGuards, GuardSource, InstalledGuards
from memwarden.policy.revision import effective

__all__ = [
    "LOCAL",
    "Case",
    "Effective",
    "Expectation",
    "GivenGuards",
    "GuardSource",
    "InstalledGuards",
    "PolicyBook",
    "cases_schema",
    "effective",
    "load_cases",
    "policy_schema",
]
