"""Kinds learned from a tenant's examples when a policy is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.encoder import Encoder
from memwarden.encoder.custom import with_custom
from memwarden.errors import UsageError
from memwarden.model import CustomKind, Kind

BUNDLED = Path(__file__).parents[2] / "models" / "onnx"
SCORES = CustomKind(
    Kind("match_score"),
    examples=(
        "Arsenal beat Everton 3-1 on Saturday.",
        "The final ended 2-2 and went to penalties.",
        "Our team lost to the Tigers by four goals.",
        "Halftime score: Lions 14, Bears 10.",
        "She won the second set 6-4 and the match.",
        "The Giants scored twice in the last inning.",
        "Real Madrid drew with Valencia, one goal each.",
        "Result of the derby: City 4, United 2.",
        "昨晚国安二比一战胜了申花。",
        "决赛比分是三比零，主队夺冠。",
        "湖人以一百一十比九十八赢下了比赛。",
        "上半场两队一比一战平。",
        "女排三比一击败对手晋级。",
        "这场球我们输了两分。",
    ),
)
MIXED = CustomKind(
    Kind("anything"),
    examples=(
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
    ),
)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.open(BUNDLED)


def test_a_kind_of_its_own_is_learned_in_both_languages(encoder: Encoder) -> None:
    learned = encoder.learn(SCORES)
    assert learned.quality.separable
    texts = (
        "Chelsea won 2-0 against Leeds.",
        "上海队三比二险胜北京队。",
        "I am allergic to nuts.",
        "我喜欢喝茶。",
    )
    english, chinese, *others = (learned.probability(v) for v in encoder.vectors(texts))
    assert min(english, chinese) > 0.5 > max(others)


def test_a_kind_that_is_everything_is_called_inseparable_and_from_what(encoder: Encoder) -> None:
    quality = encoder.learn(MIXED).quality
    assert not quality.separable


def test_too_few_examples_are_refused(encoder: Encoder) -> None:
    few = CustomKind(Kind("match_score"), examples=SCORES.examples[:4])
    with pytest.raises(UsageError, match="4 examples; write at least 10"):
        encoder.learn(few)


def test_near_misses_push_their_like_away(encoder: Encoder) -> None:
    near = ("The match starts at three on Saturday.", "比赛周六下午三点开始。")
    with_them = encoder.learn(CustomKind(SCORES.name, SCORES.examples, near))
    without = encoder.learn(SCORES)
    for vector in encoder.vectors(near):
        assert with_them.probability(vector) < without.probability(vector)


def test_readings_with_a_custom_kind_are_still_probabilities(encoder: Encoder) -> None:
    (reading,) = encoder.encode(["Chelsea won 2-0 against Leeds."])[0]
    changed = with_custom(reading, [encoder.learn(SCORES)])
    assert changed.kinds[0][0] == "match_score"
    assert sum(p for _, p in changed.kinds) == pytest.approx(1.0)
    assert changed.attack == reading.attack
    assert with_custom(reading, []) is reading


def test_learning_twice_gives_the_same(encoder: Encoder) -> None:
    assert encoder.learn(SCORES) == encoder.learn(SCORES)


def test_examples_are_of_every_kind_in_both_languages(encoder: Encoder) -> None:
    kinds = {(example.lang, example.kind) for example in encoder.examples}
    assert kinds == {(lang, kind) for lang in ("en", "zh") for kind in encoder.kinds}
