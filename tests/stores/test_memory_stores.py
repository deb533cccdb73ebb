"""Every store of memwarden's own obeys the same laws."""

from __future__ import annotations

import pytest

from memwarden.errors import LedgerCorrupt
from memwarden.stores.embedded import EmbeddedStore
from memwarden.testing.stores import DIMENSIONS, STORE_CHECKS, ListStore, toy_vectors


@pytest.fixture(params=["list", "embedded in RAM", "embedded on disk"])
def store(request, tmp_path):
    if request.param == "list":
        made = ListStore()
    else:
        folder = None if "RAM" in request.param else tmp_path / "store"
        made = EmbeddedStore(folder, toy_vectors, DIMENSIONS)
    yield made
    made.close()


@pytest.mark.parametrize("check", STORE_CHECKS, ids=lambda check: check.__name__[6:])
def test_a_store_obeys(check, store):
    check(store)


def test_the_embedded_store_keeps_memories_over_a_restart(tmp_path):
    first = EmbeddedStore(tmp_path, toy_vectors, DIMENSIONS)
    STORE_CHECKS[0](first)
    first.close()
    second = EmbeddedStore(tmp_path, toy_vectors, DIMENSIONS)
    assert [one.namespace for one in second.scan("t")] == [("users", "a:b")]
    second.close()


def test_a_memory_that_was_edited_from_outside_is_named_and_not_guessed_at(tmp_path):
    store = EmbeddedStore(tmp_path, toy_vectors, DIMENSIONS)
    STORE_CHECKS[0](store)
    client = store._open()
    (collection,) = [c.name for c in client.get_collections().collections]
    (point,), _ = client.scroll(collection)
    client.overwrite_payload(collection, {"parts": "poison"}, [point.id])
    with pytest.raises(LedgerCorrupt, match="edited from outside"):
        list(store.scan("t"))
    store.close()
