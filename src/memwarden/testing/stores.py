"""For people who write stores: a small store to compare with, and the laws as checks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memwarden.model import Part
from memwarden.testing.collisions import PEOPLE, PLACES, TENANTS
from memwarden.warden.ports import MemoryStore, Stored
from memwarden.warden.scope import Clause, Condition, Scope

DIMENSIONS: Final = 32


def toy_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Vectors without a model: equal words give near vectors, deterministic on every machine."""
    return [_toy_vector(text) for text in texts]


def _toy_vector(text: str) -> list[float]:
    vector = [1e-6] * DIMENSIONS
    for size in (1, 2, 3):
        for at in range(len(text) - size + 1):
            gram = text[at : at + size].casefold().encode("utf-8", "surrogatepass")
            vector[hashlib.blake2b(gram, digest_size=2).digest()[0] % DIMENSIONS] += 1.0
    return vector


class ListStore:
    """Keeps memories in RAM and finds them by shared characters. Thread-safe."""

    def __init__(self, name: str = "list") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._kept: dict[str, dict[str, Stored]] = {}

    @property
    def name(self) -> str:
        return self._name

    def put(self, tenant: str, memories: Sequence[Stored]) -> None:
        with self._lock:
            self._kept.setdefault(tenant, {}).update({one.memory_id: one for one in memories})

    def search(
        self,
        tenant: str,
        query: str,
        *,
        limit: int,
        namespace: tuple[str, ...] | None,
        clauses: tuple[Clause, ...] | None = None,
    ) -> Sequence[Stored]:
        wanted = set(query.casefold())
        scope = Scope(namespace, clauses)
        found = [one for one in self.scan(tenant) if scope.admits(one.namespace, one.stamp)]
        found.sort(key=lambda one: -len(wanted & set(_words(one).casefold())))
        return found[:limit]

    def get(self, tenant: str, memory_ids: Sequence[str]) -> Sequence[Stored]:
        with self._lock:
            kept = self._kept.get(tenant, {})
            return [kept[memory_id] for memory_id in memory_ids if memory_id in kept]

    def delete(self, tenant: str, memory_ids: Sequence[str]) -> None:
        with self._lock:
            for memory_id in memory_ids:
                self._kept.get(tenant, {}).pop(memory_id, None)

    def scan(self, tenant: str) -> Iterator[Stored]:
        with self._lock:
            yield from list(self._kept.get(tenant, {}).values())

    def close(self) -> None:
        """Nothing to close."""


def _words(one: Stored) -> str:
    return "\n".join(part.text for part in one.parts)


Check = Callable[[MemoryStore], None]

_A: Final = "00000000-0000-4000-8000-00000000000a"
_B: Final = "00000000-0000-4000-8000-00000000000b"
_C: Final = "00000000-0000-4000-8000-00000000000c"
_MANY: Final = tuple(f"00000000-0000-4000-8000-0000000001{at:02d}" for at in range(20))


def _memory(memory_id: str, text: str, namespace: tuple[str, ...] = ()) -> Stored:
    return Stored(memory_id, (Part("/text", text),), {"v": 1, "until": None}, namespace)


def check_returns_what_was_put(store: MemoryStore) -> None:
    """Text, stamp and namespace come back as they were given, in any language."""
    put = _memory(_A, "她喜欢绿茶 🍵 and e\u0301clairs", ("users", "a:b"))
    store.put("t", [put])
    (got,) = store.get("t", [_A])
    assert (got.memory_id, got.parts, dict(got.stamp), got.namespace) == (
        put.memory_id,
        put.parts,
        dict(put.stamp),
        put.namespace,
    )


def check_an_id_that_exists_is_replaced(store: MemoryStore) -> None:
    """Writing the same id twice leaves one memory, the later one."""
    store.put("t", [_memory(_A, "first")])
    store.put("t", [_memory(_A, "second")])
    assert [one.parts[0].text for one in store.scan("t")] == ["second"]


def check_tenants_are_exact(store: MemoryStore) -> None:
    """No tenant sees another's memory, whatever their names share."""
    store.put("acme", [_memory(_A, "green tea")])
    store.put("acme-corp", [_memory(_B, "green tea")])
    assert [one.memory_id for one in store.scan("acme")] == [_A]
    found = store.search("acme-corp", "green tea", limit=9, namespace=None)
    assert [one.memory_id for one in found] == [_B]
    assert list(store.get("acme", [_B])) == []
    store.delete("acme", [_B])
    assert [one.memory_id for one in store.scan("acme-corp")] == [_B]


def check_namespaces_are_exact(store: MemoryStore) -> None:
    """A namespace is matched whole: ("a", "b:c") is not ("a", "b", "c")."""
    store.put("t", [_memory(_A, "tea", ("a", "b:c")), _memory(_B, "tea", ("a", "b", "c"))])
    found = store.search("t", "tea", limit=9, namespace=("a", "b", "c"))
    assert [one.memory_id for one in found] == [_B]
    assert list(store.search("t", "tea", limit=9, namespace=("a",))) == []


