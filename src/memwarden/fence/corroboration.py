"""What memories may do together.

Saying a thing twice does not make it true. A memory rises only if another one says the same,
comes from an origin that has nothing to do with the first, and carries weight of its own; what
an agent concluded carries none, for it would only be agreeing with itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memwarden.fence.standing import standing
from memwarden.model import UNSTATED, Influence, Memory, Tier
from memwarden.text import fold

_SEPARATING: Final = re.compile(r"[\W_]+")


def influence_of(memories: Sequence[Memory]) -> Influence:
    """What a group of memories may do: as much as the least of them, each raised as far as the
    others bear it out. Nothing recalled may do no more than be looked up."""
    stamped = [memory for memory in memories if memory.stamped]
    alike: dict[str, list[Memory]] = {}
    if len(stamped) > 1 and any(standing(one)[1] < Influence.DECIDE for one in stamped):
        for memory in stamped:
            alike.setdefault(_saying(memory), []).append(memory)
    raised = {id(one): _raised(one, group) for group in alike.values() for one in group}
    return min(
        (raised.get(id(memory), standing(memory)[1]) for memory in memories),
        default=Influence.REFERENCE,
    )


def _raised(memory: Memory, alike: Iterable[Memory]) -> Influence:
    """A memory that repeats what another one may decide by may decide too. Outside texts that
    agree with one another lift each other from reference to inform, never to decide."""
    own = standing(memory)[1]
    for other in alike:
        if own is Influence.DECIDE:
            break
        tier, influence = standing(other)
        if tier is not Tier.DERIVED and independent(memory, other):
            own = max(own, influence if tier >= Tier.TRUSTED else Influence.INFORM)
    return own


def independent(one: Memory, other: Memory) -> bool:
    """Whether two memories come from origins that have nothing to do with each other.

    Both must be stamped, of different sources or of different known principals, and neither may
    be made of the other or of anything that the other is made of too.
    """
    if one is other or not (one.stamped and other.stamped):
        return False
    if UNSTATED in (one.origin.source, other.origin.source):
        return False
    lineage, others = _lineage(one), _lineage(other)
    if lineage & others:
        return False
    if one.origin.source != other.origin.source:
        return True
    writers = (_writer(one), _writer(other))
    return all(writers) and writers[0] != writers[1]


def _writer(memory: Memory) -> str:
    return memory.writer or memory.origin.principal


def _lineage(memory: Memory) -> frozenset[str]:
    own = (memory.decision_id,) if memory.decision_id else ()
    return frozenset((*own, *memory.origin.derived_from))


def _saying(memory: Memory) -> str:
    return _SEPARATING.sub("", fold(memory.text))
