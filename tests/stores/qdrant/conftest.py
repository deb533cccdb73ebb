"""A warden with the suite's own policies, and Qdrant clients to guard with it."""

from __future__ import annotations

import pytest

from memwarden.keys import KeyPlace
from memwarden.testing.adapters import suite_policies
from memwarden.testing.stores import ListStore
from memwarden.warden import Warden
from tests.stores.qdrant.harness import HARNESSES


@pytest.fixture
def warden(tmp_path):
    with Warden.open(
        suite_policies(tmp_path / "policies"),
        data_dir=tmp_path / "data",
        keys=KeyPlace(folder=tmp_path / "keys"),
        store=ListStore(),
    ) as opened:
        yield opened


@pytest.fixture(params=["sync in memory", "async in memory"])
def h(request, warden, tmp_path):
    """Both clients in memory, one after the other."""
    harness = HARNESSES[request.param](warden, tmp_path)
    yield harness
    harness.close()


@pytest.fixture
def sync(warden, tmp_path):
    """The sync client alone, where the two cannot differ."""
    harness = HARNESSES["sync in memory"](warden, tmp_path)
    yield harness
    harness.close()
