"""Nobody's memory reaches another: who reads what, asked in the store's own query."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden import Candidate, Origin
from memwarden.errors import ScopeError
from memwarden.stores.embedded import EmbeddedStore
from memwarden.testing.stores import DIMENSIONS, ListStore, toy_vectors
from memwarden.warden import Reader

READ = """
read:
  audience: {crm: everyone}
  grants:
    one: {reader: billing-bot, of: support-bot}
    two: {reader: auditors, of: "*", namespace: [tickets]}
    three: {reader: mei, of: li}
sources: {crm: trusted}
"""
WRITTEN = {  # name: source, principal, subject
    "alice": ("user", "alice", ""),
    "alice about bob": ("user", "alice", "bob"),
    "bob": ("user", "bob", ""),
    "li": ("user", "li", ""),
    "support": ("agent", "support-bot", ""),
    "support about alice": ("agent", "support-bot", "alice"),
    "billing": ("agent", "billing-bot", ""),
    "crm": ("crm", "sync-job", ""),
    "crm about bob": ("crm", "sync-job", "bob"),
    "nobody": ("user", "", ""),
}
READERS = {
    "alice": (Reader("alice"), {"alice", "alice about bob", "crm", "nobody"}),
    "bob": (Reader("bob"), {"bob", "crm", "crm about bob", "nobody"}),
    "Alice": (Reader("Alice"), {"crm", "nobody"}),
    "alic": (Reader("alic"), {"crm", "nobody"}),
    "alice, a blank after it": (Reader("alice "), {"crm", "nobody"}),
    "a star": (Reader("*"), {"crm", "nobody"}),
    "the support agent": (Reader(agent="support-bot"), {"support", "crm", "nobody"}),
    "the support agent for alice": (
        Reader("alice", "support-bot"),
        {"alice", "alice about bob", "support", "support about alice", "crm", "nobody"},
    ),
    "the support agent for bob": (
        Reader("bob", "support-bot"),
        {"bob", "support", "crm", "crm about bob", "nobody"},
    ),
    "an agent with a grant": (
        Reader(agent="billing-bot"),
        {"billing", "support", "crm", "nobody"},
    ),
    "a person with a grant": (Reader("mei"), {"li", "crm", "nobody"}),
    "a grant goes one way": (Reader("li"), {"li", "crm", "nobody"}),
    "a group elsewhere": (Reader("zoe", groups=("auditors",)), {"crm", "nobody"}),
    "a person called like a group": (Reader("zoe", groups=("auditor",)), {"crm", "nobody"}),
    "the process's own code": (None, set(WRITTEN)),
}


def write(warden, text, source="user", principal="", subject="", **more):
    origin = Origin(source, principal)
    return warden.write(Candidate(text, origin=origin, subject=subject, **more), tenant="acme")


def fill(warden, **more):
    for name, (source, principal, subject) in WRITTEN.items():
        write(warden, f"the train fact of {name}", source, principal, subject, **more)


def texts(memories):
    return {one.text.removeprefix("the train fact of ") for one in memories}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_given_their_own_what_is_shared_and_what_was_granted(governed, name):
    warden = governed(READ)
    fill(warden)
    reader, expected = READERS[name]
    assert texts(warden.recall("train", tenant="acme", reader=reader, limit=50)) == expected


def test_a_grant_for_one_place_holds_there_alone(governed):
    warden = governed(READ)
    fill(warden, namespace=("tickets",))
    fill(warden, namespace=("tickets", "2026"))
    auditor = Reader("zoe", groups=("auditors",))
    in_tickets = warden.recall(
        "train", tenant="acme", reader=auditor, limit=50, namespace=("tickets",)
    )
    below = warden.recall(
        "train", tenant="acme", reader=auditor, limit=50, namespace=("tickets", "2026")
    )
    assert texts(in_tickets) == set(WRITTEN)
    assert texts(below) == {"crm", "nobody"}


@pytest.mark.parametrize("make", [ListStore, lambda: EmbeddedStore(None, toy_vectors, DIMENSIONS)])
def test_other_peoples_memories_do_not_crowd_ones_own_out_of_the_search(governed, make):
    warden = governed(READ, store=make())
    for number in range(120):
        write(warden, f"green tea green tea {number}", principal="bob")
    write(warden, "some words about green tea", principal="alice")
    found = warden.recall("green tea", tenant="acme", reader=Reader("alice"), limit=2)
    assert [one.text for one in found] == ["some words about green tea"]


def test_one_persons_memories_can_be_asked_for_with_a_grant_only(governed):
    warden = governed(READ)
    fill(warden)

    def of(whose, reader):
        return texts(warden.recall("train", tenant="acme", reader=reader, of=whose, limit=50))

    assert of("li", Reader("mei")) == {"li"}
    assert of("mei", Reader("mei")) == set()
    assert of("bob", None) == {"bob"}
    for whose in ("bob", "*", "Li"):
        with pytest.raises(ScopeError, match="grant"):
            of(whose, Reader("mei"))


def test_where_policy_says_so_what_is_out_of_scope_finds_nothing(governed):
    warden = governed("read: {out_of_scope: empty, reader: required}\n")
    write(warden, "green tea", principal="li", namespace=("users", "li"))
    reader = Reader("li", namespace=("users", "li"))
    assert warden.recall("tea", tenant="acme", reader=reader) != ()
    assert warden.recall("tea", tenant="acme", reader=reader, of="mei") == ()
    assert warden.recall("tea", tenant="acme", reader=reader, namespace=("users", "mei")) == ()
    assert warden.recall("tea", tenant="acme") == ()


def test_a_policy_can_require_a_reader(governed):
    warden = governed("read: {reader: required}\n")
    write(warden, "green tea", principal="li")
    with pytest.raises(ScopeError, match="who reads"):
        warden.recall("tea", tenant="acme")
    with warden.reading(Reader("li")):
        assert len(warden.recall("tea", tenant="acme")) == 1


@pytest.mark.parametrize(
    "lost",
    [
        pytest.param(lambda: Reader(), id="no name"),
        pytest.param(lambda: Reader(""), id="empty"),
        pytest.param(lambda: Reader(None), id="None"),
        pytest.param(lambda: Reader("li", namespace=()) and Reader(7), id="a number"),
        pytest.param(lambda: Reader("li", namespace=("users", "")), id="empty segment"),
        pytest.param(lambda: Reader("li", namespace=("users", None)), id="segment None"),
        pytest.param(lambda: Reader("li", namespace="users"), id="a text for a tuple"),
        pytest.param(lambda: Reader("li", groups=(None,)), id="group None"),
    ],
)
def test_an_id_that_got_lost_on_the_way_reads_nothing(lost):
    with pytest.raises(ScopeError):
        lost()


@pytest.mark.parametrize("segment", ["", None, 7])
def test_a_namespace_with_a_segment_missing_is_no_namespace(warden, segment):
    with pytest.raises(ScopeError, match="segment 2"):
        warden.recall("tea", tenant="acme", namespace=("users", segment))


COLLISIONS = [
    (("acme",), ("acme-corp",)),
    (("a", "b:c"), ("a", "b", "c")),
    (("a", "b/c"), ("a", "b", "c")),
    (("a", "b.c"), ("a", "b", "c")),
    (("a", "b\x1fc"), ("a", "b", "c")),
    (("a", "b\x00c"), ("a", "b", "c")),
    (("1:a1:b",), ("a", "b")),
    (("a", "b"), ("ab",)),
    (("a", "b"), ("a",)),
    (("user", "1"), ("user", "10")),
    (("%",), ("x",)),
    (("caf\u00e9",), ("cafe\u0301",)),
    (("ａ",), ("a",)),
    (("A",), ("a",)),
    ((), ("a",)),
]


@pytest.mark.parametrize("make", [ListStore, lambda: EmbeddedStore(None, toy_vectors, DIMENSIONS)])
@pytest.mark.parametrize(("one", "other"), COLLISIONS)
def test_namespaces_are_compared_whole(governed, make, one, other):
    """CVE-2026-71433, langgraphjs#2721: prefix matches and separator collisions."""
    warden = governed(store=make())
    write(warden, "tea of the one", namespace=one)
    write(warden, "tea of the other", namespace=other)

    def found(namespace):
        return [m.text for m in warden.recall("tea", tenant="acme", namespace=namespace)]

    assert found(one) == ["tea of the one"]
    assert found(other) == ["tea of the other"]


