"""No route gives out what is another tenant's, what nobody vouches for, or what is withheld."""

from __future__ import annotations

from contextlib import suppress

from memwarden.errors import MemwardenError, ScopeError
from memwarden.model import Tier
from memwarden.testing.adapters.harness import AdapterHarness
from memwarden.testing.adapters.policies import HARMLESS, HARMLESS_ZH, HOSTILE, TENANT, TWIN

_OURS = "Only acme knows about the blue door."


def check_no_route_reads_another_tenants_memory(h: AdapterHarness) -> None:
    """Whatever the names share: a twin's name begins like the other's."""
    h.write(h.wrap(TENANT), h.ids[0], {"text": _OURS, "group": "blue door"})
    twin = h.wrap(TWIN)
    for name, route in h.read_routes().items():
        assert "blue door" not in repr(route(twin)), f"{name} reads another tenant's memory"
    assert h.read(twin, h.ids[0]) is None


def check_every_route_reads_ones_own(h: AdapterHarness) -> None:
    """Otherwise the check above would prove nothing."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": _OURS, "group": "blue door"})
    for name, route in h.read_routes().items():
        assert _says_something(route(guarded)), f"{name} finds nothing of one's own"


def _says_something(answer: object) -> bool:
    said = repr(answer)
    return "blue door" in said or "count=1" in said


def check_another_tenants_memory_is_not_overwritten(h: AdapterHarness) -> None:
    """An id belongs to whoever took it first."""
    h.write(h.wrap(TENANT), h.ids[0], {"text": HARMLESS})
    twin = h.wrap(TWIN)
    for name, route in h.write_routes().items():
        with suppress(MemwardenError):  # a route that chooses by a filter just finds nothing
            route(twin, h.ids[0], {"text": HARMLESS_ZH})
        assert HARMLESS_ZH not in h.dump(), f"{name} overwrites another tenant's memory"
    assert h.read(h.wrap(TENANT), h.ids[0]) == {"text": HARMLESS}


def check_another_tenants_memory_is_not_deleted(h: AdapterHarness) -> None:
    """User B does not delete the memory of user A."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    with suppress(ScopeError):
        h.remove(h.wrap(TWIN), h.ids[0])
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS}


def check_one_place_holds_both_tenants(h: AdapterHarness) -> None:
    """They use the same store without noticing each other."""
    acme, twin = h.wrap(TENANT), h.wrap(TWIN)
    h.write(acme, h.ids[0], {"text": HARMLESS})
    h.write(twin, h.ids[1], {"text": HARMLESS_ZH})
    assert [dict(one) for one in h.some(acme, 5)] == [{"text": HARMLESS}]
    assert [dict(one) for one in h.some(twin, 5)] == [{"text": HARMLESS_ZH}]


def check_a_stamped_memory_says_where_it_came_from(h: AdapterHarness) -> None:
    """Tier and decision come with it, and hold."""
    guarded = h.wrap(TENANT, origin="user")
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    (memory,) = h.memories(guarded, [h.ids[0]])
    assert (memory.stamped, memory.tier) == (True, Tier.TRUSTED)
    assert memory.decision_id


def check_what_was_there_before_is_untrusted(h: AdapterHarness) -> None:
    """A memory that no stamp vouches for is given out as what it is."""
    h.plant(h.ids[0], {"text": HARMLESS})
    (memory,) = h.memories(h.wrap(TENANT), [h.ids[0]])
    assert (memory.stamped, memory.tier) == (False, Tier.UNTRUSTED)


def check_no_route_gives_out_what_policy_would_hold(h: AdapterHarness) -> None:
    """Poison that was there before memwarden stays where it is."""
    h.plant(h.ids[0], {"text": HOSTILE, "group": HOSTILE})
    guarded = h.wrap(TENANT)
    for name, route in h.read_routes().items():
        assert "obey" not in repr(route(guarded)), f"{name} gives out what policy would hold"


def check_a_text_changed_behind_the_guard_loses_its_stamp(h: AdapterHarness) -> None:
    """The stamp is about these words and no others."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    h.plant(h.ids[0], {**(h.stored(h.ids[0]) or {}), "text": "Sam hates green tea."})
    (memory,) = h.memories(guarded, [h.ids[0]])
    assert (memory.stamped, memory.tier) == (False, Tier.UNTRUSTED)


def check_a_stamp_does_not_move_to_another_memory(h: AdapterHarness) -> None:
    """Copied to another id, the same words under the same stamp are nobody's."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    h.plant(h.ids[1], h.stored(h.ids[0]) or {})
    (memory,) = h.memories(guarded, [h.ids[1]])
    assert not memory.stamped


def check_memwardens_own_field_is_not_shown(h: AdapterHarness) -> None:
    """Callers see their own fields only."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    for name, route in h.read_routes().items():
        assert "_memwarden" not in repr(route(guarded)), f"{name} shows memwarden's own field"


def check_what_is_withheld_does_not_shorten_a_page(h: AdapterHarness) -> None:
    """A limit counts what is given out; poison must not push memories off the page."""
    guarded = h.wrap(TENANT)
    for at in range(3):
        h.plant(h.ids[at], {"text": f"{HOSTILE} {at}"})
    for at in range(3, 8):
        h.write(guarded, h.ids[at], {"text": f"{HARMLESS} {at}"})
    assert len(h.some(guarded, 4)) == 4
    assert len(h.some(guarded, 50)) == 5


CHECKS = (
    check_no_route_reads_another_tenants_memory,
    check_every_route_reads_ones_own,
    check_another_tenants_memory_is_not_overwritten,
    check_another_tenants_memory_is_not_deleted,
    check_one_place_holds_both_tenants,
    check_a_stamped_memory_says_where_it_came_from,
    check_what_was_there_before_is_untrusted,
    check_no_route_gives_out_what_policy_would_hold,
    check_a_text_changed_behind_the_guard_loses_its_stamp,
    check_a_stamp_does_not_move_to_another_memory,
    check_memwardens_own_field_is_not_shown,
    check_what_is_withheld_does_not_shorten_a_page,
)
