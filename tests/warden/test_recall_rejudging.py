"""What today's policy would not write is withheld and put before a reviewer, once."""

from __future__ import annotations

import pytest

from memwarden import Candidate, Origin
from memwarden.ledger import Verified, show, verify
from memwarden.model import Action, Part, Tier
from memwarden.review import State, Wanted
from memwarden.testing.stores import ListStore
from memwarden.warden import Reader, Stored

TEXT = {"en": "The tea codeword is bluebird.", "zh": "茶室的暗号是蓝鸟。"}
FORBIDDEN = """\
patterns:
  acme.codeword:
    pattern: 'codeword|暗号'
    severity: high
    reason: {en: codewords stay out of memory, zh: 暗号不进入记忆}
"""
REJECTED = FORBIDDEN.replace("high", "critical") + "severities: {critical: reject}\n"
WITHHELD = "no longer allowed by policy"
ALL = Wanted(tenant="acme", states=tuple(State))


def write(warden, text, source="user", principal="", **more):
    return warden.write(Candidate(text, origin=Origin(source, principal), **more), tenant="acme")


def texts(warden, **more):
    return [one.text for one in warden.recall("tea 茶", tenant="acme", **more)]


def sound(warden):
    with warden.books.database.read() as conn:
        steps = verify(conn, "acme", warden.books.ring.root.public_key)
        return all(step.sound for step in steps if isinstance(step, Verified))