SEGMENT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
PLACE = st.lists(SEGMENT | st.sampled_from(["a", "b", "a:b", "1:a", "ab"]), max_size=3).map(tuple)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    places=st.lists(PLACE, min_size=2, max_size=2, unique=True), names=st.tuples(SEGMENT, SEGMENT)
)
def test_no_two_places_or_people_are_ever_taken_for_each_other(warden, places, names):
    """Whatever separators, prefixes or look-alikes their names hold."""
    tag = f"{hash((*places, *names)):x}"
    for place, name in zip(places, names, strict=True):
        write(warden, f"tea {tag}", principal=name, namespace=place)
    for place, name in zip(places, names, strict=True):
        found = warden.recall(tag, tenant="acme", namespace=place, reader=Reader(name), limit=999)
        mine = [one for one in found if one.text == f"tea {tag}"]
        assert mine
        assert {one.place for one in mine} == {mine[0].place}


def test_tenants_are_whole_names_too(warden):
    warden.write(Candidate("green tea", origin=Origin("user", "li")), tenant="acme-corp")
    assert warden.recall("tea", tenant="acme", reader=Reader("li")) == ()


def test_removing_one_memory_leaves_the_same_id_of_others(warden):
    """remembra#2: what is removed in one place is removed nowhere else."""
    same = "00000000-0000-4000-8000-000000000001"
    for tenant in ("acme", "acme-corp"):
        warden.write(Candidate("green tea", origin=Origin("user"), memory_id=same), tenant=tenant)
    write(warden, "green tea", namespace=("a",))
    write(warden, "green tea", namespace=("a", "b"))
    warden._store.delete("acme", [same])
    assert len(warden.recall("tea", tenant="acme-corp")) == 1
    assert len(warden.recall("tea", tenant="acme", namespace=("a",))) == 1
    assert len(warden.recall("tea", tenant="acme", namespace=("a", "b"))) == 1


