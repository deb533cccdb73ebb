"""Every law of an adapter, on stores in memory and in SQLite, sync and awaited."""

from __future__ import annotations

import pytest

from memwarden.testing.adapters import PlacedHarness, TrickyHarness, checks_for
from tests.stores.langgraph.harness import LangGraphHarness


@pytest.mark.parametrize("check", checks_for(LangGraphHarness.lacks), ids=lambda c: c.__name__[6:])
def test_the_langgraph_adapter_obeys(check, h):
    check(h)


def test_namespaces_and_queries_are_among_what_is_checked(h):
    assert isinstance(h, PlacedHarness)
    assert isinstance(h, TrickyHarness)
