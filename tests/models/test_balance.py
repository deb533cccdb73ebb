"""What is drawn how often, and what is left out together."""

from __future__ import annotations

import numpy as np
import pytest
from models.corpus.rows import CLASSES, Row
from models.training.balance import CLASS_SHARE, FOLDS, LEFT_OUT, family, folds, left_out, weights


def row(
    source: str, label: str = "benign", lang: str = "en", wording: str = "w", n: int = 0
) -> Row:
    return Row(f"text {source} {wording} {n}", lang, label, ("fact",), source, wording, "d", source)


ROWS = [
    *(
        row("written/en_price", "malicious", wording=f"a{i}", n=n)
        for i in range(4)
        for n in range(3)
    ),
    *(row("written/en_price", "benign", wording=f"b{i}") for i in range(5)),
    *(row("public", "benign", wording=f"c{i}") for i in range(40)),
    *(row("written/zh_terse_config", "malicious", "zh", f"d{i}") for i in range(9)),
    *(row("written/zh_terse_config", "benign", "zh", f"e{i}") for i in range(2)),
    *(row("other", label, wording=label) for label in CLASSES[2:]),
]


def test_classes_have_their_shares_and_languages_are_even_inside_a_class() -> None:
    drawn = weights(ROWS)
    assert drawn.sum() == pytest.approx(1.0)
    for label, share in CLASS_SHARE.items():
        mine = [i for i, own in enumerate(ROWS) if own.label == label]
        assert drawn[mine].sum() == pytest.approx(share)
        by_language = {
            lang: sum(drawn[i] for i in mine if ROWS[i].lang == lang) for lang in ("en", "zh")
        }
        present = [share for share in by_language.values() if share > 0]
        assert present == pytest.approx([present[0]] * len(present))


def test_a_wording_weighs_the_same_however_many_expansions_it_has() -> None:
    drawn = weights([*ROWS, row("written/en_price", "malicious", wording="a0", n=9)])
    names = [own.wording for own in ROWS] + ["a0"]
    totals = {
        name: sum(w for w, own in zip(drawn, names, strict=True) if own == name)
        for name in ("a0", "a1")
    }
    assert totals["a0"] == pytest.approx(totals["a1"])


def test_a_family_lies_in_one_fold_and_folds_are_the_same_every_time() -> None:
    places = folds(ROWS)
    assert set(places) <= set(range(FOLDS))
    assert np.array_equal(places, folds(ROWS))
    for name in {family(own) for own in ROWS}:
        assert (
            len({fold for fold, own in zip(places, ROWS, strict=True) if family(own) == name}) == 1
        )


def test_what_is_left_out_is_left_out_as_a_whole_file() -> None:
    chosen = [f"{own.source}" for own, left in zip(ROWS, left_out(ROWS), strict=True) if left]
    assert set(chosen) == {f"written/{name}" for name in LEFT_OUT if name == "zh_terse_config"}
    assert len(chosen) == 11
