"""memwarden guards the long-term memory of LLM agents.

    from memwarden import Candidate, Origin, Warden

    warden = Warden.open("policies/", data_dir=".memwarden")
    decision = warden.write(Candidate("Sam likes tea", origin=Origin("user")), tenant="acme")

Importing this package is cheap: rooms are loaded when a name of theirs is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.fence import Block
    from memwarden.model import Action, Candidate, Decision, Memory, Origin, Part, Tier
    from memwarden.warden import AsyncWarden, Reader, Warden, carry

__all__ = [
    "Action",
    "AsyncWarden",
    "Block",
    "Candidate",
    "Decision",
    "Memory",
    "Origin",
    "Part",
    "Reader",
    "Tier",
    "Warden",
    "carry",
]

_ROOMS = {
    "AsyncWarden": "warden",
    "Block": "fence",
    "Reader": "warden",
    "Warden": "warden",
    "carry": "warden",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS.get(name, 'model')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