@pytest.mark.parametrize("source", ["user", "web"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_memory_that_became_forbidden_is_withheld_and_waits_for_a_person(governed, lang, source):
    written = write(governed(), TEXT[lang], source)
    assert written.action is Action.ALLOW
    warden = governed(FORBIDDEN)
    assert texts(warden) == []
    assert warden.withheld("acme") == {WITHHELD: 1}
    (item,) = warden.review.items(Wanted(tenant="acme"))
    assert (item.tier, item.source, item.store) == (written.tier, source, "list")
    assert "acme.codeword" in item.rules
    assert warden.review.show(item.id).preview.text == TEXT[lang]
    with warden.books.database.read() as conn:
        story = show(conn, "acme", item.decision)
    assert story.operation == "quarantine"
    assert story.entered.leaf.derived_from == (written.id,)
    assert sound(warden)


def test_it_is_put_there_once_for_every_revision_and_process(governed):
    write(governed(), TEXT["en"])
    for _ in range(2):
        warden = governed(FORBIDDEN)
        for _ in range(3):
            texts(warden)
    assert len(warden.review.items(ALL)) == 1
    warden = governed(FORBIDDEN + "language: zh\n")
    texts(warden)
    assert len(warden.review.items(ALL)) == 2


def test_the_quarantined_item_keeps_the_origin_that_wrote_it(governed):
    warden = governed()
    written = write(warden, TEXT["en"], principal="li")
    warden = governed(FORBIDDEN)
    texts(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    with warden.books.database.read() as conn:
        assert item.origin == show(conn, "acme", written.id).entered.leaf.origin


def test_an_approved_memory_is_given_out_again_and_is_still_its_writers(governed, store):
    write(governed(), TEXT["en"], principal="li", subject="li", namespace=("a",))
    (before,) = store.scan("acme")
    warden = governed(FORBIDDEN)
    texts(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    assert warden.review.approve(item.id, actor="mei").state is State.APPROVED
    assert texts(warden) == [TEXT["en"]]
    assert texts(warden, reader=Reader("li"), namespace=("a",)) == [TEXT["en"]]
    assert texts(warden, reader=Reader("mei")) == []
    (after,) = store.scan("acme")
    assert after.memory_id == before.memory_id
    for field in ("orig", "by", "who", "ns", "tier"):
        assert after.stamp[field] == before.stamp[field]
    (memory,) = warden.recall("tea", tenant="acme")
    assert (memory.stamped, memory.tier) == (True, Tier.TRUSTED)
    assert texts(governed(FORBIDDEN + "language: zh\n")) == [TEXT["en"]]


def test_what_a_person_rejected_stays_withheld_even_if_policy_changes_its_mind(governed):
    write(governed(), TEXT["en"])
    warden = governed(FORBIDDEN)
    texts(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    warden.review.reject(item.id, actor="mei", reason="it opens the tea room")
    warden = governed()
    assert texts(warden) == []
    assert warden.withheld("acme") == {"refused by a reviewer": 1}
    warden.review.restore(item.id, actor="mei")
    assert texts(warden) == [TEXT["en"]]


def test_what_a_rule_rejected_comes_back_with_the_rule_gone(governed):
    write(governed(), TEXT["en"])
    warden = governed(REJECTED)
    assert texts(warden) == []
    (item,) = warden.review.items(ALL)
    assert item.state is State.REJECTED
    assert texts(governed()) == [TEXT["en"]]


def test_an_edit_replaces_the_memory_under_the_same_id_and_writer(governed, store):
    write(governed(), TEXT["en"], principal="li")
    warden = governed(FORBIDDEN)
    texts(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    warden.review.edit(item.id, "There is a tea room.", actor="mei")
    assert texts(warden, reader=Reader("li")) == ["There is a tea room."]
    assert len(list(store.scan("acme"))) == 1


def test_an_erased_person_is_erased_from_the_quarantine_too(governed):
    """The sealed copy hangs from the subject's own key, though only a digest of them was known."""
    from memwarden.errors import VaultError
    from memwarden.vault import destroy_subject

    write(governed(), TEXT["en"], principal="li", subject="li.lei")
    warden = governed(FORBIDDEN)
    texts(warden)
    (item,) = warden.review.items(Wanted(tenant="acme"))
    books = warden.books
    erased = books.database.write(lambda conn: destroy_subject(conn, books.ring, "acme", "li.lei"))
    assert erased.seals == 1
    with pytest.raises(VaultError):
        warden.review.reveal(item.id, actor="mei", reason="look")


def test_a_full_queue_withholds_all_the_same(governed):
    warden = governed()
    for number in range(3):
        write(warden, f"{TEXT['en']} {number}", "web")
    warden = governed(FORBIDDEN + "limits: {pending_per_origin: 1}\n")
    assert texts(warden) == []
    assert len(warden.review.items(Wanted(tenant="acme"))) == 1


def test_personal_data_that_today_would_be_redacted_is_masked_on_the_way_out(governed):
    text = "The tea house: zhang.wei@example.com"
    write(governed("entities: {EMAIL_ADDRESS: keep}\n"), text)
    assert texts(governed("entities: {EMAIL_ADDRESS: keep}\n")) == [text]
    (shown,) = texts(governed("entities: {EMAIL_ADDRESS: seal}\n"))
    assert "zhang.wei" not in shown
    assert shown.startswith("The tea house: ")


def test_what_would_be_skipped_today_is_withheld_without_bothering_anybody(governed):
    write(governed(), "tea and so on")
    warden = governed("kinds: {other: skip}\n")
    assert texts(warden) == []
    assert warden.review.items(ALL) == ()


def test_observe_mode_watches_and_gives_out(governed):
    write(governed(), TEXT["en"])
    assert texts(governed(FORBIDDEN + "mode: observe\n")) == [TEXT["en"]]


def test_a_tenant_can_do_without(governed):
    write(governed(), TEXT["en"])
    assert texts(governed(FORBIDDEN + "read: {rejudge: false}\n")) == [TEXT["en"]]


def test_an_unchanged_memory_is_judged_once_per_revision(governed):
    warden = governed()
    write(warden, "green tea")
    judged = []
    judge = warden._recalling._rejudging._judge
    warden._recalling._rejudging._judge = lambda these, policy: (
        judged.extend(these) or judge(these, policy)
    )
    for _ in range(3):
        assert texts(warden) == ["green tea"]
    assert len(judged) == 1


def test_what_cannot_be_judged_is_not_given_out_and_harms_nobody_else(warden, store):
    write(warden, "green tea")
    store.put("acme", [Stored("huge", (Part("/text", "tea" * 3_000_000),), {})])
    assert texts(warden) == ["green tea"]


@pytest.mark.parametrize("parts", [(), (Part("/text", " "),)], ids=["no part", "blank"])
def test_a_record_without_a_word_in_it_has_nothing_to_withhold(warden, store, parts):
    store.put("acme", [Stored("numbers", parts, {}), Stored("huge", (Part("/t", "x"),), {})])
    assert len(texts(warden)) == 2


def test_a_store_that_is_not_here_leaves_an_approved_memory_readable(governed):
    """The desk's process need not have the store: what waits for its writer is stored already."""
    store = ListStore("elsewhere")
    write(governed(store=store), TEXT["en"])
    warden = governed(FORBIDDEN, store=store)
    texts(warden)
    desk = governed(FORBIDDEN).review
    (item,) = desk.items(Wanted(tenant="acme"))
    assert desk.approve(item.id, actor="mei").state is State.AWAITING_WRITER
    assert texts(warden) == [TEXT["en"]]
