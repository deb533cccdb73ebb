"""A kind that a policy shows by examples is asked at every write, at every tier, in any wording."""

from __future__ import annotations

import base64
import json

import pytest

from memwarden.guards.whitelist import Whitelist
from memwarden.model import Candidate, Evidence, Kind, Origin, Tier, WindowReading
from memwarden.warden import Chain

PETS = (
    "Feed the cat half a can in the morning.",
    "Our dog needs a walk before eight.",
    "The rabbit must not eat iceberg lettuce.",
    "Give Max his heart tablet with the evening meal.",
    "The parrot's cage is cleaned every Sunday.",
    "Clean the litter box twice a day.",
    "The vet said the puppy needs a second vaccination.",
    "Goldfish are fed a pinch of flakes once a day.",
    "Brush the dog's coat every other day in spring.",
    "Never give the dog chocolate or grapes.",
)
PAY = (
    "财务部的老王一个月拿一万二。",
    "她去年涨了百分之八的工资。",
    "我的工资每月二十五号发。",
    "新来的人工资比组长还高。",
    "他的年终奖是三个月工资。",
    "工程师底薪两万起。",
    "对方给我开了税前一万五。",
    "公司全员降薪百分之十。",
    "她一年总包大概六十万，含股票。",
    "实习生一小时一百块。",
)
POLICY = f"""\
tenant: acme
kinds:
  pet_care:
    trusted: allow
    else: hold
    examples: {json.dumps(PETS)}
  pay_talk:
    untrusted: reject
    else: hold
    examples: {json.dumps(PAY, ensure_ascii=False)}
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policies")
    (folder / "acme.yaml").write_text(POLICY, encoding="utf-8")
    with Chain.open(folder) as chain:

        def one(text, source="user"):
            (decision,) = chain.preview(
                [Candidate(text, origin=Origin(source=source, principal="tester"))], tenant="acme"
            )
            return decision

        yield one


@pytest.mark.parametrize(
    ("text", "source", "kind", "action"),
    [
        pytest.param("Give the kitten wet food at noon.", "user", "pet_care", "allow", id="en"),
        pytest.param("猫粮一天喂两次，别喂牛奶。", "user", "pet_care", "allow", id="zh"),
        pytest.param("Give the kitten wet food at noon.", "web", "pet_care", "hold", id="web"),
        pytest.param("小张每个月工资八千五。", "user", "pay_talk", "hold", id="forbidden, zh"),
        pytest.param(
            "The interns earn 25 dollars an hour.", "user", "pay_talk", "hold", id="forbidden, en"
        ),
        pytest.param("小张每个月工资八千五。", "web", "pay_talk", "reject", id="forbidden, web"),
    ],
)
def test_the_cell_of_the_kind_decides(judged, text, source, kind, action):
    decision = judged(text, source)
    assert (decision.kind, decision.action.label) == (kind, action)
    assert f"whitelist.{kind}" in {finding.rule for finding in decision.findings}


@pytest.mark.parametrize(
    "text", ["The museum opens at nine.", "以后请用中文回复。", "I am allergic to nuts."]
)
def test_other_texts_keep_their_kinds(judged, text):
    assert judged(text).kind not in ("pet_care", "pay_talk")


def test_a_forbidden_kind_among_allowed_sentences_is_held(judged):
    decision = judged("The museum opens at nine. 小张每个月工资八千五。 Tickets cost ten euros.")
    assert decision.action.label == "hold"


def test_a_forbidden_kind_is_found_where_it_is_encoded(judged):
    hidden = base64.b64encode("小张每个月工资八千五。".encode()).decode()
    assert "whitelist.pay_talk" in {f.rule for f in judged(f"note: {hidden}").findings}


def test_an_own_kind_below_its_threshold_names_nothing():
    kinds = ((Kind("pet_care"), 0.45), (Kind("fact"), 0.4), (Kind("task"), 0.15))
    evidence = Evidence(encoding={"/text": (WindowReading(0, 5, 0.0, kinds),)})
    (found,) = Whitelist().judge(Candidate("words"), evidence, Tier.UNTRUSTED)
    assert found.kind == "fact"
