"""Every law of an adapter, on the sync client, the async one, and on disk."""

from __future__ import annotations

import pytest

from memwarden.errors import WriteHeld
from memwarden.testing.adapters import (
    ADAPTER_CHECKS,
    TrickyHarness,
    checks_for,
    reviews,
    writes,
)
from memwarden.testing.adapters.policies import CODE, CODED, HOSTILE
from tests.stores.qdrant.harness import HARNESSES

ON_DISK = (*writes.CHECKS, *reviews.CHECKS)
"""Where memory and disk could differ: the disk must hold nothing that the memory does not."""


@pytest.mark.parametrize("check", ADAPTER_CHECKS, ids=lambda check: check.__name__[6:])
def test_the_qdrant_adapter_obeys(check, h):
    check(h)


@pytest.mark.parametrize("check", ON_DISK, ids=lambda check: check.__name__[6:])
def test_the_qdrant_adapter_obeys_on_disk(check, warden, tmp_path):
    harness = HARNESSES["sync on disk"](warden, tmp_path)
    try:
        check(harness)
    finally:
        harness.close()


def test_queries_are_among_what_is_checked(sync):
    assert isinstance(sync, TrickyHarness)


def test_the_suite_is_as_large_as_it_says():
    assert len(ADAPTER_CHECKS) >= 40
    assert len(set(ADAPTER_CHECKS)) == len(ADAPTER_CHECKS)


def test_a_host_without_fields_is_asked_for_none():
    left_out = set(ADAPTER_CHECKS) - set(checks_for(frozenset({"fields"})))
    assert {check.__name__ for check in left_out} >= {"check_a_field_name_is_judged"}


def test_no_file_of_the_store_holds_what_was_held(warden, tmp_path):
    """Whatever the route: not in the database, not in its log, not in a description."""
    harness = HARNESSES["sync on disk"](warden, tmp_path)
    guarded = harness.wrap("acme")
    try:
        for one, route in zip(harness.ids, harness.write_routes().values(), strict=False):
            with pytest.raises(WriteHeld):
                route(guarded, one, {"text": HOSTILE})
            route(guarded, one, {"text": CODED})
    finally:
        harness.close()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "qdrant").rglob("*.*"))
    assert b"locker" in kept
    assert b"obey" not in kept
    assert CODE.encode() not in kept
