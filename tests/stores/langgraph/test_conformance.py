"""Every law of an adapter, on stores in memory and in SQLite, sync and awaited."""

from __future__ import annotations

import pytest

from memwarden.testing.adapters import checks_for
from tests.stores.langgraph.harness import LangGraphHarness


@pytest.mark.parametrize("check", checks_for(LangGraphHarness.lacks), ids=lambda c: c.__name__[6:])
def test_the_langgraph_adapter_obeys(check, h):
    check(h)
