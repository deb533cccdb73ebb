"""A guarded host wears its host's interface, and offers nothing that goes around the guard."""

from __future__ import annotations

import copy
import gc
import pickle
from functools import partial

from pydantic import BaseModel, ConfigDict, create_model

from memwarden.errors import MemwardenError, UnguardedOperation, UnknownTenant, UsageError
from memwarden.testing.adapters.harness import AdapterHarness
from memwarden.testing.adapters.policies import HARMLESS, HOSTILE, TENANT
from memwarden.testing.adapters.raising import raised


def check_it_is_still_the_host(h: AdapterHarness) -> None:
    """``isinstance`` holds, so that frameworks accept it."""
    assert isinstance(h.wrap(TENANT), h.host_type)


def check_pydantic_accepts_it(h: AdapterHarness) -> None:
    """A configuration model with a field of the host's class takes it."""
    config = ConfigDict(arbitrary_types_allowed=True)
    model: type[BaseModel] = create_model("Config", __config__=config, client=(h.host_type, ...))
    guarded = h.wrap(TENANT)
    assert model(client=guarded).model_dump()["client"] is guarded


def check_its_repr_tells_no_text(h: AdapterHarness) -> None:
    """A repr is printed by anybody; it names the tenant at most."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    assert HARMLESS not in repr(guarded)


def check_wrapping_twice_is_refused(h: AdapterHarness) -> None:
    """A guard around a guard would judge every memory twice and stamp it twice."""
    guarded = h.wrap(TENANT)
    assert raised(UsageError, lambda: h.warden.wrap(guarded, tenant=TENANT))


def check_an_unknown_option_is_named(h: AdapterHarness) -> None:
    """A misspelt option must not be taken for agreement."""
    error = raised(UsageError, lambda: h.wrap(TENANT, no_such_option=1))
    assert "no_such_option" in str(error)


def check_an_unknown_tenant_is_an_error(h: AdapterHarness) -> None:
    """There is no default tenant."""
    assert raised(UnknownTenant, lambda: h.wrap("nobody-there"))


def check_a_copy_is_guarded(h: AdapterHarness) -> None:
    """``copy.copy`` must not be a way out."""
    guarded = copy.copy(h.wrap(TENANT))
    assert isinstance(guarded, h.host_type)
    assert raised(MemwardenError, lambda: h.write(guarded, h.ids[0], {"text": HOSTILE}))


def check_pickling_gives_nothing_unguarded(h: AdapterHarness) -> None:
    """Either it cannot be pickled, or what comes back is guarded."""
    try:
        restored = pickle.loads(pickle.dumps(h.wrap(TENANT)))  # noqa: S301 our own object
    except Exception:  # noqa: BLE001 any refusal will do
        return
    assert raised(MemwardenError, lambda: h.write(restored, h.ids[0], {"text": HOSTILE}))


def check_dropping_the_guard_leaves_the_host_open(h: AdapterHarness) -> None:
    """A guarded object that is collected must not close the host under another's feet."""
    other = h.wrap(TENANT)
    h.wrap(TENANT)
    gc.collect()
    h.write(other, h.ids[0], {"text": HARMLESS})


def check_an_attribute_that_nobody_has_is_an_attribute_error(h: AdapterHarness) -> None:
    """Duck typing goes on working."""
    assert not hasattr(h.wrap(TENANT), "no_such_attribute_anywhere")


def check_every_public_name_is_decided_about(h: AdapterHarness) -> None:
    """A new release of the host must not open a side door unseen."""
    assert list(h.unknown()) == []


def check_ways_around_are_refused_by_name(h: AdapterHarness) -> None:
    """What is not guarded says so, and says which operation it was."""
    guarded = h.wrap(TENANT)
    for name, route in h.refused_routes().items():
        error = raised(UnguardedOperation, partial(route, guarded))
        assert name in str(error), f"the error for {name} does not name it"


def check_attributes_cannot_be_replaced(h: AdapterHarness) -> None:
    """Assigning to the guarded host would take the guard off, method by method."""
    guarded = h.wrap(TENANT)
    for name in [*h.refused_routes(), "anything"]:
        assert raised(Exception, partial(setattr, guarded, name.partition(".")[0], None))


CHECKS = (
    check_it_is_still_the_host,
    check_pydantic_accepts_it,
    check_its_repr_tells_no_text,
    check_wrapping_twice_is_refused,
    check_an_unknown_option_is_named,
    check_an_unknown_tenant_is_an_error,
    check_a_copy_is_guarded,
    check_pickling_gives_nothing_unguarded,
    check_dropping_the_guard_leaves_the_host_open,
    check_an_attribute_that_nobody_has_is_an_attribute_error,
    check_every_public_name_is_decided_about,
    check_ways_around_are_refused_by_name,
    check_attributes_cannot_be_replaced,
)
