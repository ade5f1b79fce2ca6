"""The model of relevance: against a plain fit, and its laws."""

import numpy as np
import pytest

from core.stopping.relevance_model import (
    SLOPES,
    columns_of,
    describe_items,
    fit_relevance,
    log_odds,
)
from tests.core.stopping.made_pools import hide, make_pool
from tests.short import long


def test_the_columns_follow_the_ranks():
    candidates, _ = make_pool()
    described = describe_items(candidates)
    assert (described.runs > 0).tolist() == (candidates.rank > 0).tolist()
    assert described.ranks[:, 0].tolist() == [1] * len(candidates)
    assert described.ranks[:, 1:].mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-9)
    alone = candidates.rank[(candidates.rank > 0).sum(axis=1) == 1]
    said = described.runs[(candidates.rank > 0).sum(axis=1) == 1]
    order = np.argsort(alone.max(axis=1))
    assert (np.diff(said.max(axis=1)[order]) <= 1e-12).all()


@long
def test_effects_move_expected_relevance_to_what_was_judged():
    candidates, level = make_pool(topics=10, documents=80, depth=30)
    relevant = (level > 0).astype(float)
    known = np.where(np.isnan(hide(level, 0.4)), np.nan, relevant)
    model = fit_relevance(candidates, describe_items(candidates), known)
    common, own = model.draw_effects(300, np.random.default_rng(1))
    described = describe_items(candidates)
    for topic in range(10):
        place = candidates.of(topic)
        of_common, of_own = columns_of(described, place)
        odds = of_common @ common + of_own @ own[topic]
        items = np.arange(place.start, place.stop)
        assert log_odds(described, items, common, own[topic]) == pytest.approx(odds)
        share = (1 / (1 + np.exp(-odds))).mean(axis=0)
        assert abs(share.mean() - relevant[place].mean()) < 0.12


def test_draws_have_the_covariance_of_the_precision():
    candidates, level = make_pool(topics=3, systems=3)
    relevant = (level > 0).astype(float)
    model = fit_relevance(candidates, describe_items(candidates), relevant)
    common, own = model.draw_effects(40_000, np.random.default_rng(1))
    covariance = model.inverse.T @ model.inverse
    assert np.cov(common) == pytest.approx(covariance, abs=0.06 * covariance.max())
    inverse, coupling = model.curvature.inverse[0], model.curvature.coupling[0]
    follow = -inverse.T @ coupling
    expected = inverse.T @ inverse + follow @ covariance @ follow.T
    assert np.cov(own[0]) == pytest.approx(expected, abs=0.06 * expected.max())


def test_the_fit_is_stationary():
    """At the fit the expected relevance of judged items, less the prior's pull, is the observed."""
    candidates, level = make_pool(topics=6)
    relevant = (level > 0).astype(float)
    described = describe_items(candidates)
    model = fit_relevance(candidates, described, relevant)
    again = fit_relevance(candidates, described, relevant.copy())
    assert model.common == pytest.approx(again.common)
    assert np.abs(model.curvature.pull).max() < 0.5
    assert model.own.shape == (6, SLOPES + 5)
