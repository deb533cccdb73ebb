"""What several independent origins say may inform; what one says alone is only looked up.

Nothing is ever raised to decide. Independent means: another source and principal, no common
ancestor or session, no ancestor of the one from the other's origin, and for an agent's conclusion
a recorded lineage, for nobody knows otherwise what it was drawn from. So an agent's conclusions
do not corroborate each other, nor what they were drawn from.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from memwarden.model import Influence, Memory, Policy, Tier
from memwarden.warden.recall.claims import Claim, claim_of, same_claim
from memwarden.warden.recall.digests import parts_digest
from memwarden.warden.recall.lineage import Lineage

LineageOf = Callable[[Memory], Lineage]


def corroborated(
    memories: Sequence[Memory], policy: Policy, lineage_of: LineageOf
) -> frozenset[int]:
    """Positions of memories that may inform because enough independent others say the same.

    ``lineage_of`` is only asked about memories that have somebody to agree with.
    """
    needed = policy.read.corroboration
    if needed < 1 or len(memories) <= needed:
        return frozenset()
    low = [at for at, one in enumerate(memories) if _may_rise(one)]
    if not low:
        return frozenset()
    claims = [_claim(one) if one.stamped else None for one in memories]
    return frozenset(at for at in low if _enough(at, memories, claims, policy, lineage_of, needed))


_KNOWN: Final[OrderedDict[bytes, Claim | None]] = OrderedDict()
_LOCK: Final = threading.Lock()
_REMEMBERED: Final = 16_384
_UNREAD: Final = Claim((), (), ())


def _claim(memory: Memory) -> Claim | None:
    """The claim of a memory, each text read once per process."""
    key = parts_digest(memory.parts)
    known = _KNOWN.get(key, _UNREAD)
    if known is not _UNREAD:
        return known
    claim = claim_of(memory.text)
    with _LOCK:
        _KNOWN[key] = claim
        while len(_KNOWN) > _REMEMBERED:
            _KNOWN.popitem(last=False)
    return claim


def _may_rise(memory: Memory) -> bool:
    return memory.stamped and memory.influence is Influence.REFERENCE


def _enough(
    at: int,
    memories: Sequence[Memory],
    claims: Sequence[Claim | None],
    policy: Policy,
    lineage_of: LineageOf,
    needed: int,
) -> bool:
    agreeing = [
        other
        for other in range(len(memories))
        if other != at and same_claim(claims[at], claims[other])
    ]
    if len(agreeing) < needed:
        return False
    chosen = [(memories[at], lineage_of(memories[at]))]
    for other in agreeing:
        one = (memories[other], lineage_of(memories[other]))
        if all(independent(one, earlier, policy) for earlier in chosen):
            chosen.append(one)
    return len(chosen) > needed


def independent(one: tuple[Memory, Lineage], other: tuple[Memory, Lineage], policy: Policy) -> bool:
    """Whether two memories came to the same claim by different ways. In doubt, no."""
    (first, of_first), (second, of_second) = one, other
    if not all(_traceable(memory, lineage, policy) for memory, lineage in (one, other)):
        return False
    if first.origin_digest == second.origin_digest:
        return False
    if first.writer and first.writer == second.writer:
        return False
    return not (
        of_first.ids & of_second.ids
        or of_first.origins & of_second.origins
        or of_first.sessions & of_second.sessions
    )


def _traceable(memory: Memory, lineage: Lineage, policy: Policy) -> bool:
    """Whether all that a memory was drawn from is on record."""
    if not (memory.stamped and memory.origin_digest and memory.decision_id and lineage.whole):
        return False
    if not all(ancestor.origin for ancestor in lineage.ancestors):
        return False
    concluded = policy.tier_of_source(memory.origin.source) is Tier.DERIVED
    return not concluded or len(lineage.ancestors) > 1
