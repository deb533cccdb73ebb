"""From raw scores to probabilities."""

from __future__ import annotations

from math import inf, isclose

from hypothesis import given
from hypothesis import strategies as st

from memwarden.encoder.calibration import Calibration, StageScale

FIRST = StageScale(1.0, 2.0, 3.0, -0.5, 1.0, -0.8, 0.9)
LAST = StageScale(0.0, 1.0, 2.0, 0.0, 2.0, -inf)
CALIBRATION = Calibration((FIRST, LAST))
SCORES = st.floats(-50, 50)


def test_the_score_is_the_mean_of_the_standardised_scores_so_far() -> None:
    assert CALIBRATION.score([3.0]) == 1.0
    assert CALIBRATION.score([3.0, 2.0]) == 1.5


def test_a_window_far_below_is_cleared_and_the_last_stage_never_clears() -> None:
    sure, unsure = [9.0, 0.0], [0.1, 0.0]
    assert CALIBRATION.cleared([-1.0], [sure])
    assert not CALIBRATION.cleared([1.0], [sure])
    assert not CALIBRATION.cleared([-1.0], [unsure])
    assert not CALIBRATION.cleared([-40.0, -40.0], [sure, sure])


@given(SCORES, SCORES)
def test_a_higher_score_is_never_a_lower_probability(left: float, right: float) -> None:
    low, high = sorted((left, right))
    assert 0.0 <= CALIBRATION.attack([low]) <= CALIBRATION.attack([high]) <= 1.0


@given(st.lists(st.lists(SCORES, min_size=4, max_size=4), min_size=1, max_size=2))
def test_kinds_are_probabilities(logits: list[list[float]]) -> None:
    kinds = CALIBRATION.kinds(logits)
    assert isclose(sum(kinds), 1.0, rel_tol=1e-9)
    assert all(0.0 <= p <= 1.0 for p in kinds)
