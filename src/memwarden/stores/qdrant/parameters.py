"""The parameters that memwarden knows of each guarded method.

A new parameter of a new release may carry text that nobody judges; so one that is not listed here
is refused when it is given, and a test that compares with the installed client fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from memwarden.errors import UnguardedOperation

_SHARED: Final = frozenset({"collection_name", "shard_key_selector", "timeout"})
_WRITE: Final = _SHARED | {"wait", "ordering"}
_READ: Final = _SHARED | {"consistency"}
_UPLOAD: Final = _SHARED | {
    "batch_size",
    "max_retries",
    "method",
    "parallel",
    "update_filter",
    "update_mode",
    "wait",
}
_SHOWN: Final = _READ | {"with_payload", "with_vectors"}
_QUERY: Final = _SHOWN | {
    "limit",
    "lookup_from",
    "prefetch",
    "query",
    "query_filter",
    "score_threshold",
    "search_params",
    "using",
}
_MATRIX: Final = _READ | {"limit", "query_filter", "sample", "using"}

PARAMETERS: Final[Mapping[str, frozenset[str]]] = {
    "upsert": _WRITE | {"points", "update_filter", "update_mode"},
    "upload_points": _UPLOAD | {"points"},
    "upload_collection": _UPLOAD | {"vectors", "payload", "ids"},
    "set_payload": _WRITE | {"payload", "points", "key"},
    "overwrite_payload": _WRITE | {"payload", "points"},
    "delete_payload": _WRITE | {"keys", "points"},
    "clear_payload": _WRITE | {"points_selector"},
    "batch_update_points": _WRITE | {"update_operations"},
    "update_vectors": _WRITE | {"points", "update_filter"},
    "delete_vectors": _WRITE | {"vectors", "points"},
    "delete": _WRITE | {"points_selector"},
    "query_points": _QUERY | {"offset"},
    "query_batch_points": _READ | {"requests"},
    "query_points_groups": _QUERY | {"group_by", "group_size", "with_lookup"},
    "scroll": _SHOWN | {"limit", "offset", "order_by", "scroll_filter"},
    "retrieve": _SHOWN | {"ids"},
    "count": _READ | {"count_filter", "exact"},
    "facet": _READ | {"exact", "facet_filter", "key", "limit"},
    "search_matrix_offsets": _MATRIX,
    "search_matrix_pairs": _MATRIX,
}
"""Methods that are not here judge every text among their arguments, whatever its name."""


def check_parameters(method: str, given: Iterable[str]) -> None:
    """Raise UnguardedOperation for a parameter that this version does not know."""
    known = PARAMETERS.get(method)
    if known is None:
        return
    for name in given:
        if name not in known:
            raise UnguardedOperation(
                f"{method}({name}=...) is not known to be guarded by this version of memwarden;"
                " nothing was done, leave the parameter out"
            )
