"""The table of decisions against the installed client: nothing new may pass unnoticed."""

from __future__ import annotations

import inspect
from typing import get_args

import pytest
from qdrant_client import AsyncQdrantClient, QdrantClient, models

from memwarden.errors import UnguardedOperation, UsageError
from memwarden.stores.qdrant import planning
from memwarden.stores.qdrant.parameters import PARAMETERS
from memwarden.stores.qdrant.table import GUARDED, MANAGEMENT, PASSED, READS, REFUSED, WRITES

CLIENTS = [QdrantClient, AsyncQdrantClient]


def test_every_name_has_one_decision():
    tables = [set(WRITES), set(READS), set(MANAGEMENT), set(PASSED), set(REFUSED)]
    names = [name for table in tables for name in table]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("client", CLIENTS)
def test_every_public_method_of_the_installed_client_is_decided_about(client):
    public = {name for name in dir(client) if not name.startswith("_")}
    assert public - {*GUARDED, *PASSED, *REFUSED} == set()


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("method", sorted(set(GUARDED) - set(MANAGEMENT)))
def test_every_parameter_of_a_guarded_method_is_known(client, method):
    parameters = set(inspect.signature(getattr(client, method)).parameters)
    assert parameters - {"self", "kwargs"} - PARAMETERS[method] == set()


def test_every_operation_of_a_batch_is_known():
    source = inspect.getsource(planning.plan_operation)
    for operation in get_args(models.UpdateOperation):
        assert f"models.{operation.__name__}(" in source


@pytest.mark.parametrize(
    ("model", "known"),
    [
        (models.PointStruct, {"id", "vector", "payload"}),
        (models.Batch, {"ids", "vectors", "payloads"}),
        (models.PointVectors, {"id", "vector"}),
        (models.PointsList, {"points", "shard_key", "update_filter", "update_mode"}),
        (models.PointsBatch, {"batch", "shard_key", "update_filter", "update_mode"}),
        (models.SetPayload, {"payload", "points", "filter", "shard_key", "key"}),
        (models.DeletePayload, {"keys", "points", "filter", "shard_key"}),
        (models.UpdateVectors, {"points", "shard_key", "update_filter"}),
        (models.DeleteVectors, {"points", "filter", "vector", "shard_key"}),
        (models.Record, {"id", "payload", "vector", "shard_key", "order_value"}),
        (
            models.ScoredPoint,
            {"id", "version", "score", "payload", "vector", "shard_key", "order_value"},
        ),
        (models.PointGroup, {"hits", "id", "lookup"}),
        (models.FacetValueHit, {"value", "count"}),
    ],
)
def test_what_is_written_and_read_has_no_field_that_nobody_looks_at(model, known):
    assert set(model.model_fields) - known == set()


class NewerClient(QdrantClient):
    """A release of tomorrow: one more method, one more parameter."""

    def memorize(self, collection_name, text):
        return self._client.upsert(collection_name, [text])

    def upsert(self, collection_name, points, annotation=None, **kwargs):
        return super().upsert(collection_name, points, **kwargs)


def test_a_method_of_tomorrow_is_refused_by_name(warden):
    guarded = warden.wrap(NewerClient(":memory:"), tenant="acme")
    assert isinstance(guarded, NewerClient)
    with pytest.raises(UnguardedOperation, match="memorize"):
        guarded.memorize("notes", "anything")


def test_a_method_added_after_wrapping_gets_nowhere(warden, monkeypatch):
    guarded = warden.wrap(QdrantClient(":memory:"), tenant="acme")

    def sneak(self):
        return self._client.upsert("notes", [])

    monkeypatch.setattr(QdrantClient, "sneak", sneak, raising=False)
    with pytest.raises(UnguardedOperation):
        guarded.sneak()


def test_a_parameter_of_tomorrow_is_refused_by_name(warden):
    guarded = warden.wrap(NewerClient(":memory:"), tenant="acme")
    with pytest.raises(UnguardedOperation, match="annotation"):
        guarded.upsert("notes", [], annotation="anything")


def test_only_a_client_can_be_wrapped(warden):
    client = QdrantClient(":memory:")
    with pytest.raises(UsageError, match="QdrantClient"):
        warden.wrap(client._client, tenant="acme")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("legacy", "maybe"),
        ("on_redact_vector", "forget"),
        ("on_redact_vector", "reembed"),
        ("text_fields", "data"),
        ("identifier_fields", [1]),
        ("reembed", "model"),
        ("on_report", 1),
        ("max_filter_points", 0),
        ("name", "a/b"),
        ("name", ""),
    ],
)
def test_an_option_that_makes_no_sense_is_told_when_wrapping(warden, option, value):
    with pytest.raises(UsageError, match=option):
        warden.wrap(QdrantClient(":memory:"), tenant="acme", **{option: value})


def test_a_misspelt_option_is_told_with_a_hint(warden):
    with pytest.raises(UsageError, match="did you mean 'text_fields'"):
        warden.wrap(QdrantClient(":memory:"), tenant="acme", text_field=["data"])


def test_frameworks_may_ask_what_kind_of_client_it_is(h):
    guarded = h.wrap("acme")
    assert isinstance(guarded._client, type(h.bare._client))
    with pytest.raises(UnguardedOperation, match=r"_client\.collections"):
        _ = guarded._client.collections


@pytest.mark.parametrize("client", CLIENTS)
def test_signatures_and_names_are_the_hosts(warden, client):
    guarded = warden.wrap(client(":memory:"), tenant="acme")
    for name in ("upsert", "query_points", "upload_points", "get_collections", "migrate"):
        assert inspect.signature(getattr(type(guarded), name)) == inspect.signature(
            getattr(client, name)
        )
        assert getattr(type(guarded), name).__doc__ == getattr(client, name).__doc__
