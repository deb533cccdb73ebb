"""The false-alarm gate: alarms on harmless sentences of sources no model was trained on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from models.corpus.public import read_sources
from models.gate.__main__ import ACCEPTED, TIERS, count
from models.gate.collect import FOLDER, read

from memwarden.encoder import Encoder

EVERY = 10


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_there_are_five_thousand_sentences(lang: str) -> None:
    assert len(read(FOLDER / f"{lang}.tsv.gz")) >= 5000


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_family_of_the_gate_is_trained_on(lang: str) -> None:
    families = {family for family, _ in read(FOLDER / f"{lang}.tsv.gz")}
    assert not families & {source for source, _ in read_sources().uses}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_alarms_do_not_rise(lang: str) -> None:
    encoder = Encoder.open(Path(__file__).parents[2] / "models" / "onnx")
    accepted = json.loads(ACCEPTED.read_text())[f"every {EVERY}"][lang]
    alarms = count(encoder, lang, EVERY)
    assert {tier: alarms.total(tier) for tier in TIERS if alarms.total(tier) > accepted[tier]} == {}
