"""Policies explained, tried and drafted; stored memories found, deleted and exported."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.console.conftest import HOSTILE, Browser

from memwarden import Candidate, Origin
from memwarden.console import build
from memwarden.ledger import ConfigChange, export


@pytest.fixture
def ada(warden, settings, policies):
    """An administrator of a console that knows its policy files."""
    browser = Browser(build(warden, replace(settings, policies=policies)))
    browser.sign_in("ada")
    return browser


def test_every_setting_says_where_it_was_written(signed_in):
    page = signed_in("sam").get("/policy?tenant=acme&only=kinds.other").text
    assert "kinds.other" in page
    assert "base.yaml:" in page
    assert "entities." not in page.split("<tbody>")[-1]


def test_a_text_can_be_tried_and_nothing_of_it_is_recorded(signed_in, warden):
    sam = signed_in("sam")
    page = sam.post("/policy/try", _from="/policy", tenant="acme", text=HOSTILE, source="web")
    assert "override.ignore-instructions" in page.text
    assert "<mark" in page.text
    assert warden.review.items() == ()
    assert not list(warden._store.scan("acme"))


def test_a_draft_shows_what_it_would_change_and_is_not_kept(ada, hold, policies):
    hold()
    before = (policies / "acme.yaml").read_text("utf-8")
    page = ada.post(
        "/policy/compare", _from="/policy", tenant="acme", draft="tenant: acme\nmode: observe\n"
    ).text
    assert "mode" in page
    assert "1 of 1 recent texts would be decided otherwise" in page
    assert "held</span> → " in page
    assert (policies / "acme.yaml").read_text("utf-8") == before


def test_mistakes_in_a_draft_are_named_by_line(ada):
    draft = "tenant: acme\nmod: observe\n"
    page = ada.post("/policy/compare", _from="/policy", tenant="acme", draft=draft).text
    assert "acme.yaml:2:1" in page
    assert "/tmp" not in page


def test_only_administrators_draft_and_reload(signed_in, ada, policies):
    li = signed_in("li")
    for path in ("/policy/compare", "/policy/reload"):
        assert li.post(path, tenant="acme", draft="tenant: acme\n").status_code == 403
    assert '<textarea class="code"' not in li.get("/policy?tenant=acme").text
    (policies / "acme.yaml").write_text("tenant: acme\nmode: observe\n", encoding="utf-8")
    assert ada.post("/policy/reload", tenant="acme").status_code == 303
    assert "observe" in ada.get("/policy?tenant=acme&only=mode").text


def test_a_tenant_of_somebody_else_has_no_policy_page(signed_in):
    assert signed_in("eve").get("/policy?tenant=acme").status_code == 404
    eve = signed_in("eve")
    assert eve.post("/policy/try", tenant="acme", text="x", source="user").status_code == 404


# -- memories -------------------------------------------------------------------------------------


@pytest.fixture
def stored(warden):
    for text, who in (("Sam likes oolong tea", "sam"), ("Li likes coffee", "li-7")):
        candidate = Candidate(text, origin=Origin("user", principal=who), subject=who)
        warden.write(candidate, tenant="acme")


def look(browser, **fields):
    return browser.post("/memories", tenant="acme", **fields).text


def test_memories_are_found_by_person_exactly_and_by_words(signed_in, stored):
    li = signed_in("li")
    assert "oolong" in look(li)
    assert "coffee" in look(li)
    assert "coffee" not in look(li, subject="sam")
    assert "Nothing found" in look(li, subject="sa")
    assert "oolong" in look(li, text="OOLONG")


def test_a_memory_is_deleted_on_the_record(signed_in, stored, warden):
    (sam,) = [one for one in warden._store.scan("acme") if "oolong" in one.parts[0].text]
    page = signed_in("li").post(
        "/memories/delete", tenant="acme", store="list", memory=sam.memory_id
    )
    assert "oolong" not in page.text
    assert len(list(warden._store.scan("acme"))) == 1
    with warden.books.database.read() as conn:
        last = json.loads(list(export(conn, "acme"))[-1])["record"]
    assert last["type"] == ConfigChange.type.value
    assert sam.memory_id not in json.dumps(last)
    assert last["body"]["actor"]


def test_a_persons_data_can_be_exported_by_an_administrator_alone(signed_in, stored):
    fields = {"tenant": "acme", "subject": "sam"}
    assert signed_in("li").post("/memories/export", **fields).status_code == 403
    answer = signed_in("ada").post("/memories/export", **fields)
    assert [one["text"] for one in json.loads(answer.text)["memories"]] == ["Sam likes oolong tea"]
    assert signed_in("ada").post("/memories/export", tenant="acme").status_code == 400


@pytest.mark.parametrize("path", ["/memories", "/memories/delete", "/memories/export"])
def test_memories_are_for_reviewers_of_that_tenant(signed_in, stored, warden, path):
    fields = {"tenant": "acme", "store": "list", "memory": "x", "subject": "sam"}
    assert signed_in("sam").post(path, **fields).status_code == 403
    assert signed_in("eve").post(path, **fields).status_code == 404
    assert len(list(warden._store.scan("acme"))) == 2


def test_the_name_of_a_person_is_never_in_an_address(signed_in, stored):
    page = signed_in("li").get("/memories?tenant=acme&subject=sam").text
    assert "oolong" not in page
    assert 'value="sam"' not in page
