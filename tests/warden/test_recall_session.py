"""The same on the read path of every adapter: a session admits, by position, for its reader."""

from __future__ import annotations

import asyncio

import pytest

from memwarden import AsyncWarden, Candidate, Origin, Reader, carry
from memwarden.errors import ReadLimit, ScopeError
from memwarden.review import Wanted
from memwarden.warden import Withheld

SHARED = "read: {audience: {web: everyone}}\n"


def fill(warden):
    for text, source, principal in (
        ("tea of li", "user", "li"),
        ("tea of mei", "user", "mei"),
        ("tea of the page", "web", "crawler"),
    ):
        candidate = Candidate(text, origin=Origin(source, principal), namespace=("shop",))
        warden.write(candidate, tenant="acme")


def admitted(session, warden, **more):
    stored = list(warden._store.scan("acme"))
    memories = [session.memory(one.memory_id, one) for one in stored]
    given = session.admit(memories, **more)
    assert len(given) == len(stored)
    return {one.text for one in given if one is not None}


def test_a_session_gives_its_reader_what_is_theirs(governed):
    warden = governed(SHARED)
    fill(warden)
    everything = {"tea of li", "tea of mei", "tea of the page"}
    assert admitted(warden.session("acme"), warden) == everything
    session = warden.session("acme", reader=Reader("li"))
    assert admitted(session, warden) == {"tea of li", "tea of the page"}
    with warden.reading(Reader("mei")):
        assert admitted(session, warden) == {"tea of mei", "tea of the page"}
        assert admitted(warden.session("acme"), warden) == {"tea of mei", "tea of the page"}


def test_a_reader_of_one_place_is_given_nothing_from_another(governed):
    warden = governed(SHARED)
    fill(warden)
    here, elsewhere = (
        warden.session("acme", reader=Reader("li", namespace=(place,))) for place in ("shop", "sho")
    )
    assert admitted(here, warden) == {"tea of li", "tea of the page"}
    assert admitted(elsewhere, warden) == set()


def test_the_scope_of_a_session_is_what_its_host_can_be_asked_for(governed):
    warden = governed(SHARED)
    fill(warden)
    session = warden.session("acme", reader=Reader("li"))
    scope = session.scope()
    kept = [one for one in warden._store.scan("acme") if scope.admits(one.namespace, one.stamp)]
    assert {one.parts[0].text for one in kept} == {"tea of li", "tea of the page"}
    assert warden.session("acme").scope().clauses is None


@pytest.mark.parametrize("out_of_scope", ["error", "empty"])
def test_where_a_reader_is_required_an_adapter_gives_out_nothing_without(governed, out_of_scope):
    warden = governed(f"read: {{reader: required, out_of_scope: {out_of_scope}}}\n")
    fill(warden)
    session = warden.session("acme")
    with pytest.raises(ScopeError):
        session.scope()
    if out_of_scope == "error":
        with pytest.raises(ScopeError):
            admitted(session, warden)
    else:
        assert admitted(session, warden) == set()


def test_the_quota_counts_an_adapters_reads(governed):
    warden = governed("limits: {recall_per_minute: 1}\n")
    fill(warden)
    session = warden.session("acme", reader=Reader("li"))
    admitted(session, warden)
    with pytest.raises(ReadLimit):
        admitted(session, warden)


def test_what_is_quarantined_names_the_host_it_lies_in(governed):
    fill(governed(SHARED))
    warden = governed(
        SHARED + "patterns: {acme.x: {pattern: 'tea of li', severity: high, reason: r}}\n"
    )
    session = warden.session("acme")
    assert admitted(session, warden, store="qdrant:shop") == {"tea of mei", "tea of the page"}
    (item,) = warden.review.items(Wanted(tenant="acme"))
    assert item.store == "qdrant:shop"


def test_an_admission_says_why(governed):
    warden = governed("read: {max_origin_share: 0.4, tier_floor: derived}\n")
    fill(warden)
    warden.write(Candidate("tea of li again", origin=Origin("user", "li")), tenant="acme")
    memories = [warden.memory("acme", one) for one in warden._store.scan("acme")]
    reasons = [one.withheld for one in warden.admit(memories, tenant="acme")]
    assert reasons == [None, None, Withheld.BELOW_FLOOR, Withheld.CROWDING]


def test_readers_are_taken_along_into_threads_and_tasks(governed):
    from concurrent.futures import ThreadPoolExecutor

    warden = governed("read: {reader: required}\n")
    fill(warden)

    def recall():
        return [one.text for one in warden.recall("tea", tenant="acme")]

    with ThreadPoolExecutor(1) as pool, warden.reading(Reader("li")):
        assert "tea of li" in pool.submit(carry(recall)).result()
        with pytest.raises(ScopeError):
            pool.submit(recall).result()

    async def two_at_once():
        both = AsyncWarden(warden)

        async def by(name):
            with both.reading(Reader(name)):
                await asyncio.sleep(0)
                return [one.text for one in await both.recall("tea", tenant="acme")]

        return await asyncio.gather(by("li"), by("mei"))

    li, mei = asyncio.run(two_at_once())
    assert "tea of li" in li
    assert "tea of mei" not in li
    assert "tea of mei" in mei
