"""Variance components against statsmodels' mean squares and against simulated truth."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from core.comparison.score_matrix import ScoreMatrix
from core.comparison.variance import study_variance
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered


def made_up(shape: tuple[int, int, int], seed: int, *spread: float) -> list[ScoreMatrix]:
    """Scores by topic, system and version whose effects have these standard deviations."""
    rng = np.random.default_rng(seed)
    t, s, v, ts, tv, sv, left = spread
    values = (
        t * rng.normal(size=(shape[0], 1, 1))
        + s * rng.normal(size=(1, shape[1], 1))
        + v * rng.normal(size=(1, 1, shape[2]))
        + ts * rng.normal(size=(shape[0], shape[1], 1))
        + tv * rng.normal(size=(shape[0], 1, shape[2]))
        + sv * rng.normal(size=(1, shape[1], shape[2]))
        + left * rng.normal(size=shape)
    )
    return [matrix_of(values[:, :, at]) for at in range(shape[2])]


def test_mean_squares_of_three_versions_against_statsmodels():
    matrices = made_up((6, 4, 3), 1, 1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.6)
    values = np.stack([one.values for one in matrices], axis=2)
    rows = pd.DataFrame(
        [(t, s, v, values[t, s, v]) for t in range(6) for s in range(4) for v in range(3)],
        columns=["t", "s", "v", "y"],
    )
    table = anova_lm(smf.ols("y ~ (C(t) + C(s) + C(v)) ** 2", rows).fit())
    square = table["mean_sq"].to_dict()
    found = study_variance(matrices).components.set_index("source")
    left = square["Residual"]
    expected = {
        "topic × system × version": left,
        "topic × system": (square["C(t):C(s)"] - left) / 3,
        "topic × version": (square["C(t):C(v)"] - left) / 4,
        "system × version": (square["C(s):C(v)"] - left) / 6,
        "system": (square["C(s)"] - square["C(t):C(s)"] - square["C(s):C(v)"] + left) / 18,
        "topic": (square["C(t)"] - square["C(t):C(s)"] - square["C(t):C(v)"] + left) / 12,
        "version": (square["C(v)"] - square["C(t):C(v)"] - square["C(s):C(v)"] + left) / 24,
    }
    for source, variance in expected.items():
        assert found.loc[source, "variance"] == pytest.approx(max(variance, 0), abs=1e-12), source
    assert found["share"].sum() == pytest.approx(1)
    assert found["degrees"].to_dict()["topic × system × version"] == 5 * 3 * 2


def test_one_version_by_hand():
    """Four topics, three systems: sums of squares worked by hand."""
    study = study_variance([matrix_of([[3, 2, 1], [5, 3, 1], [4, 4, 1], [4, 3, 1]])])
    table = study.components.set_index("source")
    # Means of systems 4, 3, 1: square 4 (4/3² ...) = 56/3 over 2; of topics 2, 3, 3, 8/3.
    between = 4 * ((4 - 8 / 3) ** 2 + (3 - 8 / 3) ** 2 + (1 - 8 / 3) ** 2) / 2
    total = sum((x - 8 / 3) ** 2 for x in (3, 2, 1, 5, 3, 1, 4, 4, 1, 4, 3, 1))
    topics = 3 * sum((x - 8 / 3) ** 2 for x in (2, 3, 3, 8 / 3))
    left = (total - 2 * between - topics) / 6
    assert table.loc["topic × system", "variance"] == pytest.approx(left)
    assert table.loc["system", "variance"] == pytest.approx((between - left) / 4)
    assert study.relative == pytest.approx(1 - left / between)
    assert study.low < study.relative < study.high <= 1
    assert study.absolute <= study.relative
    assert study.reason == ""
    # Cronbach's α is the same number.
    items = np.array([[3, 5, 4, 4], [2, 3, 4, 3], [1, 1, 1, 1]], dtype=float)
    alpha = 4 / 3 * (1 - items.var(axis=0, ddof=1).sum() / items.sum(axis=1).var(ddof=1))
    assert study.relative == pytest.approx(alpha)


def test_so_many_topics_bring_the_coefficient_to_95():
    study = study_variance([scattered(20, 6, seed=1)])
    own, error = (
        study.components.set_index("source")["variance"][name]
        for name in ("system", "topic × system")
    )
    needed = int(study.topics_needed)
    assert own / (own + error / needed) >= 0.95 > own / (own + error / (needed - 1))


def test_components_are_found_again():
    spread = (1, 0.5, 0.3, 0.7, 0.4, 0.4, 0.6)
    study = study_variance(made_up((150, 60, 40), 3, *spread))
    found = study.components.set_index("source")["variance"]
    names = ["topic", "system", "version", "topic × system", "topic × version"]
    names += ["system × version", "topic × system × version"]
    for name, one in zip(names, spread, strict=True):
        assert found[name] == pytest.approx(one**2, rel=0.5), name
    assert study.topics_needed >= 1
    assert "several versions" in study.reason
    assert np.isnan(study.low)


def test_no_number_of_topics_makes_up_for_few_versions():
    study = study_variance(made_up((30, 8, 2), 5, 1, 0.2, 0, 0.1, 0, 1, 0.1))
    assert study.topics_needed == np.inf


def test_nothing_that_varies_has_no_coefficient():
    study = study_variance([matrix_of([[0.5, 0.5], [0.3, 0.3]])])
    assert np.isnan(study.relative)
    assert np.isnan(study.topics_needed)
    assert "nothing varies" in study.reason
    flat = study_variance([matrix_of([[0.5, 0.5], [0.5, 0.5]])])
    assert flat.components["share"].isna().all()


def test_versions_may_order_systems_and_topics_their_own_way():
    one, other = made_up((5, 3, 2), 7, 1, 1, 1, 1, 1, 1, 1)
    turned = ScoreMatrix(other.systems[::-1], other.topics[::-1], other.values[::-1, ::-1])
    assert study_variance([one, turned]).relative == study_variance([one, other]).relative


def test_what_cannot_be_split_is_refused():
    with pytest.raises(BadInput, match="no scores"):
        study_variance([])
    with pytest.raises(BadInput, match="different systems or topics"):
        study_variance([scattered(5, 3, seed=1), scattered(5, 4, seed=1)])
