"""The types of personal data and secrets that memwarden knows, for policies, reports and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memwarden.model import Message, Severity, Treatment
from memwarden.pii.load import document

_SEVERITIES: Final[Mapping[str, Severity]] = {
    "secret": Severity.HIGH,
    "identity": Severity.MEDIUM,
    "money": Severity.MEDIUM,
    "contact": Severity.MEDIUM,
    "device": Severity.LOW,
    "public": Severity.INFO,
    "name": Severity.INFO,
    "place": Severity.INFO,
    "special": Severity.INFO,
}


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type. ``treatment`` is what is advised where a policy says nothing; never applied here."""

    name: str
    family: str
    title: Message
    treatment: Treatment

    @property
    def severity(self) -> Severity:
        return _SEVERITIES[self.family]


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, EntityType]:
    """Every type by name, in the order of the documentation."""
    return {
        name: EntityType(
            name,
            str(body["family"]),
            Message(str(body["en"]), str(body["zh"])),
            Treatment(str(body["treat"])),
        )
        for name, body in document("catalogue").items()
        if isinstance(body, dict)
    }


def entity_type(name: str) -> EntityType:
    """The type ``name``; one that memwarden does not know counts as an identity."""
    known = catalogue().get(name)
    if known is not None:
        return known
    words = name.replace("_", " ").lower()
    return EntityType(name, "identity", Message(f"{words} data", f"{words} 类数据"), Treatment.SEAL)
