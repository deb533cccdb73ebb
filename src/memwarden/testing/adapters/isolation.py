"""Nobody's memory reaches another, however alike their names are and whatever a query says."""

from __future__ import annotations

from typing import cast

from memwarden.errors import MemwardenError
from memwarden.testing.adapters.harness import AdapterHarness, Place, PlacedHarness, TrickyHarness
from memwarden.testing.adapters.policies import HARMLESS, TENANT, TWIN
from memwarden.testing.adapters.raising import raised
from memwarden.testing.collisions import NO_TENANTS, PEOPLE, PLACES, TENANTS
from memwarden.warden import Reader

_OURS = "Only acme knows about the blue door."
_FIELDS = {"text": _OURS, "group": "blue door"}


def check_tenants_that_look_alike_are_others(h: AdapterHarness) -> None:
    """Prefix, separator, case, width, script: none of them makes one tenant another."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], _FIELDS)
    for tenant in TENANTS:
        other = h.wrap(tenant)
        assert _says_nothing(h, other), f"a tenant that looks like {TENANT!r} reads its memory"
        assert h.read(other, h.ids[0]) is None
    assert h.read(guarded, h.ids[0]) is not None


def check_a_tenant_that_got_lost_is_an_error(h: AdapterHarness) -> None:
    """Empty, blank, None, another Unicode form: no default, and nobody's memories."""
    h.write(h.wrap(TENANT), h.ids[0], {"text": HARMLESS})
    for lost in NO_TENANTS:
        raised(MemwardenError, lambda lost=lost: h.wrap(cast(str, lost)))  # type: ignore[misc]


def check_fields_that_imitate_a_scope_open_nothing(h: AdapterHarness) -> None:
    """A caller's own fields may be called whatever they like."""
    names = ("tenant", "tenant_id", "namespace", "memwarden_tenant", "scope", "owner")
    fields = {**_FIELDS, **dict.fromkeys(names, TWIN)}
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], fields)
    assert _says_nothing(h, h.wrap(TWIN))
    assert h.read(guarded, h.ids[0]) == fields


def check_a_reader_is_given_their_own(h: AdapterHarness) -> None:
    """Otherwise the check below would prove nothing."""
    _written_by_alice(h)
    assert not _says_nothing(h, h.wrap(TENANT, reader=Reader("alice")))


def check_people_who_look_alike_are_others(h: AdapterHarness) -> None:
    """What alice wrote is given to alice alone, on every reading route."""
    _written_by_alice(h)
    for name in PEOPLE:
        guarded = h.wrap(TENANT, reader=Reader(name))
        assert _says_nothing(h, guarded), f"{name!r} is taken for alice"


def check_a_reading_scope_narrows_every_route(h: AdapterHarness) -> None:
    """The same for whoever is stated around the call."""
    _written_by_alice(h)
    guarded = h.wrap(TENANT)
    with h.warden.reading(Reader("bob")):
        assert _says_nothing(h, guarded)
    with h.warden.reading(Reader("alice")):
        assert not _says_nothing(h, guarded)


def check_no_query_reaches_around_the_scope(h: AdapterHarness) -> None:
    """Filters, selectors and prefetches of the host's own language only ever narrow."""
    if not isinstance(h, TrickyHarness):
        return
    _written_by_alice(h)
    twin, bob = h.wrap(TWIN), h.wrap(TENANT, reader=Reader("bob"))
    for name, trick in h.tricks().items():
        for guarded in (twin, bob):
            try:
                said = repr(trick(guarded))
            except MemwardenError:
                continue
            assert "blue door" not in said, f"{name} reaches around the scope"


def check_places_that_look_alike_are_others(h: AdapterHarness) -> None:
    """A namespace is matched whole: no prefix, no separator, no folding."""
    if not isinstance(h, PlacedHarness):
        return
    for one, other in PLACES:
        guarded = h.wrap(TENANT)
        if not (_placed(h, guarded, one, "the one") and _placed(h, guarded, other, "the other")):
            continue
        found = [_texts(h, guarded, place) for place in (one, other)]
        assert found == [["the one"], ["the other"]], f"{one!r} and {other!r} are taken for one"
        for place in (one, other):
            h.remove_at(guarded, place, h.ids[0])


def check_looking_below_a_place_goes_by_whole_segments(h: AdapterHarness) -> None:
    """What lies under ("users", "1") does not lie under ("users", "10")."""
    if not isinstance(h, PlacedHarness):
        return
    guarded = h.wrap(TENANT)
    for segment in ("1", "10", "1x", "01"):
        assert _placed(h, guarded, ("users", segment), f"of {segment}")
    below = h.below(guarded, ("users", "1"))
    assert [one["text"] for one in below] == ["of 1"]
    assert len(h.below(guarded, ("users",))) == 4
    assert list(h.below(guarded, ("user",))) == []


def check_removing_in_one_place_removes_nowhere_else(h: AdapterHarness) -> None:
    """remembra#2: the same id in another place is another memory."""
    if not isinstance(h, PlacedHarness):
        return
    guarded = h.wrap(TENANT)
    for segment in ("1", "10"):
        assert _placed(h, guarded, ("users", segment), f"of {segment}")
    h.remove_at(guarded, ("users", "1"), h.ids[0])
    assert _texts(h, guarded, ("users", "1")) == []
    assert _texts(h, guarded, ("users", "10")) == ["of 10"]


def _written_by_alice(h: AdapterHarness) -> None:
    with h.warden.origin("user", principal="alice"):
        h.write(h.wrap(TENANT), h.ids[0], _FIELDS)


def _says_nothing(h: AdapterHarness, guarded: object) -> bool:
    """Whether no reading route gives or counts the memory about the blue door."""
    answers = [repr(route(guarded)) for route in h.read_routes().values()]
    return not any("blue door" in said or "count=1" in said for said in answers)


def _placed(h: PlacedHarness, guarded: object, place: Place, text: str) -> bool:
    """Write into a place; False where the host itself has no such place."""
    try:
        h.write_at(guarded, place, h.ids[0], {"text": text})
    except h.no_such_place:
        return False
    return True


def _texts(h: PlacedHarness, guarded: object, place: Place) -> list[object]:
    return [one["text"] for one in h.read_at(guarded, place)]


CHECKS = (
    check_tenants_that_look_alike_are_others,
    check_a_tenant_that_got_lost_is_an_error,
    check_fields_that_imitate_a_scope_open_nothing,
    check_a_reader_is_given_their_own,
    check_people_who_look_alike_are_others,
    check_a_reading_scope_narrows_every_route,
    check_no_query_reaches_around_the_scope,
    check_places_that_look_alike_are_others,
    check_looking_below_a_place_goes_by_whole_segments,
    check_removing_in_one_place_removes_nowhere_else,
)
