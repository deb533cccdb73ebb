"""Kinds learned from a tenant's examples when a policy is used, in one language or both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memwarden.encoder import Encoders, PolicyEncoder, Separability
from memwarden.errors import UsageError
from memwarden.model import KINDS, CustomKind, Kind
from memwarden.testing.builders import a_policy

BUNDLED = Path(__file__).parents[2] / "models" / "onnx"
SCORES_EN = (
    "Arsenal beat Everton 3-1 on Saturday.",
    "The final ended 2-2 and went to penalties.",
    "Our team lost to the Tigers by four goals.",
    "Halftime score: Lions 14, Bears 10.",
    "She won the second set 6-4 and the match.",
    "The Giants scored twice in the last inning.",
    "Real Madrid drew with Valencia, one goal each.",
    "Result of the derby: City 4, United 2.",
    "Chelsea won 2-0 against Leeds.",
    "Lakers 110, Celtics 98.",
)
SCORES_ZH = (
    "昨晚国安二比一战胜了申花。",
    "决赛比分是三比零，主队夺冠。",
    "湖人以一百一十比九十八赢下了比赛。",
    "上半场两队一比一战平。",
    "女排三比一击败对手晋级。",
    "这场球我们输了两分。",
    "上海队三比二险胜北京队。",
    "点球大战四比三，蓝队晋级。",
    "国足客场零比零战平对手。",
    "半决赛德国队2比1淘汰西班牙队。",
)
PETS_EN = (
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
PETS_ZH = (
    "猫早上喂半罐。",
    "狗狗八点前要遛一次。",
    "兔子不能吃球生菜。",
    "晚饭时给麦克斯喂心脏药。",
    "鹦鹉笼子每周日清理一次。",
    "猫砂盆一天清理两次。",
    "兽医说小狗要打第二针疫苗。",
    "金鱼一天喂一小撮饲料。",
    "春天隔天给狗梳毛。",
    "千万别给狗吃巧克力和葡萄。",
)
ELSE = (
    "I am allergic to nuts.",
    "The meeting is on Friday at ten.",
    "Please answer in short sentences.",
    "我喜欢喝茶。",
    "会议改到周五上午。",
    "以后请用中文回复。",
)
MIXED = (
    "My name is Sam and I live in Leeds.",
    "Please answer in short sentences.",
    "The kettle costs 25 pounds.",
    "The meeting is on Friday at ten.",
    "Restart the server after each update.",
    "An API is an interface between programs.",
    "Renew the parking permit by Monday.",
    "我对花生过敏。",
    "以后请用中文回复。",
    "会议改到周五上午。",
    "每次更新后重启服务。",
    "这款水壶售价一百元。",
)


@pytest.fixture(scope="module")
def encoders():
    return Encoders(BUNDLED)


@pytest.fixture(scope="module")
def teach(encoders):
    def taught(**kinds) -> PolicyEncoder:
        """A policy with these kinds: name -> examples, or (examples, near misses)."""
        own = []
        for name, shown in kinds.items():
            examples, misses = shown if isinstance(shown[0], tuple) else (shown, ())
            own.append(CustomKind(Kind(name), examples, misses))
        return encoders.of(replace(a_policy(), custom_kinds=tuple(own)))

    return taught


def likeliest(encoder: PolicyEncoder, texts) -> list[Kind]:
    return [windows[0].kinds[0][0] for windows in encoder.encode(texts, "acme")]


@pytest.mark.parametrize(
    ("name", "shown", "told"),
    [
        pytest.param("match_score", SCORES_EN, SCORES_ZH, id="scores: en to zh"),
        pytest.param("match_score", SCORES_ZH, SCORES_EN, id="scores: zh to en"),
        pytest.param("pet_care", PETS_EN, PETS_ZH, id="pets: en to zh"),
        pytest.param("pet_care", PETS_ZH, PETS_EN, id="pets: zh to en"),
    ],
)
def test_examples_in_one_language_teach_the_other(teach, name, shown, told) -> None:
    encoder = teach(**{name: shown})
    assert likeliest(encoder, told).count(name) >= 0.8 * len(told)
    assert name not in likeliest(encoder, ELSE)


def test_two_kinds_of_one_policy_are_told_from_each_other(teach) -> None:
    encoder = teach(match_score=SCORES_EN, pet_care=PETS_ZH)
    assert likeliest(encoder, (SCORES_ZH[0], PETS_EN[0])) == ["match_score", "pet_care"]
    assert all(quality.separable for quality in encoder.separability())


def test_a_policy_without_kinds_reads_as_the_models_do(encoders) -> None:
    plain = encoders.of(a_policy())
    assert plain.encode(ELSE, "acme") == list(encoders.bundled.encode(ELSE))
    assert plain.separability() == ()


def test_too_few_examples_are_refused(teach) -> None:
    encoder = teach(match_score=SCORES_EN[:4])
    with pytest.raises(UsageError, match="4 examples; write at least 10"):
        encoder.encode(["Chelsea won."], "acme")


def test_near_misses_push_their_like_away(teach) -> None:
    near = ("The match starts at three on Saturday.", "比赛周六下午三点开始。")
    (with_them,) = teach(match_score=(SCORES_EN, near)).learned
    (without,) = teach(match_score=SCORES_EN).learned
    for windows in teach().encode(near, "acme"):
        vector = windows[0].vector
        assert with_them.probability(vector) < without.probability(vector)


def test_a_sentence_that_a_kind_does_not_claim_is_read_as_without_it(teach) -> None:
    assert teach(match_score=SCORES_EN).encode(ELSE, "acme") == teach().encode(ELSE, "acme")


def test_readings_with_own_kinds_are_still_probabilities(teach) -> None:
    (plain,) = teach().encode(["Chelsea won 2-0 against Leeds."], "acme")[0]
    (reading,) = teach(match_score=SCORES_EN).encode(["Chelsea won 2-0 against Leeds."], "acme")[0]
    assert sum(p for _, p in reading.kinds) == pytest.approx(1.0)
    assert {kind for kind, _ in reading.kinds} == {*KINDS, "match_score"}
    assert reading.attack == plain.attack


def test_learning_twice_gives_the_same(teach) -> None:
    fresh = Encoders(BUNDLED).of(
        replace(a_policy(), custom_kinds=(CustomKind(Kind("k"), SCORES_EN),))
    )
    assert fresh.learned == teach(k=SCORES_EN).learned


def quality(encoder: PolicyEncoder, name: str) -> Separability:
    return next(one for one in encoder.separability() if one.name == name)


def test_a_kind_that_is_anything_is_called_inseparable_and_from_what(teach) -> None:
    found = quality(teach(anything=MIXED), "anything")
    assert not found.separable
    assert found.confusions
    lost = {at for one in found.confusions for at in one.examples}
    assert len(lost) == round((1 - found.recognised) * len(MIXED))
    assert lost <= set(range(len(MIXED)))


def test_one_kind_under_two_names_is_confused_with_itself(teach) -> None:
    found = quality(teach(scores=SCORES_EN, results=SCORES_ZH), "scores")
    assert not found.separable
    assert found.confusions[0].kind == "results"


def test_an_example_that_belongs_elsewhere_is_pointed_at(teach) -> None:
    found = quality(teach(match_score=(*SCORES_EN, PETS_EN[0])), "match_score")
    assert found.separable
    assert 10 in [at for one in found.confusions for at in one.examples]


def test_a_near_miss_that_is_none_is_pointed_at(teach) -> None:
    far, inside = "The kettle costs 25 pounds.", "Spurs beat Fulham 2-1 on Sunday."
    found = quality(teach(match_score=(SCORES_EN, (far, inside))), "match_score")
    assert found.near_misses == (1,)
