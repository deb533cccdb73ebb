"""What happens to a find, end to end: by tier, by tenant, in both languages, and nothing leaks."""

from __future__ import annotations

import logging

import pytest

from memwarden import Candidate, Origin
from memwarden.keys import KeyPlace
from memwarden.model import Action, Part
from memwarden.testing.stores import ListStore
from memwarden.warden import Warden

QUIET = """\
extends: bundled
guards:
  attack: {mode: "off"}
  whitelist: {mode: "off"}
  pii: {names: false}
"""
TREATED = ("keep", "mask", "replace", "pseudonym", "seal", "drop", "hold")
PHONE = {"en": "call me at 415-555-2671 please", "zh": "我的手机是13812345678，记得打"}
VALUE = {"en": "415-555-2671", "zh": "13812345678"}


@pytest.fixture
def store():
    return ListStore()


@pytest.fixture
def warden(tmp_path, store):
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "base.yaml").write_text(QUIET, encoding="utf-8")
    for one in TREATED:
        said = f"extends: base\ntenant: {one}\nentities:\n  PHONE_NUMBER: {one}\n"
        (folder / f"{one}.yaml").write_text(said, encoding="utf-8")
    twin = "extends: base\ntenant: other\nentities:\n  PHONE_NUMBER: pseudonym\n"
    (folder / "other.yaml").write_text(twin, encoding="utf-8")
    tiers = "extends: base\ntenant: tiers\nentities:\n  PHONE_NUMBER: {trusted: keep, else: mask}\n"
    (folder / "tiers.yaml").write_text(tiers, encoding="utf-8")
    keys = KeyPlace(folder=tmp_path / "keys")
    with Warden.open(folder, data_dir=tmp_path / "data", keys=keys, store=store) as opened:
        yield opened


def write(warden, text, tenant, source="user"):
    return warden.write(Candidate(text, origin=Origin(source)), tenant=tenant)


def stored(store, tenant):
    return [one.parts[0].text for one in store.scan(tenant)]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("treatment", "shown"),
    [
        ("keep", {"en": "415-555-2671", "zh": "13812345678"}),
        ("mask", {"en": "415-**5-2671", "zh": "138****5678"}),
        ("replace", {"en": "<PHONE_NUMBER>", "zh": "<PHONE_NUMBER>"}),
        ("pseudonym", {"en": "<PHONE_NUMBER_1>", "zh": "<PHONE_NUMBER_1>"}),
        ("seal", {"en": "<PHONE_NUMBER_1>", "zh": "<PHONE_NUMBER_1>"}),
    ],
)
def test_the_stored_text_shows_what_the_policy_says(warden, store, lang, treatment, shown):
    write(warden, PHONE[lang], treatment)
    (text,) = stored(store, treatment)
    assert text.startswith(PHONE[lang].split(VALUE[lang])[0])
    assert text.endswith(PHONE[lang].split(VALUE[lang])[1])
    if treatment == "mask":
        assert VALUE[lang] not in text
        assert "*" in text
    else:
        assert shown[lang] in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dropped_memory_is_not_stored_and_a_held_one_waits(warden, store, lang):
    assert write(warden, PHONE[lang], "drop").action in (Action.SKIP, Action.REJECT)
    assert write(warden, PHONE[lang], "hold").action is Action.HOLD
    assert stored(store, "drop") == stored(store, "hold") == []


def test_one_value_has_one_number_in_a_tenant_however_it_is_written(warden, store):
    for text in (
        "手机13812345678",
        "call 138 1234 5678",
        "手机一三八一二三四五六七八",
        "手机13999999999",
    ):
        write(warden, text, "pseudonym")
    numbers = [text[text.index("<") :] for text in stored(store, "pseudonym")]
    assert numbers == ["<PHONE_NUMBER_1>"] * 3 + ["<PHONE_NUMBER_2>"]


def test_numbers_of_one_tenant_say_nothing_about_another(warden, store):
    write(warden, "手机13999999999", "other")
    write(warden, "手机13812345678", "other")
    write(warden, "手机13812345678", "pseudonym")
    assert stored(store, "other") == ["手机<PHONE_NUMBER_1>", "手机<PHONE_NUMBER_2>"]
    assert stored(store, "pseudonym") == ["手机<PHONE_NUMBER_1>"]


def test_a_tier_has_its_own_treatment(warden, store):
    write(warden, "call 13812345678", "tiers")
    write(warden, "call 13812345678", "tiers", source="web")
    kept, masked = stored(store, "tiers")
    assert kept == "call 13812345678"
    assert "1234" not in masked


def test_a_placeholder_that_stood_there_before_is_nobodys(warden, store):
    write(warden, "<PHONE_NUMBER_1> is not 13812345678", "seal")
    (text,) = stored(store, "seal")
    assert text == "<PHONE_NUMBER_1> is not <PHONE_NUMBER_1.2>"


def test_key_and_value_in_separate_fields_are_read_together(warden, store):
    parts = [Part("/name", "身份证"), Part("/value", "110105199003078888")]
    decision = warden.write(Candidate(parts, origin=Origin("user")), tenant="seal")
    assert [(f.part, f.entity) for f in decision.findings if f.entity] == [("/value", "CN_ID_CARD")]


@pytest.mark.parametrize("treatment", [one for one in TREATED if one != "keep"])
def test_no_value_leaks_into_logs_or_the_decisions_repr(warden, treatment, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    decision = write(warden, PHONE["zh"], treatment)
    out = capfd.readouterr()
    seen = "\n".join((repr(decision), str(decision), caplog.text, out.out, out.err))
    assert VALUE["zh"] not in seen
    assert all(VALUE["zh"] not in repr(finding) for finding in decision.findings)
