"""Bad input gets a clear error or a held write: never a pass, never a half-written memory."""

from __future__ import annotations

from memwarden.errors import LimitExceeded, MemwardenError, WriteHeld
from memwarden.testing.adapters.harness import AdapterHarness, Fields
from memwarden.testing.adapters.policies import HARMLESS, TENANT
from memwarden.testing.adapters.raising import raised


def check_a_nul_byte_is_held(h: AdapterHarness) -> None:
    """Several stores cut a text there."""
    _refused(h, {"text": f"{HARMLESS}\x00rest"}, WriteHeld)


def check_half_a_surrogate_pair_is_held(h: AdapterHarness) -> None:
    """No store can keep it."""
    _refused(h, {"text": f"{HARMLESS}\ud83d"}, WriteHeld)


def check_a_long_text_is_held(h: AdapterHarness) -> None:
    """Longer than the tenant's limit, and still small enough to be looked at."""
    _refused(h, {"text": "tea " * 6_000}, WriteHeld)


def check_ten_megabytes_are_refused(h: AdapterHarness) -> None:
    """Too large to keep for a reviewer: holding it would let anyone fill the disk."""
    _refused(h, {"text": "tea " * 2_500_000}, LimitExceeded)


def check_a_deeply_nested_field_is_held(h: AdapterHarness) -> None:
    """Deeper than the tenant's limit."""
    _refused(h, {"text": HARMLESS, "deep": _nested(20)}, WriteHeld)


def check_endless_nesting_is_refused(h: AdapterHarness) -> None:
    """Deeper than anything could be kept, or containing itself."""
    _refused(h, {"text": HARMLESS, "deep": _nested(5_000)}, LimitExceeded)
    circle: dict[str, object] = {}
    circle["again"] = circle
    _refused(h, {"text": HARMLESS, "deep": circle}, LimitExceeded)


def check_what_is_no_json_is_refused(h: AdapterHarness) -> None:
    """An object of the caller's own cannot be judged."""
    _refused(h, {"text": HARMLESS, "object": object()}, MemwardenError)


def _nested(depth: int) -> object:
    value: object = "the end"
    for _ in range(depth):
        value = {"a": value}
    return value


def _refused(h: AdapterHarness, fields: Fields, kind: type[Exception]) -> None:
    guarded = h.wrap(TENANT)
    assert raised(kind, lambda: h.write(guarded, h.ids[0], fields))
    assert h.read(guarded, h.ids[0]) is None
    assert h.warden.examine(patience=0) == ()


CHECKS = (
    check_a_nul_byte_is_held,
    check_half_a_surrogate_pair_is_held,
    check_a_long_text_is_held,
    check_ten_megabytes_are_refused,
    check_a_deeply_nested_field_is_held,
    check_endless_nesting_is_refused,
    check_what_is_no_json_is_refused,
)
