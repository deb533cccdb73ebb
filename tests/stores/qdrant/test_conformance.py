"""Every law of an adapter, on the sync client, the async one, and on disk."""

from __future__ import annotations

import pytest

from memwarden.testing.adapters import ADAPTER_CHECKS, checks_for
from tests.stores.qdrant.harness import HARNESSES


@pytest.fixture(params=list(HARNESSES))
def harness(request, warden, tmp_path):
    made = HARNESSES[request.param](warden, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("check", ADAPTER_CHECKS, ids=lambda check: check.__name__[6:])
def test_the_qdrant_adapter_obeys(check, harness):
    check(harness)


def test_the_suite_is_as_large_as_it_says():
    assert len(ADAPTER_CHECKS) >= 40
    assert len(set(ADAPTER_CHECKS)) == len(ADAPTER_CHECKS)


def test_a_host_without_fields_is_asked_for_none():
    left_out = set(ADAPTER_CHECKS) - set(checks_for(frozenset({"fields"})))
    assert {check.__name__ for check in left_out} >= {"check_a_field_name_is_judged"}
