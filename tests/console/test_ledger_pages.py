"""The ledger in the browser: stories, proofs, and whether anybody changed the past."""

from __future__ import annotations

import json

import pytest

from memwarden.ledger import Inclusion, export_anchor, signed_head


def checked(browser, app, **fields):
    """Verify, wait, and show how it ended."""
    answer = browser.post("/ledger/check", _from="/ledger?tenant=acme", tenant="acme", **fields)
    assert answer.status_code == 303
    app.state.house.checks.wait()
    return browser.get("/ledger/check?tenant=acme").text


def test_an_untouched_ledger_is_sound(signed_in, held, app):
    assert "nothing was changed" in checked(signed_in("sam"), app)


def test_a_changed_record_is_named_in_the_readers_language(signed_in, held, app, warden):
    warden.books.database.write(
        lambda conn: conn.execute("UPDATE decision SET leaf = replace(leaf, 'hold', 'allow')")
    )
    english = checked(signed_in("sam"), app)
    assert "Something is wrong" in english
    assert "nothing was changed" not in english
    chinese = signed_in("sam", "zh").get("/ledger/check?tenant=acme").text
    assert "发现问题" in chinese


def test_heads_that_were_kept_elsewhere_are_compared(signed_in, hold, app, warden, tmp_path):
    hold()
    with warden.books.database.read() as conn:
        head = signed_head(conn, "acme", warden.books.ring.root.public_key)
    export_anchor(tmp_path / "heads.jsonl", [head])
    anchors = (tmp_path / "heads.jsonl").read_text("utf-8")
    hold()
    assert "agrees with 1 anchored" in checked(signed_in("sam"), app, anchors=anchors)


def test_anchors_that_are_none_are_refused(signed_in, held):
    sam = signed_in("sam")
    answer = sam.post("/ledger/check", _from="/ledger", tenant="acme", anchors="no head")
    assert 400 <= answer.status_code < 600
    assert "<h1>" in answer.text


def test_a_decision_tells_its_whole_story(signed_in, held, warden):
    warden.review.approve(held, actor="li", reason="fine")
    page = signed_in("sam").get(f"/decisions/acme/{held}")
    assert page.status_code == 200
    for word in (
        "From candidate to receipt",
        "override.ignore-instructions",
        "Approved",
        "checked",
    ):
        assert word in page.text
    assert "sam.lee" not in page.text


def test_a_proof_can_be_taken_away_and_holds(signed_in, hold):
    held = [hold() for _ in range(5)][2]
    answer = signed_in("sam").get(f"/decisions/acme/{held}/proof")
    assert "attachment" in answer.headers["content-disposition"]
    told = json.loads(answer.text)["record_in_ledger"]
    proof = Inclusion(
        bytes.fromhex(told["leaf"]),
        told["index"],
        told["size"],
        tuple(bytes.fromhex(one) for one in told["path"]),
    )
    assert proof.holds(bytes.fromhex(told["root"]))


def test_growth_is_proved(signed_in, hold):
    for _ in range(4):
        hold()
    sam = signed_in("sam")
    page = sam.get("/ledger/growth?tenant=acme&old=1&new=4")
    assert "Nothing before was changed" in page.text
    for query in ("old=0&new=x", "old=5&new=4", "old=1&new=999", ""):
        assert sam.get(f"/ledger/growth?tenant=acme&{query}").status_code == 400


def test_the_list_can_be_narrowed_and_continued(signed_in, hold, warden, monkeypatch):
    from memwarden.console import ledger_pages

    monkeypatch.setattr(ledger_pages, "_PAGE", 2)
    ids = [hold() for _ in range(3)]
    sam = signed_in("sam")
    first = sam.get("/ledger?tenant=acme&action=hold").text
    assert ids[2] in first
    assert ids[0] not in first
    assert ids[0] in sam.get(f"/ledger?tenant=acme&before={ids[1]}").text
    assert "No decisions" in sam.get("/ledger?tenant=acme&action=skip").text
    assert sam.get("/ledger?tenant=acme&action=nonsense").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/decisions/acme/{held}",
        "/decisions/acme/{held}/proof",
        "/ledger?tenant=acme",
        "/ledger/check?tenant=acme",
        "/ledger/growth?tenant=acme&old=1&new=1",
    ],
)
def test_another_tenants_ledger_is_not_there(signed_in, held, path):
    assert signed_in("eve").get(path.format(held=held)).status_code == 404
    assert signed_in("sam").get(path.format(held=held)).status_code == 200


def test_an_unknown_decision_is_not_there(signed_in, held):
    assert signed_in("sam").get("/decisions/acme/nothing").status_code == 404
    assert signed_in("sam").get("/decisions/acme/nothing/proof").status_code == 404
