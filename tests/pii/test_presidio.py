"""The recognizers work in anybody's Presidio, in both languages, without a model or the network."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memwarden.errors import UsageError
from memwarden.pii import catalogue, recognizers, registry

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.fixture(scope="module")
def analyzer():  # type: ignore[no-untyped-def]
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    return AnalyzerEngine(
        registry=registry(),
        nlp_engine=NoOpNlpEngine(
            [{"lang_code": "en", "model_name": "no_op"}, {"lang_code": "zh", "model_name": "no_op"}]
        ),
        supported_languages=["en", "zh"],
    )


@pytest.mark.parametrize(
    ("language", "text", "entity", "value"),
    [
        ("zh", "我的手机是13812345678。", "PHONE_NUMBER", "13812345678"),
        ("zh", "身份证11010519491231002X", "CN_ID_CARD", "11010519491231002X"),
        ("zh", "信用卡4111 1111 1111 1111", "CREDIT_CARD", "4111 1111 1111 1111"),
        ("en", "邮箱是zhang@x.com", "EMAIL_ADDRESS", "zhang@x.com"),
        ("en", "my SSN is 781-05-5433", "US_SSN", "781-05-5433"),
        ("en", "I am a practicing Muslim", "SPECIAL_FAITH", "I am a practicing Muslim"),
    ],
)
def test_an_analyzer_finds_values_through_the_registry(  # type: ignore[no-untyped-def]
    analyzer, language: str, text: str, entity: str, value: str
) -> None:
    results = analyzer.analyze(text, language=language, entities=[entity])
    assert [text[one.start : one.end] for one in results] == [value]
    assert results[0].entity_type == entity


def test_every_type_that_needs_no_model_has_a_recognizer_in_each_language() -> None:
    kinds = {(one.supported_entities[0], one.supported_language) for one in recognizers()}
    public = {"BUSINESS_PHONE", "BUSINESS_ADDRESS", "BUSINESS_EMAIL"}
    expected = set(catalogue()) - {"LOCATION", "NRP"} - public
    assert {name for name, _ in kinds} == expected
    assert {lang for _, lang in kinds} == {"en", "zh"}


def test_one_recognizer_can_be_used_alone() -> None:
    from memwarden.pii.recognizers import CnIdCard  # type: ignore[attr-defined]

    (result,) = CnIdCard().analyze("证件号11010519491231002X", [])
    assert (result.start, result.end) == (3, 21)
    assert result.score > 0.9
    assert CnIdCard().country_code() == "cn"
    assert CnIdCard().analyze("证件号11010519491231002X", ["PERSON"]) == []


def test_a_language_nobody_speaks_here_is_refused() -> None:
    with pytest.raises(UsageError, match="fr"):
        recognizers(("fr",))


def test_the_chain_never_imports_presidio_or_spacy() -> None:
    code = (
        "import sys; from memwarden.guards.pii import Pii; from memwarden.encoder.ner import ner;"
        "from memwarden.pii import detect; detect('zhang@x.com'); ner(['Sarah Connor 张伟']);"
        "bad = {'presidio_analyzer', 'spacy', 'transformers', 'torch'} & set(sys.modules);"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
