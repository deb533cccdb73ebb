"""Who is speaking: origins stated by scope, and the tier that a chain of statements is worth.

A scope says where everything written inside it comes from, so that a host's own call needs no
new argument. Scopes live in a ContextVar; a thread pool loses it, and what is lost falls to
``unstated`` and so to untrusted. ``carry`` takes the present scopes along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from memwarden.model import UNSTATED, Origin, Policy, Tier

P = ParamSpec("P")
R = TypeVar("R")

_scopes: ContextVar[tuple[Origin, ...]] = ContextVar("memwarden_scopes", default=())


@contextmanager
def scope(origin: Origin) -> Iterator[Origin]:
    """State the origin of everything written inside the ``with`` block."""
    token = _scopes.set((*_scopes.get(), origin))
    try:
        yield origin
    finally:
        _scopes.reset(token)


def stated() -> tuple[Origin, ...]:
    """The origins stated by the scopes around the caller, outermost first."""
    return _scopes.get()


def carry(function: Callable[P, R]) -> Callable[P, R]:
    """Bind the present scopes to ``function``, for a thread pool that would lose them."""
    context = copy_context()

    def carried(*args: P.args, **kwargs: P.kwargs) -> R:
        return context.copy().run(function, *args, **kwargs)

    return carried


@dataclass(frozen=True, slots=True)
class Attested:
    """An origin, and the tier it turned out to be worth."""

    origin: Origin
    tier: Tier


def attest(
    statements: Sequence[Origin],
    policy: Policy,
    *,
    shown: Mapping[str, bool],
    parents: Mapping[str, Tier],
    believed: bool,
) -> Attested:
    """Return the origin that holds for a write and its tier.

    ``statements`` runs from the store's own ceiling through the scopes to the candidate's own
    origin; the last one that says a source is the origin. The tier is the least of all stated
    ones, because nesting can only lower; a statement with a valid capability (``shown[token]``)
    stands alone. ``believed`` is whether a source counts without a capability: true for the
    owner of the process, false for agents and for anything that arrives over a wire.
    ``parents`` holds the tier of every decision id in ``derived_from`` that is known; an unknown
    parent is untrusted.
    """
    said = [origin for origin in statements if origin.source != UNSTATED]
    lineage = min((_lineage(origin, parents) for origin in statements), default=Tier.AUTHORITATIVE)
    merged = _merged(statements)
    if not said:
        return Attested(merged, Tier.UNTRUSTED)
    tiers = [lineage]
    for origin in reversed(said):
        attested = bool(origin.capability) and shown.get(origin.capability, False)
        tiers.append(
            policy.tier_of_source(origin.source) if attested or believed else Tier.UNTRUSTED
        )
        if attested:
            break
    return Attested(merged, min(tiers))


def _lineage(origin: Origin, parents: Mapping[str, Tier]) -> Tier:
    tiers = [parents.get(parent, Tier.UNTRUSTED) for parent in origin.derived_from]
    return min(tiers, default=Tier.AUTHORITATIVE)


def _merged(statements: Sequence[Origin]) -> Origin:
    """The innermost statement of each thing; what one leaves open is filled from around it."""
    inward = list(reversed(statements))
    derived = dict.fromkeys(parent for origin in statements for parent in origin.derived_from)
    return Origin(
        source=next((o.source for o in inward if o.source != UNSTATED), UNSTATED),
        principal=next((o.principal for o in inward if o.principal), ""),
        session=next((o.session for o in inward if o.session), ""),
        derived_from=tuple(derived),
        capability=next((o.capability for o in inward if o.capability), ""),
    )
