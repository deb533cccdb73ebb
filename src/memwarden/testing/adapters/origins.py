"""Who is speaking: captured at the call, only ever lowered, never laundered by an update."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.model import Tier
from memwarden.testing.adapters.harness import AdapterHarness, Fields
from memwarden.testing.adapters.policies import HARMLESS, HARMLESS_ZH, TENANT


def check_an_unstated_origin_is_untrusted(h: AdapterHarness) -> None:
    """Nobody said who speaks, so nobody is believed."""
    guarded = h.wrap(TENANT, origin=None)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_a_scope_lowers_the_origin(h: AdapterHarness) -> None:
    """What is written inside ``with warden.origin("web")`` comes from the web."""
    guarded = h.wrap(TENANT, origin="user")
    with h.warden.origin("web"):
        h.write(guarded, h.ids[0], {"text": HARMLESS})
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_a_scope_does_not_raise_the_origin(h: AdapterHarness) -> None:
    """The store's own origin is a ceiling."""
    guarded = h.wrap(TENANT, origin="web")
    with h.warden.origin("owner"):
        h.write(guarded, h.ids[0], {"text": HARMLESS})
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_the_origin_is_that_of_the_call(h: AdapterHarness) -> None:
    """A generator that states a scope of its own speaks for nobody but itself."""
    guarded = h.wrap(TENANT, origin="owner")

    def rows() -> Iterator[tuple[str, Fields]]:
        with h.warden.origin("owner"):
            yield h.ids[0], {"text": HARMLESS}

    with h.warden.origin("web"):
        h.write_lazily(guarded, rows)
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_a_change_is_stamped_again(h: AdapterHarness) -> None:
    """After a change the stamp is about the new words."""
    guarded = h.wrap(TENANT, origin="user")
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    h.change(guarded, h.ids[0], {"mood": HARMLESS_ZH})
    (memory,) = h.memories(guarded, [h.ids[0]])
    assert (memory.stamped, memory.tier) == (True, Tier.TRUSTED)
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS, "mood": HARMLESS_ZH}


def check_a_change_does_not_launder(h: AdapterHarness) -> None:
    """A trusted writer who touches a memory from the web does not vouch for what it said."""
    guarded = h.wrap(TENANT, origin="user")
    with h.warden.origin("web"):
        h.write(guarded, h.ids[0], {"text": HARMLESS})
    h.change(guarded, h.ids[0], {"seen": 1})
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_a_change_does_not_launder_what_was_there_before(h: AdapterHarness) -> None:
    """The same for a memory that nobody ever vouched for."""
    h.plant(h.ids[0], {"text": HARMLESS})
    guarded = h.wrap(TENANT, origin="user")
    h.change(guarded, h.ids[0], {"seen": 1})
    assert _tier(h, guarded, 0) is Tier.UNTRUSTED


def check_taking_a_field_away_keeps_the_stamp_true(h: AdapterHarness) -> None:
    """What is left is still a memory that somebody vouches for."""
    guarded = h.wrap(TENANT, origin="user")
    h.write(guarded, h.ids[0], {"text": HARMLESS, "mood": HARMLESS_ZH})
    h.drop_field(guarded, h.ids[0], "mood")
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS}
    (memory,) = h.memories(guarded, [h.ids[0]])
    assert memory.stamped


def check_what_is_removed_is_gone(h: AdapterHarness) -> None:
    """From every reading route and from the store itself."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    h.remove(guarded, h.ids[0])
    assert h.read(guarded, h.ids[0]) is None
    assert HARMLESS not in h.dump()


def _tier(h: AdapterHarness, guarded: object, at: int) -> Tier:
    (memory,) = h.memories(guarded, [h.ids[at]])
    return memory.tier


CHECKS = (
    check_an_unstated_origin_is_untrusted,
    check_a_scope_lowers_the_origin,
    check_a_scope_does_not_raise_the_origin,
    check_the_origin_is_that_of_the_call,
    check_a_change_is_stamped_again,
    check_a_change_does_not_launder,
    check_a_change_does_not_launder_what_was_there_before,
    check_taking_a_field_away_keeps_the_stamp_true,
    check_what_is_removed_is_gone,
)
