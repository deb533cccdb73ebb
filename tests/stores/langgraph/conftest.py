"""A warden with the suite's own policies, and LangGraph stores to guard with it."""

from __future__ import annotations

import pytest

from memwarden import bundled
from memwarden.keys import KeyPlace
from memwarden.policy import PolicyBook
from memwarden.testing.adapters import suite_policies
from memwarden.testing.stores import ListStore
from memwarden.warden import Warden
from memwarden.warden.books import Books
from memwarden.warden.chain import Chain
from tests.stores.langgraph.harness import HARNESSES


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """The policies, compiled once."""
    return PolicyBook.open(suite_policies(tmp_path_factory.mktemp("policies")))


@pytest.fixture
def warden(tmp_path, book):
    chain = Chain(book, bundled.models_dir())
    books = Books.open(tmp_path / "data", KeyPlace(folder=tmp_path / "keys"))
    with Warden(chain, books, ListStore()) as opened:
        yield opened


@pytest.fixture(params=sorted(HARNESSES))
def h(request, warden, tmp_path):
    """Every kind of store, one after the other."""
    harness = HARNESSES[request.param](warden, tmp_path)
    yield harness
    harness.close()