class Deaf(ListStore):
    """A store that does not listen to what it is asked for."""

    def search(self, tenant, query, *, limit, namespace, clauses=None):
        return super().search(tenant, query, limit=limit, namespace=None)


@pytest.mark.parametrize("out_of_scope", ["error", "empty"])
@pytest.mark.parametrize(
    "asked", [{"reader": Reader("li")}, {"namespace": ("b",)}], ids=["reader", "namespace"]
)
def test_a_store_that_gives_back_more_than_it_was_asked_for_is_found_out(
    governed, out_of_scope, asked
):
    warden = governed(f"read: {{out_of_scope: {out_of_scope}}}\n", store=Deaf())
    write(warden, "green tea", principal="mei", namespace=("a",))
    if out_of_scope == "error":
        with pytest.raises(ScopeError, match="1 memories outside"):
            warden.recall("tea", tenant="acme", **asked)
    else:
        assert warden.recall("tea", tenant="acme", **asked) == ()
        assert warden.withheld("acme") == {"out of the reader's scope": 1}


def edited(store, **changes):
    (kept,) = store.scan("acme")
    store.put("acme", [replace(kept, **changes)])


def test_a_memory_moved_to_another_place_reaches_nobody_there(governed, store):
    warden = governed()
    write(warden, "green tea", namespace=("users", "li"))
    edited(store, namespace=("users", "mei"))
    assert warden.recall("tea", tenant="acme", namespace=("users", "mei")) == ()
    assert warden.recall("tea", tenant="acme") == ()


@pytest.mark.parametrize(
    "forged",
    [
        {"src": "crm"},
        {"by": ""},
        {"src": "crm", "who": ""},
        {"src": "crm", "by": "", "who": ""},
    ],
)
def test_a_forged_stamp_does_not_pass_for_a_shared_source(governed, store, forged):
    """Taking the writer out of a stamp altogether makes a memory nobody's, hence untrusted and
    unstamped; claiming a shared source for somebody's memory opens nothing."""
    warden = governed(READ)
    write(warden, "green tea", principal="mei", subject="mei")
    (kept,) = store.scan("acme")
    store.put("acme", [replace(kept, stamp={**kept.stamp, **forged})])
    found = warden.recall("tea", tenant="acme", reader=Reader("li"))
    assert all(not one.stamped for one in found)
    assert found == () or (forged.get("by") == "" and forged.get("who") == "")


def test_an_edited_memory_is_still_its_writers(governed, store):
    from memwarden.model import Part

    warden = governed(READ)
    write(warden, "green tea", principal="mei")
    edited(store, parts=(Part("/text", "black tea"),))
    assert warden.recall("tea", tenant="acme", reader=Reader("li")) == ()
    (found,) = warden.recall("tea", tenant="acme", reader=Reader("mei"))
    assert not found.stamped


def test_nothing_of_a_reader_shows(warden):
    reader = Reader("li.lei@example.com", namespace=("users", "li.lei"))
    assert "li.lei" not in repr(reader)
    with pytest.raises(ScopeError) as refused:
        warden.recall("tea", tenant="acme", reader=reader, of="han.meimei")
    assert "han" not in str(refused.value)
    assert "li.lei" not in str(refused.value)
