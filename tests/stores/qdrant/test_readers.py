"""For whom a reading reads: asked of the host itself, and checked on what came back."""

from __future__ import annotations

import pytest
from qdrant_client import models

from memwarden.errors import ScopeError, WriteHeld
from memwarden.keys import KeyPlace
from memwarden.testing.adapters import suite_policies
from memwarden.testing.adapters.policies import CODE, HARMLESS, HOSTILE
from memwarden.testing.stores import ListStore
from memwarden.warden import Reader, Warden
from tests.stores.qdrant.harness import HARNESSES, NOTES, VECTOR, QdrantHarness, points

REQUIRED = "extends: base\ntenant: asked\nread: {reader: required}\n"


@pytest.fixture(params=["sync in memory", "async in memory"])
def h(request, tmp_path):
    """A tenant whose policy requires to know who reads."""
    policies = suite_policies(tmp_path / "policies")
    (policies / "asked.yaml").write_text(REQUIRED, encoding="utf-8")
    with Warden.open(
        policies,
        data_dir=tmp_path / "data",
        keys=KeyPlace(folder=tmp_path / "keys"),
        store=ListStore(),
    ) as warden:
        harness = HARNESSES[request.param](warden, tmp_path)
        yield harness
        harness.close()


@pytest.fixture
def guarded(h):
    """Memories of two people, each with a name as the host keeps it."""
    guarded = h.wrap("asked", origin="user")
    for at, who in enumerate(("sam", "kim", "sam", "kim", "kim")):
        with h.warden.origin("user", principal=who):
            h.write(
                guarded,
                h.ids[at],
                {"text": f"{HARMLESS} {who} {at}", "user_id": who, "n": at, "group": f"of {who}"},
            )
    return guarded


READS = {
    "query_points": lambda c: c.query_points(NOTES, VECTOR),
    "query_batch_points": lambda c: c.query_batch_points(
        NOTES, [models.QueryRequest(query=VECTOR, with_payload=True)]
    ),
    "query_points_groups": lambda c: c.query_points_groups(NOTES, "group", VECTOR),
    "scroll": lambda c: c.scroll(NOTES),
    "retrieve": lambda c: c.retrieve(NOTES, QdrantHarness.ids[:5]),
    "facet": lambda c: c.facet(NOTES, "group"),
    "count": lambda c: c.count(NOTES),
    "search_matrix_pairs": lambda c: c.search_matrix_pairs(NOTES),
    "search_matrix_offsets": lambda c: c.search_matrix_offsets(NOTES),
}


@pytest.mark.parametrize("way", list(READS))
def test_nothing_is_read_for_nobody(h, guarded, way):
    with pytest.raises(ScopeError):
        h.run(READS[way](guarded))


@pytest.mark.parametrize("way", list(READS))
def test_nobody_reads_another_persons_memories(h, guarded, way):
    for_sam = h.wrap("asked", reader=Reader("sam"))
    said = repr(h.run(READS[way](for_sam)))
    assert "kim" not in said
    assert not any(h.ids[at] in said for at in (1, 3, 4))


def test_each_person_reads_their_own(h, guarded):
    for who, own in (("sam", 2), ("kim", 3)):
        reading = h.wrap("asked", reader=Reader(who))
        assert h.run(reading.count(NOTES)).count == own
        found = h.run(reading.query_points(NOTES, VECTOR, limit=10)).points
        assert len(found) == own
        assert all(who in point.payload["text"] for point in found)
        assert len(h.run(reading.scroll(NOTES, limit=own))[0]) == own


def test_points_of_others_do_not_use_up_a_limit(h, guarded):
    """The host itself is asked for what the reader may have."""
    asked = []
    scroll = h.bare.scroll

    def noted(*args, **kwargs):
        asked.append(kwargs["limit"])
        return scroll(*args, **kwargs)

    h.bare.scroll = noted
    reading = h.wrap("asked", reader=Reader("kim"))
    assert len(h.run(reading.scroll(NOTES, limit=3))[0]) == 3
    assert asked == [3]


def test_what_today_calls_personal_is_masked_where_it_was_stored_before(h):
    h.plant(h.ids[0], {"text": f"The locker opens with {CODE}."})
    reading = h.wrap("acme")
    (found,) = h.run(reading.retrieve(NOTES, [h.ids[0]]))
    assert CODE not in repr(found)
    assert "SUITE_CODE" in found.payload["text"]
    (trimmed,) = h.run(reading.query_points(NOTES, VECTOR, with_payload=["text"])).points
    assert CODE not in repr(trimmed)


def test_poison_that_was_there_before_goes_before_a_reviewer_and_comes_out_when_allowed(h):
    h.plant(h.ids[0], {"text": HOSTILE, "n": 1})
    reading = h.wrap("acme")
    assert h.read(reading, h.ids[0]) is None
    (item,) = h.warden.review.items()
    assert item.store == "qdrant/notes"
    h.warden.review.approve(item.id, actor="reviewer")
    assert h.read(reading, h.ids[0]) == {"text": HOSTILE, "n": 1}
    h.warden.review.undo(item.id, actor="reviewer")
    assert h.stored(h.ids[0])["text"] == HOSTILE


def test_a_person_is_sealed_under_their_own_key(h):
    """What was held about somebody goes when they are forgotten."""
    guarded = h.wrap("acme")
    with pytest.raises(WriteHeld) as caught:
        h.run(guarded.upsert(NOTES, points([(1, {"text": HOSTILE, "user_id": "sam"})])))
    revealed = h.warden.review.reveal(caught.value.decision_ids[0], actor="a", reason="a test")
    assert revealed.subject == "sam"
