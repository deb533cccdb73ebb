"""Every recogniser against values, broken values, look-alikes, Chinese beside it, and disguises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from memwarden.pii import Search, catalogue, detect, recognizers
from memwarden.pii.load import fill

TABLE = yaml.safe_load((Path(__file__).parent / "golden" / "recognisers.yaml").read_text("utf-8"))
FOUND = ("valid", "glued", "disguised")
LEFT = ("invalid", "near")
SEARCH = Search(names=False)
BY_MODELS = {"PERSON", "ORGANIZATION", "LOCATION", "NRP"}


def found() -> Iterator[object]:
    for entity, rows in TABLE.items():
        for column in FOUND:
            for number, (text, value) in enumerate(rows.get(column, {}).items()):
                yield pytest.param(
                    entity, fill(text), fill(value), id=f"{entity}-{column}-{number}"
                )


def left() -> Iterator[object]:
    for entity, rows in TABLE.items():
        for column in LEFT:
            for number, text in enumerate(rows.get(column, ())):
                yield pytest.param(entity, text, id=f"{entity}-{column}-{number}")


@pytest.mark.parametrize(("entity", "text", "value"), list(found()))
def test_a_value_is_found_whole_in_every_guise(entity: str, text: str, value: str) -> None:
    assert (entity, value) in [
        (one.entity, text[one.start : one.end]) for one in detect(text, SEARCH)
    ]


@pytest.mark.parametrize(("entity", "text"), list(left()))
def test_what_only_looks_like_it_is_left_alone(entity: str, text: str) -> None:
    assert entity not in {one.entity for one in detect(text, SEARCH)}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("entity", sorted(TABLE))
def test_each_recogniser_works_alone_in_anybodys_presidio(
    entity: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    def nobody_home(*_: object) -> None:
        raise AssertionError("a recogniser called out")

    monkeypatch.setattr("socket.socket.connect", nobody_home)
    alone = [one for one in recognizers((language,)) if one.supported_entities == [entity]]
    models = [{"lang_code": language, "model_name": "none"}]
    engine = AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=alone, supported_languages=[language]),
        nlp_engine=NoOpNlpEngine(models),
        supported_languages=[language],
    )
    for raw, wanted in TABLE[entity]["valid"].items():
        text = fill(raw)
        results = engine.analyze(text, language=language)
        assert fill(wanted) in [text[one.start : one.end] for one in results]
        assert {one.entity_type for one in results} == {entity}


def test_every_type_that_patterns_find_stands_in_the_table() -> None:
    kinds = {n for n in catalogue() if not n.startswith(("SPECIAL_", "BUSINESS_"))} - BY_MODELS
    assert set(TABLE) == kinds
    assert all("valid" in rows and "near" in rows for rows in TABLE.values())
