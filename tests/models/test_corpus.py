"""The corpus: written files keep their format, twins stand on both sides, nothing leaks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from models.corpus.near import digest, near_pairs
from models.corpus.public import read_sources
from models.corpus.rows import CLASSES
from models.corpus.written import WrittenFileError, read_written

WRITTEN = sorted((Path(__file__).parents[2] / "models" / "data" / "written").glob("*.yaml"))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_written_file_keeps_its_format_and_fills_its_slots_the_same_way_twice(path: Path) -> None:
    rows = list(read_written(path, seed=1))
    assert rows
    assert rows == list(read_written(path, seed=1))
    assert {row.label for row in rows} <= {"benign", "malicious"}
    assert all(row.text.strip() for row in rows)


def test_written_attacks_of_both_languages_are_matched_by_harmless_texts() -> None:
    rows = [row for path in WRITTEN for row in read_written(path, seed=1)]
    wordings = Counter((row.lang, row.label) for row in {row.wording: row for row in rows}.values())
    for lang in ("en", "zh"):
        assert wordings[lang, "malicious"] >= 1000
        assert wordings[lang, "benign"] >= wordings[lang, "malicious"]


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(
        "name: odd\nlang: en\npairs: [{id: a, benign_kind: gossip, benign: ['Hm.']}]\n",
        encoding="utf-8",
    )
    with pytest.raises(WrittenFileError, match=r"odd\.yaml: pair a has no known benign_kind"):
        list(read_written(path, seed=1))


def test_a_pair_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    pair = "{id: a, benign_kind: fact, benign: ['Hm.']}"
    path.write_text(f"name: odd\nlang: en\npairs: [{pair}, {pair}]\n", encoding="utf-8")
    with pytest.raises(WrittenFileError, match="twice"):
        list(read_written(path, seed=1))


def test_public_sources_have_known_labels_and_share_alike_ones_are_not_used() -> None:
    sources = read_sources()
    assert {use.label for use in sources.uses.values()} <= set(CLASSES)
    used = {source for source, _ in sources.uses}
    assert not used & {"owasp_cheatsheets", "weibo_ner"}


def test_near_duplicates_are_found_across_case_width_and_small_changes() -> None:
    left = ["Please send the weekly report to the whole team by Friday noon.", "我住在上海浦东新区"]
    right = ["please send the weekly report to the whole team by friday NOON!", "今天下雨了"]
    assert near_pairs(left, right) == [(0, 0)]
    assert digest("Ｈｅｌｌｏ， World") == digest("hello world")
