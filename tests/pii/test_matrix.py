"""Every recogniser against values, broken values, look-alikes, Chinese beside it, and disguises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from memwarden.pii import Search, catalogue, detect
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


def test_every_type_that_patterns_find_stands_in_the_table() -> None:
    kinds = {n for n in catalogue() if not n.startswith(("SPECIAL_", "BUSINESS_"))} - BY_MODELS
    assert set(TABLE) == kinds
    assert all("valid" in rows and "near" in rows for rows in TABLE.values())
