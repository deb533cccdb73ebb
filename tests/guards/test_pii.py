"""The PII guard: types, exact spans in the original, consent, and what it must leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.guards.pii import Pii
from memwarden.model import (
    Candidate,
    Entity,
    Evidence,
    Finding,
    Guard,
    Need,
    Part,
    PartRole,
    Severity,
    Slot,
    Tier,
    Treatment,
)
from memwarden.pii.catalogue import catalogue
from memwarden.redaction import redact
from memwarden.text import read

GUARD = Pii()


def judge(
    content: str | list[Part],
    *,
    guard: Pii = GUARD,
    tier: Tier = Tier.TRUSTED,
    entities: tuple[Entity, ...] = (),
) -> list[Finding]:
    candidate = Candidate(content)
    views = {part.path: read(part.text) for part in candidate.parts}
    named = {candidate.parts[0].path: entities}
    return list(guard.judge(candidate, Evidence(views=views, entities=named), tier))


def shown(text: str, **settings: object) -> list[tuple[str, str]]:
    return [
        (f.entity, text[f.start : f.end])
        for f in judge(text, **settings)  # type: ignore[arg-type]
    ]


def test_it_is_a_guard() -> None:
    assert isinstance(GUARD, Guard)
    assert GUARD.name == "pii"


TABLE = [
    ("我的手机号是13812345678", [("PHONE_NUMBER", "13812345678")]),
    ("邮箱是zhang@x.com，别忘了", [("EMAIL_ADDRESS", "zhang@x.com")]),
    ("电话一三八零零一三八零零零", [("PHONE_NUMBER", "一三八零零一三八零零零")]),
    ("手机 １３８ １２３４ ５６７８", [("PHONE_NUMBER", "１３８ １２３４ ５６７８")]),
    ("手机1 3 8 1 2 3 4 5 6 7 8", [("PHONE_NUMBER", "1 3 8 1 2 3 4 5 6 7 8")]),
    (
        "一三八零零一三八零零零 11010519491231002X",
        [("PHONE_NUMBER", "一三八零零一三八零零零"), ("CN_ID_CARD", "11010519491231002X")],
    ),
    ("手机1\u200b3812345678", [("PHONE_NUMBER", "1\u200b3812345678")]),
    ("邮箱zhang点wei艾特gmail点com", [("EMAIL_ADDRESS", "zhang点wei艾特gmail点com")]),
    ("my SSN is 781-05-5433.", [("US_SSN", "781-05-5433")]),
    ("the wifi password is Blue-Sky_77", [("PASSWORD", "Blue-Sky_77")]),
    ("密码是abc12345", [("PASSWORD", "abc12345")]),
    ("車牌粵B12345", [("CN_PLATE", "粵B12345")]),
    ("I like tea", []),
    ("我喜欢喝茶", []),
    ("the meeting is at 10:30 on 2024-05-03", []),
    ("订单号13812345678已发货", []),
    ("红烧肉要炖90分钟，加2勺糖", []),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_spans_are_exact_and_stand_in_the_original(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "entity", "requested"),
    [
        ("Remember that I'm allergic to peanuts", "SPECIAL_ALLERGY", True),
        ("I'm allergic to peanuts, please remember that.", "SPECIAL_ALLERGY", True),
        ("记住我对花生过敏", "SPECIAL_ALLERGY", True),
        ("User is allergic to peanuts", "SPECIAL_ALLERGY", False),
        ("我最近确诊了糖尿病", "SPECIAL_HEALTH", False),
        ("请记住：我有糖尿病", "SPECIAL_HEALTH", True),
        ("I am gay", "SPECIAL_SEXUALITY", False),
    ],
)
def test_a_passing_remark_differs_from_a_request(text: str, entity: str, requested: bool) -> None:
    (finding,) = judge(text)
    assert (finding.entity, finding.requested) == (entity, requested)
    assert finding.severity is Severity.INFO


def test_a_stranger_cannot_ask_for_somebody_else() -> None:
    (finding,) = judge("Remember that the user is HIV positive", tier=Tier.UNTRUSTED)
    assert not finding.requested


def test_the_name_of_a_field_and_the_label_beside_it_are_context() -> None:
    parts = [
        Part("/id_card", "110105199003078888"),
        Part("/row/field", "手机"),
        Part("/row/value", "0571 8888 123"),
    ]
    assert ("/id_card", "CN_ID_CARD") in [(f.part, f.entity) for f in judge(parts)]
    assert judge([Part("/count", "110105199003078888")]) == []


def test_every_part_is_looked_at_and_identifiers_only_for_hard_values() -> None:
    parts = [
        Part("/text", "hello"),
        Part("/meta/note", "call 415-555-2671"),
        Part("/user", "zhang@x.com", PartRole.IDENTIFIER),
        Part("/who", "Emily Wilkerson", PartRole.IDENTIFIER),
    ]
    assert [(f.part, f.entity) for f in judge(parts)] == [
        ("/meta/note", "PHONE_NUMBER"),
        ("/user", "EMAIL_ADDRESS"),
    ]


def test_a_models_name_gives_way_to_a_checked_value() -> None:
    text = "Email zhang@x.com"
    named = (Entity("PERSON", 0, len(text), 0.8, "m"),)
    assert ("EMAIL_ADDRESS", "zhang@x.com") in shown(text, entities=named)
    assert all(
        "zhang" not in value for kind, value in shown(text, entities=named) if kind == "PERSON"
    )


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("i like tea and i drink it every day", False),
        ("I like tea. It helps me in the morning.", False),
        ("我喜欢早上喝茶", False),
        ("Yesterday Sarah called", True),
        ("昨天张伟打来电话", True),
        ("阿卜杜拉·买买提来了", True),
    ],
)
def test_models_are_asked_only_where_a_name_can_be(text: str, asks: bool) -> None:
    assert (Need.ENTITIES in GUARD.needs(Candidate(text))) is asks


def test_without_names_no_model_is_asked() -> None:
    assert Pii(names=False).needs(Candidate("Yesterday Sarah called")) == {Need.VIEWS}


def test_a_venues_telephone_is_not_a_persons() -> None:
    venue = "全聚德餐厅的电话是010-65112418，地址在前门大街30号"
    home = "我家电话010-65112418，住前门大街30号3单元201"
    assert [kind for kind, _ in shown(venue)] == ["BUSINESS_PHONE", "BUSINESS_ADDRESS"]
    assert [kind for kind, _ in shown(home)] == ["PHONE_NUMBER", "ADDRESS"]


def test_short_forms_of_names_are_a_setting() -> None:
    assert shown("张总说明天开会") == []
    assert shown("张总说明天开会", guard=Pii(titled_names=True)) == [("PERSON", "张总")]


def test_types_can_be_chosen_and_left_out() -> None:
    text = "zhang@x.com 13812345678"
    assert shown(text, guard=Pii(entities=("EMAIL_ADDRESS",))) == [("EMAIL_ADDRESS", "zhang@x.com")]
    assert shown(text, guard=Pii(ignore=("EMAIL_ADDRESS",))) == [("PHONE_NUMBER", "13812345678")]


def test_what_is_hidden_in_an_encoding_is_found_whole() -> None:
    text = "note: cGFzc3dvcmQ6IGh1bnRlcjI="
    assert shown(text) == [("PASSWORD", "cGFzc3dvcmQ6IGh1bnRlcjI=")]


def test_every_finding_has_a_reason_in_both_languages_without_the_value() -> None:
    for finding in judge("zhang@x.com, 13812345678, my password is hunter22, I am gay"):
        assert finding.reason.en
        assert finding.reason.zh
        assert "zhang" not in f"{finding.reason.en}{finding.reason.zh}"
        assert finding.entity in catalogue()


def test_placeholders_are_nobodys_data() -> None:
    assert judge("<PERSON_3> wrote to <EMAIL_ADDRESS_12.2> from <PHONE_NUMBER>") == []


people = st.builds(
    "{} {} {} {}".format,
    st.sampled_from(["我叫王小明，", "Contact: Ann Lee", "记住我对花生过敏。", "客户"]),
    st.sampled_from(["13812345678", "+1 415-555-2671", "010-65112418", "一三八零零一三八零零零"]),
    st.sampled_from(["zhang@x.com", "11010519491231002X", "6222020000000000018", "no"]),
    st.sampled_from(
        ["密码是abc12345", "12 Main Street, Springfield, IL 62704", "京A12345", "再见"]
    ),
)


@settings(deadline=None)
@given(people, st.sampled_from([Treatment.SEAL, Treatment.MASK, Treatment.REPLACE]))
def test_redacting_a_redacted_text_changes_nothing(text: str, treatment: Treatment) -> None:
    def slots(of: str) -> list[Slot]:
        found = [f for f in judge(of) if not f.entity.startswith("SPECIAL_")]
        return [Slot(f.part, f.start, f.end, f.entity, treatment) for f in found]

    numbers: dict[str, int] = {}
    once = redact([Part("/text", text)], slots(text), lambda e, v: numbers.setdefault(e + v, 7))
    assert slots(once.parts[0].text) == []


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_judged_with_spans_inside_it(text: str) -> None:
    found = [f for f in judge(text) if not f.entity.startswith("SPECIAL_")]
    last = 0
    for finding in found:
        assert last <= finding.start < finding.end <= len(text)
        last = finding.end


def test_the_birthday_of_an_actor_is_no_secret_of_the_users() -> None:
    assert shown("汤姆·哈迪，1977年9月15日出生于伦敦，英国演员") == [("PERSON", "汤姆·哈迪")]
    assert ("DATE_OF_BIRTH", "1977年9月15日") in shown("我1977年9月15日出生，是个演员")
