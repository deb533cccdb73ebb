"""The ordered words of the design: action, tier, sensitivity, severity, influence, kind.

Each order is part of the meaning (the ruling takes a maximum, a derived memory a minimum),
so they are integer enums and never compared as strings.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, NewType, Self

from memwarden.errors import UsageError


class _Word(IntEnum):
    """An integer enum whose members are written in lower case everywhere a person reads them."""

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, label: str) -> Self:
        """Return the member written ``label``; raise UsageError naming the possible ones."""
        for member in cls:
            if member.label == label:
                return member
        known = ", ".join(member.label for member in cls)
        raise UsageError(f"{label!r} is not a {cls.__name__.lower()}; one of: {known}")


class Action(_Word):
    """What happens to a candidate. The ruling is the maximum over all findings."""

    ALLOW = 0
    REDACT = 1
    SKIP = 2
    HOLD = 3
    REJECT = 4

    @property
    def stores(self) -> bool:
        """Whether the candidate, changed or not, is written to the store."""
        return self <= Action.REDACT

    @property
    def blocks(self) -> bool:
        return self >= Action.HOLD


class Tier(_Word):
    """How far a memory may be trusted, given by policy from an attested origin."""

    UNTRUSTED = 0
    DERIVED = 1
    TRUSTED = 2
    AUTHORITATIVE = 3


class Sensitivity(_Word):
    """Who may see a memory."""

    PUBLIC = 0
    INTERNAL = 1
    CONFIDENTIAL = 2
    RESTRICTED = 3


class Severity(_Word):
    """How bad it would be if the finding is right."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


class Influence(_Word):
    """What a recalled memory may do: be looked up, inform an answer, or decide an action."""

    REFERENCE = 0
    INFORM = 1
    DECIDE = 2


class Mode(StrEnum):
    """Whether a policy, guard or rule acts on what it finds."""

    ENFORCE = "enforce"
    OBSERVE = "observe"
    OFF = "off"


class Treatment(StrEnum):
    """What policy does with one kind of personal data."""

    KEEP = "keep"
    MASK = "mask"
    REPLACE = "replace"
    PSEUDONYM = "pseudonym"
    SEAL = "seal"
    DROP = "drop"
    HOLD = "hold"


Kind = NewType("Kind", str)
"""What sort of memory a text is. Tenants may add kinds, so this is a name and not an enum."""

UNSAID: Final = Kind("")
"""The kind of a finding that does not say what sort of memory the text is."""

PROFILE: Final = Kind("profile")
PREFERENCE: Final = Kind("preference")
FACT: Final = Kind("fact")
PRODUCT: Final = Kind("product")
TERM: Final = Kind("term")
EVENT: Final = Kind("event")
TASK: Final = Kind("task")
PROCEDURE: Final = Kind("procedure")
BEHAVIOUR_CHANGE: Final = Kind("behaviour_change")
PRICE_CHANGE: Final = Kind("price_change")
PERMISSION_CHANGE: Final = Kind("permission_change")
EXFILTRATION: Final = Kind("exfiltration")
TRUST_CLAIM: Final = Kind("trust_claim")
TOOL_DIRECTIVE: Final = Kind("tool_directive")
SAFETY_BYPASS: Final = Kind("safety_bypass")
OTHER: Final = Kind("other")

MEMORY_KINDS: Final = (PROFILE, PREFERENCE, FACT, PRODUCT, TERM, EVENT, TASK, PROCEDURE)
"""Kinds that are memories."""

COMMAND_KINDS: Final = (
    BEHAVIOUR_CHANGE,
    PRICE_CHANGE,
    PERMISSION_CHANGE,
    EXFILTRATION,
    TRUST_CLAIM,
    TOOL_DIRECTIVE,
    SAFETY_BYPASS,
)
"""Kinds that are really commands to the agent."""

KINDS: Final = (*MEMORY_KINDS, *COMMAND_KINDS, OTHER)
