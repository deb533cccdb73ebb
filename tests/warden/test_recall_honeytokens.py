"""Memories that nobody has a reason to read: given to nobody, an alarm for whoever finds one."""

from __future__ import annotations

import pytest

from memwarden import Candidate, Origin
from memwarden.errors import ReviewConflict, UsageError
from memwarden.ledger import Verified, show, verify
from memwarden.model import Severity
from memwarden.review import State, Wanted
from memwarden.warden import Reader

BAIT = "The payroll export of 2019 lies in the blue archive, shelf nine."
DECLARED = f"""
read:
  honeytokens:
    payroll: {{text: "{BAIT}"}}
    row: {{id: "00000000-0000-4000-8000-000000000017"}}
"""


def write(warden, text, source="user", principal="", **more):
    return warden.write(Candidate(text, origin=Origin(source, principal), **more), tenant="acme")


def texts(warden, query="payroll archive", **more):
    return [one.text for one in warden.recall(query, tenant="acme", **more)]


def alarms(warden):
    return [
        item
        for item in warden.review.items(Wanted(tenant="acme"), limit=99)
        if "recall.honeytoken" in item.rules
    ]


def test_a_planted_memory_is_given_to_nobody_and_tells_on_its_finder(governed):
    warden = governed()
    write(warden, "The archive is open at nine.")
    warden.plant(BAIT, tenant="acme", source="owner", principal="finance")
    assert texts(warden, reader=Reader("eve")) == ["The archive is open at nine."]
    assert warden.withheld("acme") == {"a honeytoken": 1}
    (item,) = alarms(warden)
    assert item.severity is Severity.CRITICAL
    assert warden.review.show(item.id).preview.text == BAIT
    with warden.books.database.read() as conn:
        story = show(conn, "acme", item.decision)
        (end,) = [
            step
            for step in verify(conn, "acme", warden.books.ring.root.public_key)
            if isinstance(step, Verified)
        ]
    assert story.operation == "alarm"
    assert "honeytoken" in story.entered.leaf.findings[0].reason.en
    assert "诱饵" in story.entered.leaf.findings[0].reason.zh
    assert end.sound


def test_declared_texts_and_ids_are_honeytokens_too(governed):
    warden = governed()
    write(warden, BAIT)
    write(warden, "archive seventeen", memory_id="00000000-0000-4000-8000-000000000017")
    write(warden, "The archive is open at nine.")
    warden = governed(DECLARED)
    assert texts(warden) == ["The archive is open at nine."]
    assert len(alarms(warden)) == 2


def test_nothing_in_the_store_tells_a_planted_memory_from_another(governed, store):
    warden = governed()
    write(warden, "The archive is open at nine.", "owner", "finance")
    planted = warden.plant(BAIT, tenant="acme", source="owner", principal="finance")
    real, bait = sorted(store.scan("acme"), key=lambda one: one.memory_id == planted)
    assert real.stamp.keys() == bait.stamp.keys()
    same = {"v", "tier", "orig", "src", "by", "who", "ns", "until"}
    assert all(real.stamp[name] == bait.stamp[name] for name in same)
    memory = warden.memory("acme", bait)
    assert memory.stamped


def test_each_reader_is_told_on_once_a_day(governed):
    for _ in range(2):
        warden = governed()
        if not list(warden._store.scan("acme")):
            warden.plant(BAIT, tenant="acme", source="owner")
        for _ in range(3):
            texts(warden, reader=Reader("eve"))
            texts(warden, reader=Reader("mallory", "crawler"))
            texts(warden)
    found = alarms(warden)
    assert len(found) == 3
    assert len({item.origin for item in found}) == 3


def test_a_policy_can_wait_for_several_before_it_cries(governed):
    warden = governed("read: {alarm_after: 3}\n")
    for number in range(3):
        warden.plant(f"archive bait number {number}", tenant="acme", source="owner")
    for limit in (1, 1, 2):
        texts(warden, reader=Reader("eve"), limit=limit)
    assert texts(warden, reader=Reader("eve"), limit=2) == []
    assert len(alarms(warden)) >= 1


def test_a_bait_further_down_than_was_asked_for_is_not_touched(governed):
    warden = governed()
    for number in range(5):
        write(warden, f"payroll archive {number}")
    warden.plant("qqq", tenant="acme", source="owner")
    assert len(texts(warden, limit=5)) == 5
    assert alarms(warden) == []


def test_a_bait_out_of_the_readers_scope_is_not_touched(governed):
    warden = governed()
    warden.plant(BAIT, tenant="acme", source="user", principal="li", namespace=("li",))
    assert texts(warden, reader=Reader("eve")) == []
    assert alarms(warden) == []
    assert texts(warden, reader=Reader("li")) == []
    assert len(alarms(warden)) == 1


def test_an_alarm_is_settled_by_rejecting_it(governed):
    warden = governed()
    warden.plant(BAIT, tenant="acme", source="owner")
    texts(warden)
    (item,) = alarms(warden)
    assert warden.review.reject(item.id, actor="li", reason="seen").state is State.REJECTED
    with pytest.raises(ReviewConflict):
        warden.review.approve(item.id, actor="li")
    assert texts(warden) == []
    assert alarms(warden) == []


def test_approving_an_alarm_does_not_give_the_bait_away(governed):
    warden = governed()
    warden.plant(BAIT, tenant="acme", source="owner")
    texts(warden)
    (item,) = alarms(warden)
    warden.review.approve(item.id, actor="li")
    assert texts(warden) == []


def test_a_bait_can_be_taken_away(governed):
    warden = governed()
    planted = warden.plant(BAIT, tenant="acme", source="owner")
    kept = write(warden, "The archive is open at nine.")
    warden.uproot(planted, tenant="acme")
    assert texts(warden) == ["The archive is open at nine."]
    assert warden.withheld("acme") == {}
    with pytest.raises(UsageError, match="honeytoken"):
        warden.uproot(planted, tenant="acme")
    with pytest.raises(UsageError, match="honeytoken"):
        warden.uproot(kept.id, tenant="acme")


def test_the_alarm_log_holds_no_text_and_no_name(governed, capsys):
    warden = governed()
    warden.plant(BAIT, tenant="acme", source="owner")
    texts(warden, reader=Reader("eve.the.reader"))
    logged = "".join(capsys.readouterr())
    assert "honeytoken recalled" in logged
    assert "payroll" not in logged
    assert "eve.the" not in logged
