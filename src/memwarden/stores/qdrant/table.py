"""What is done about every method of the client. What is not in the table is refused by name.

A test compares the table with the installed client, so that a new release of it cannot open a
side door unseen: its new methods fail the test, and are refused until somebody has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from memwarden.stores.qdrant import managing, reading, summing, updating, writing
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.rows.driving import Steps, work

Operation = Callable[[Guarding, Call], Steps[object]]

WRITES: Final[Mapping[str, Operation]] = {
    "upsert": writing.upsert,
    "upload_points": writing.upload_points,
    "upload_collection": writing.upload_collection,
    "set_payload": updating.change_payload,
    "overwrite_payload": updating.change_payload,
    "delete_payload": updating.change_payload,
    "clear_payload": updating.clear_payload,
    "batch_update_points": updating.batch_update_points,
    "update_vectors": updating.update_vectors,
    "delete_vectors": updating.delete_vectors,
    "delete": updating.delete_points,
}
"""Judged, and kept inside the tenant."""


def for_reader(operation: Operation) -> Operation:
    """The operation, narrowed to what the reader of this call may be given.

    Raises ScopeError where policy requires a reader and none is stated.
    """

    def narrowed(g: Guarding, call: Call) -> Steps[object]:
        scope = yield from work(g.session.scope)
        return (yield from operation(replace(g, readable=scope.clauses), call))

    return narrowed


READS: Final[Mapping[str, Operation]] = {
    "query_points": for_reader(reading.query_points),
    "query_batch_points": for_reader(reading.query_batch_points),
    "query_points_groups": for_reader(summing.query_points_groups),
    "scroll": for_reader(reading.scroll),
    "retrieve": for_reader(reading.retrieve),
    "count": for_reader(reading.count),
    "facet": for_reader(summing.facet),
    "search_matrix_offsets": for_reader(summing.search_matrix_offsets),
    "search_matrix_pairs": for_reader(summing.search_matrix_pairs),
}
"""Narrowed to the tenant and the reader, and verified on the way back."""

MANAGEMENT: Final[Mapping[str, Operation]] = {
    "create_collection": managing.named,
    "recreate_collection": managing.recreate,
    "update_collection": managing.named,
    "delete_collection": managing.ended,
    "get_collection": managing.described,
    "update_collection_aliases": managing.named,
    "create_payload_index": managing.named,
    "create_vector_name": managing.named,
    "delete_vector_name": managing.ended,
    "create_shard_key": managing.named,
}
"""Collections: texts among the arguments are judged, other tenants' points are left alone."""

PASSED: Final = frozenset(
    {
        "close",
        "cluster_status",
        "cluster_telemetry",
        "collection_cluster_info",
        "collection_exists",
        "delete_payload_index",
        "get_aliases",
        "get_collection_aliases",
        "get_collections",
        "get_embedding_size",
        "get_optimizations",
        "info",
        "list_full_snapshots",
        "list_image_models",
        "list_late_interaction_multimodal_models",
        "list_late_interaction_text_models",
        "list_shard_keys",
        "list_shard_snapshots",
        "list_snapshots",
        "list_sparse_models",
        "list_text_models",
        "DEFAULT_BATCH_SIZE",
        "cloud_inference",
        "local_inference_batch_size",
    }
)
"""Neither reads nor writes a memory."""

_ANY_TENANT: Final = "it reads or replaces points of every tenant at once"
_ROUND: Final = "it goes around the guard"
_CLUSTER: Final = "it is for the administrator of the cluster"

REFUSED: Final[Mapping[str, str]] = {
    "recover_snapshot": _ANY_TENANT,
    "recover_shard_snapshot": _ANY_TENANT,
    "create_snapshot": _ANY_TENANT,
    "create_full_snapshot": _ANY_TENANT,
    "create_shard_snapshot": _ANY_TENANT,
    "delete_snapshot": _ANY_TENANT,
    "delete_full_snapshot": _ANY_TENANT,
    "delete_shard_snapshot": _ANY_TENANT,
    "delete_shard_key": _ANY_TENANT,
    "migrate": "it copies points to a client that nobody guards; call migrate() of the other"
    " client with this one as its destination, or read and write",
    "http": _ROUND,
    "grpc_points": _ROUND,
    "grpc_collections": _ROUND,
    "init_options": "it holds the key to the server, and a client made from it is not guarded",
    "cluster_collection_update": _CLUSTER,
    "recover_current_peer": _CLUSTER,
    "remove_peer": _CLUSTER,
}
"""Known, and not guarded: the reason is told."""

GUARDED: Final[Mapping[str, Operation]] = {**WRITES, **READS, **MANAGEMENT}

EXCLUSIVE: Final = frozenset(
    {
        "set_payload",
        "overwrite_payload",
        "delete_payload",
        "clear_payload",
        "batch_update_points",
    }
)
"""Read, judge and write what they read: one at a time for each client, or a change between
reading and writing would be lost."""

UNKNOWN: Final = "this version of memwarden does not know it"