def check_places_that_look_alike_are_others(store: MemoryStore) -> None:
    """Prefix matches and separator collisions, case, width, Unicode forms, wildcards."""
    for number, (one, other) in enumerate(PLACES):
        tenant = f"t{number}"
        store.put(tenant, [_memory(_A, "tea", one), _memory(_B, "tea", other)])
        for place, wanted in ((one, _A), (other, _B)):
            found = store.search(tenant, "tea", limit=9, namespace=place)
            assert [hit.memory_id for hit in found] == [wanted], f"{one!r} and {other!r}"


def check_tenants_that_look_alike_are_others(store: MemoryStore) -> None:
    """The same for tenants, on every method, with the same id in each."""
    store.put("acme", [_memory(_A, "tea of acme")])
    for tenant in TENANTS:
        assert list(store.scan(tenant)) == []
        assert list(store.get(tenant, [_A])) == []
        assert list(store.search(tenant, "tea", limit=9, namespace=None)) == []
        store.put(tenant, [_memory(_A, f"tea of {tenant}")])
    for tenant in ("acme", *TENANTS):
        (kept,) = store.scan(tenant)
        assert kept.parts[0].text == f"tea of {tenant}"
    for tenant in TENANTS:
        store.delete(tenant, [_A])
    assert len(list(store.get("acme", [_A]))) == 1


def check_values_that_look_alike_are_others(store: MemoryStore) -> None:
    """A clause compares a stamp's field whole: nobody reads as somebody called nearly so."""
    people = ("alice", *PEOPLE)
    store.put(
        "t",
        [
            replace(_memory(one, "tea"), stamp={"by": name})
            for one, name in zip(_MANY, people, strict=False)
        ],
    )
    for one, name in zip(_MANY, people, strict=False):
        clause = (Condition("by", frozenset((name,))),)
        found = store.search("t", "tea", limit=99, namespace=None, clauses=(clause,))
        assert [hit.memory_id for hit in found] == [one], f"{name!r} reads as somebody else"


def check_clauses_are_asked_before_the_limit(store: MemoryStore) -> None:
    """Of the clauses one must hold, whole value by whole value; a missing field counts as ""."""
    mine, theirs, shared = "11111111", "22222222", "web"
    store.put(
        "t", [replace(_memory(one, "tea"), stamp={"by": theirs, "src": "user"}) for one in _MANY]
    )
    store.put("t", [replace(_memory(_A, "tea"), stamp={"by": mine, "src": "user"})])
    store.put("t", [replace(_memory(_B, "tea"), stamp={"by": theirs, "src": shared})])
    store.put("t", [replace(_memory(_C, "tea"), stamp={})])

    def found(*clauses: Clause) -> set[str]:
        hits = store.search("t", "tea", limit=3, namespace=None, clauses=clauses)
        return {one.memory_id for one in hits}

    assert found((Condition("by", frozenset((mine,))),)) == {_A}
    assert found((Condition("by", frozenset((mine, ""))),)) == {_A, _C}
    either = (Condition("by", frozenset((mine,))),), (Condition("src", frozenset((shared,))),)
    assert found(*either) == {_A, _B}
    both = (Condition("by", frozenset((theirs,))), Condition("src", frozenset((shared,))))
    assert found(both) == {_B}
    assert found((Condition("by", frozenset((mine[:-1],))),)) == set()
    assert found((Condition("by", frozenset()),)) == set()
    assert found() == set()


def check_what_is_deleted_is_gone(store: MemoryStore) -> None:
    """Deleting twice, or what was never there, is no error."""
    store.put("t", [_memory(_A, "tea"), _memory(_B, "coffee")])
    store.delete("t", [_A])
    store.delete("t", [_A])
    assert [one.memory_id for one in store.scan("t")] == [_B]
    assert next(iter(store.search("t", "tea", limit=9, namespace=None))).memory_id == _B


def check_a_tenant_that_never_wrote_is_empty(store: MemoryStore) -> None:
    """Reading and deleting before the first write finds nothing and raises nothing."""
    assert list(store.scan("nobody")) == []
    assert list(store.get("nobody", [_A])) == []
    assert list(store.search("nobody", "tea", limit=3, namespace=None)) == []
    store.delete("nobody", [_A])


def check_the_nearest_come_first_and_no_more_than_asked(store: MemoryStore) -> None:
    """A search keeps to its limit and puts the nearest first."""
    store.put("t", [_memory(_A, "green tea"), _memory(_B, "zzzz 0000")])
    found = store.search("t", "green tea", limit=1, namespace=None)
    assert [one.memory_id for one in found] == [_A]


STORE_CHECKS: Final[tuple[Check, ...]] = (
    check_returns_what_was_put,
    check_an_id_that_exists_is_replaced,
    check_tenants_are_exact,
    check_namespaces_are_exact,
    check_places_that_look_alike_are_others,
    check_tenants_that_look_alike_are_others,
    check_values_that_look_alike_are_others,
    check_clauses_are_asked_before_the_limit,
    check_what_is_deleted_is_gone,
    check_a_tenant_that_never_wrote_is_empty,
    check_the_nearest_come_first_and_no_more_than_asked,
)
"""Every law of a MemoryStore. Run each on a fresh store."""
