"""What is not given out: too sensitive, too old, not trusted, revoked, crowding, too often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memwarden import Candidate, Origin
from memwarden.errors import ReadLimit, ScopeError, UsageError
from memwarden.ledger import Verified, verify
from memwarden.model import Memory, ReadSetting, Sensitivity, Tier
from memwarden.warden import Reader
from memwarden.warden.recall.quota import Quota, Touches
from memwarden.warden.recall.reader import ceiling_for
from memwarden.warden.recall.sharing import Share

PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED = Sensitivity


def write(warden, text, source="user", principal="", derived_from=(), **more):
    origin = Origin(source, principal, derived_from=derived_from)
    return warden.write(Candidate(text, origin=origin, **more), tenant="acme")


def texts(warden, query="tea", **more):
    return [one.text for one in warden.recall(query, tenant="acme", limit=50, **more)]


# -- sensitivity -----------------------------------------------------------------------------------

READ = ReadSetting(
    ceiling=INTERNAL,
    with_consent=CONFIDENTIAL,
    ceilings={"bot": PUBLIC, "dpo": RESTRICTED, "staff": CONFIDENTIAL, "li": CONFIDENTIAL},
)


@pytest.mark.parametrize(
    ("reader", "asked", "expected"),
    [
        (None, None, INTERNAL),
        (None, PUBLIC, PUBLIC),
        (None, RESTRICTED, INTERNAL),
        (Reader("mei"), None, INTERNAL),
        (Reader("mei"), RESTRICTED, INTERNAL),
        (Reader("mei", ceiling=PUBLIC), None, PUBLIC),
        (Reader("mei", consent=True), None, CONFIDENTIAL),
        (Reader("mei", consent=True, ceiling=INTERNAL), None, INTERNAL),
        (Reader("mei", consent=True), PUBLIC, PUBLIC),
        (Reader("mei", groups=("dpo",)), None, RESTRICTED),
        (Reader("mei", groups=("staff", "dpo")), None, RESTRICTED),
        (Reader("mei", groups=("others",)), None, INTERNAL),
        (Reader("mei", "bot"), None, PUBLIC),
        (Reader("mei", "bot", consent=True, groups=("dpo",)), None, PUBLIC),
        (Reader("li", "bot"), None, PUBLIC),
        (Reader("li"), None, CONFIDENTIAL),
        (Reader("dpo"), None, RESTRICTED),
    ],
)
def test_the_ceiling_is_the_callers(reader, asked, expected):
    assert ceiling_for(READ, reader, asked) is expected


def test_a_memory_above_the_ceiling_is_not_given_out(governed):
    warden = governed(
        "sensitivity: {kinds: {preference: confidential, other: internal}}\n"
        "read: {ceiling: internal, with_consent: confidential}\n"
    )
    decision = write(warden, "User prefers green tea.", principal="li")
    assert decision.sensitivity is CONFIDENTIAL
    assert texts(warden, reader=Reader("li")) == []
    assert texts(warden, reader=Reader("li", consent=True)) == ["User prefers green tea."]
    assert texts(warden, reader=Reader("li", consent=True), ceiling=INTERNAL) == []


def test_todays_policy_can_raise_a_sensitivity(governed):
    write(governed(), "User prefers green tea.")
    warden = governed("sensitivity: {kinds: {preference: restricted}}\n")
    assert texts(warden) == []
    assert warden.withheld("acme") == {"too sensitive": 1}


# -- time and tier ---------------------------------------------------------------------------------


def test_a_memory_past_its_time_is_not_given_out(governed):
    import time

    warden = governed("retention: {tiers: 1s}\n")
    write(warden, "green tea")
    assert texts(warden) == ["green tea"]
    time.sleep(1.1)
    assert texts(warden) == []
    assert warden.withheld("acme") == {"expired": 1}


def test_a_memory_below_the_floor_is_not_given_out(governed):
    warden = governed("read: {tier_floor: derived}\n")
    write(warden, "green tea from the page", source="web")
    write(warden, "green tea of the user")
    assert texts(warden) == ["green tea of the user"]


# -- revoked origins -------------------------------------------------------------------------------


def test_a_revoked_origin_is_withheld_with_all_that_was_drawn_from_it(governed):
    warden = governed()
    page = write(warden, "green tea grows in Anji", source="web", principal="crawler")
    other = write(warden, "green tea grows in Hangzhou", source="web", principal="editor")
    drawn = write(
        warden, "green tea is grown in the east", "agent", "planner", derived_from=(page.id,)
    )
    write(warden, "green tea is grown in hills", "agent", "planner", derived_from=(drawn.id,))
    write(warden, "green tea is from China", "agent", "planner", derived_from=(other.id,))
    entry = warden.revoke_origin("acme", source="web", principal="crawler", actor="li")
    left = {"green tea grows in Hangzhou", "green tea is from China"}
    assert set(texts(warden)) == left
    assert warden.withheld("acme") == {"its origin was revoked": 3}
    assert warden.revoked_origins("acme") == (entry,)
    assert warden.reinstate_origin("acme", entry.id, actor="li")
    assert not warden.reinstate_origin("acme", entry.id, actor="li")
    assert len(texts(warden)) == 5


@pytest.mark.parametrize(
    ("named", "left"),
    [
        ({"source": "web"}, {"by li", "by nobody"}),
        ({"principal": "li"}, {"by mei", "by nobody"}),
        ({"source": "web", "principal": "li"}, {"by li", "by mei", "by nobody"}),
        ({"source": "web", "principal": "mei"}, {"by li", "by nobody"}),
        ({"source": "user"}, {"by mei"}),
        ({"principal": "l"}, {"by li", "by mei", "by nobody"}),
    ],
)
def test_an_origin_is_a_source_a_principal_or_both(governed, named, left):
    warden = governed()
    write(warden, "tea by li", "user", "li")
    write(warden, "tea by mei", "web", "mei")
    write(warden, "tea by nobody", "user")
    warden.revoke_origin("acme", **named, actor="op")
    assert {text.removeprefix("tea ") for text in texts(warden)} == left


def test_a_revoked_principal_is_found_again_in_what_others_drew_from_it(governed):
    warden = governed()
    said = write(warden, "green tea is poison", "user", "eve")
    write(warden, "green tea may be poison", "agent", "planner", derived_from=(said.id,))
    warden.revoke_origin("acme", principal="eve", actor="op")
    assert texts(warden) == []


def test_what_was_stored_before_a_given_time_is_spared(governed):
    warden = governed()
    write(warden, "green tea", "web", "crawler")
    now = datetime.now(UTC)
    warden.revoke_origin("acme", source="web", since=now + timedelta(hours=1), actor="op")
    assert texts(warden) == ["green tea"]
    warden.revoke_origin("acme", source="web", since=now - timedelta(hours=1), actor="op")
    assert texts(warden) == []


def test_a_revocation_holds_for_its_tenant_and_in_every_process(governed, open_warden):
    warden = governed()
    warden.write(Candidate("green tea", origin=Origin("web")), tenant="acme-corp")
    write(warden, "green tea", "web")
    open_warden().revoke_origin("acme", source="web", actor="op")
    assert texts(warden) == []
    assert len(warden.recall("tea", tenant="acme-corp")) == 1


def test_revoking_is_recorded_without_naming_anybody(governed):
    warden = governed()
    warden.revoke_origin("acme", principal="li.lei@example.com", actor="han.meimei")
    with warden.books.database.read() as conn:
        (end,) = [
            step
            for step in verify(conn, "acme", warden.books.ring.root.public_key)
            if isinstance(step, Verified)
        ]
        (body,) = conn.execute("SELECT body FROM record WHERE type = 'config'").fetchone()
        row = str(conn.execute("SELECT * FROM revoked_origin").fetchall())
    assert end.sound
    assert "revoked" in body
    for name in ("li.lei", "han.meimei"):
        assert name not in body + row + repr(warden.revoked_origins("acme"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"actor": "op"},
        {"source": "web", "actor": ""},
        {"source": "", "principal": "", "actor": "op"},
    ],
)
def test_a_revocation_names_an_origin_and_who_revokes(governed, wrong):
    with pytest.raises(UsageError):
        governed().revoke_origin("acme", **wrong)


# -- shares ----------------------------------------------------------------------------------------


def a_memory(origin, tier=Tier.UNTRUSTED, writer="", *, stamped=True):
    from memwarden.model import Part

    return Memory(
        (Part("/text", "x"),), tier=tier, stamped=stamped, origin_digest=origin, writer=writer
    )


@pytest.mark.parametrize(
    ("share", "limit", "origins", "taken"),
    [
        (1.0, 4, "aaaa", "aaaa"),
        (0.5, 4, "aaaa", "aa"),
        (0.5, 4, "aaabbb", "aabb"),
        (0.25, 4, "aabbcc", "abc"),
        (0.1, 4, "aab", "ab"),
        (0.5, 1, "aab", "ab"),
        (0.3, 10, "aaaaa", "aaa"),
    ],
)
def test_no_origin_takes_more_than_its_share(share, limit, origins, taken):
    sharing = Share(share, limit)
    assert "".join(o for o in origins if sharing.takes(a_memory(o))) == taken


def test_systems_of_record_and_ones_own_words_are_not_capped():
    sharing = Share(0.25, 4, own=frozenset(("me",)))
    record = a_memory("r", Tier.AUTHORITATIVE)
    mine, theirs = a_memory("m", Tier.TRUSTED, "me"), a_memory("t", Tier.TRUSTED, "you")
    assert [sharing.takes(one) for one in (record, record, mine, mine)] == [True] * 4
    assert [sharing.takes(one) for one in (theirs, theirs)] == [True, False]


def test_what_claims_a_writer_without_a_stamp_is_capped_with_all_others_like_it():
    sharing = Share(0.25, 4, own=frozenset(("me",)))
    forged = a_memory("", Tier.UNTRUSTED, "me", stamped=False)
    assert [sharing.takes(one) for one in (forged, forged)] == [True, False]


def test_a_crowd_of_one_origin_makes_way_for_the_others(governed):
    warden = governed("read: {max_origin_share: 0.5}\n")
    for number in range(10):
        write(warden, f"green tea green tea {number}", "web", "flood")
    write(warden, "green tea, once", "web", "calm")
    write(warden, "green tea, twice", "user", "li")
    found = warden.recall("green tea", tenant="acme", limit=4)
    assert sorted(one.origin.source for one in found) == ["user", "web", "web", "web"]
    assert warden.withheld("acme")["more than one origin's share"] >= 1


# -- quota -----------------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_window_slides():
    clock = Clock()
    quota = Quota(clock)
    for _ in range(3):
        quota.count("acme", "li", 3)
    with pytest.raises(ReadLimit, match="3 times within a minute"):
        quota.count("acme", "li", 3)
    quota.count("acme", "mei", 3)
    quota.count("acme-corp", "li", 3)
    clock.now = 59.9
    with pytest.raises(ReadLimit):
        quota.count("acme", "li", 3)
    clock.now = 60.0
    for _ in range(3):
        quota.count("acme", "li", 3)
    with pytest.raises(ReadLimit):
        quota.count("acme", "li", 3)


def test_different_tokens_are_counted_within_the_hour():
    clock = Clock()
    touches = Touches(clock)
    assert [touches.count("acme", "r", token) for token in "aab"] == [1, 1, 2]
    assert touches.count("acme", "s", "c") == 1
    clock.now = 3600.0
    assert touches.count("acme", "r", "a") == 1


def test_a_reader_beyond_the_quota_is_refused_and_others_are_not(governed):
    warden = governed("limits: {recall_per_minute: 2}\nread: {out_of_scope: empty}\n")
    write(warden, "green tea", principal="li")
    for _ in range(2):
        texts(warden, reader=Reader("li"))
    with pytest.raises(ReadLimit) as refused:
        texts(warden, reader=Reader("li", "another-agent"))
    assert isinstance(refused.value, ScopeError)
    assert "li" not in str(refused.value).split()
    texts(warden, reader=Reader("mei"))
    texts(warden)
