"""What a memory may count for, judged by its stamp and by nothing it says of itself."""

from __future__ import annotations

from memwarden.model import Influence, Memory, Tier


def standing(memory: Memory) -> tuple[Tier, Influence]:
    """The tier and influence that a memory has in a prompt.

    Without a valid stamp a memory is untrusted whatever its fields say. Whatever policy granted,
    untrusted and derived memories at most inform.
    """
    if not memory.stamped:
        return Tier.UNTRUSTED, min(memory.influence, Influence.INFORM)
    if memory.tier <= Tier.DERIVED:
        return memory.tier, min(memory.influence, Influence.INFORM)
    return memory.tier, memory.influence
