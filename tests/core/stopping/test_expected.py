"""τ to the full pool: its laws, and what it says of pools whose rest is known."""

import numpy as np
import pytest

from core.comparison.rank_correlation import kendall_tau
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.orders.candidates import Candidates
from core.stopping.expected import draw_full_pools, expected_tau, tau_with_each, tell_tau
from tests.core.stopping.made_pools import hide, make_pool
from tests.each import each

AP = parse_measure("AP")


def rng():
    return np.random.default_rng(1)


def test_a_fully_judged_pool_leaves_no_doubt():
    candidates, level = make_pool()
    found = expected_tau(candidates, level, AP, rng=rng(), draws=20)
    assert (found.tau, found.low, found.high, found.best_stays) == (1.0, 1.0, 1.0, 1.0)
    assert found.reason == ""


@each("text", ["AP", "P@5", "RBP", "nDCG@5", "AP(rel=2)"])
def test_the_limits_hold_the_mean_and_what_is_known_stays(text):
    candidates, level = make_pool(topics=8)
    measure, known = parse_measure(text), hide(level, 0.5)
    pools = draw_full_pools(candidates, known, measure, rng(), 60)
    found = tell_tau(pools)
    assert -1 <= found.low <= found.tau <= found.high <= 1
    assert 0 <= found.best_stays <= 1
    assert pools.judged == (~np.isnan(known)).sum()
    assert pools.drawn.means.shape == (60, 5)


def test_the_same_seed_gives_the_same():
    candidates, level = make_pool()
    known = hide(level, 0.4)
    first, second = (expected_tau(candidates, known, AP, rng=rng(), draws=30) for _ in range(2))
    assert (first.taus == second.taus).all()


def test_more_labels_tell_more():
    candidates, level = make_pool(topics=10, systems=12, documents=60, depth=20)
    width = []
    for unjudged in (0.8, 0.4, 0.05):
        found = expected_tau(candidates, hide(level, unjudged), AP, rng=rng(), draws=100)
        width.append(found.high - found.low)
    assert width[0] > width[1] > width[2]


def test_the_predicted_share_is_that_of_the_rest():
    candidates, level = make_pool(topics=12, documents=80, depth=30, systems=6)
    known = hide(level, 0.6)
    pools = draw_full_pools(candidates, known, parse_measure("P"), rng(), 200)
    full = draw_full_pools(candidates, level, parse_measure("P"), rng(), 1).today
    error = (pools.drawn.means.mean(axis=0) - full) / pools.drawn.means.std(axis=0)
    assert np.abs(error).max() < 3.5


@each("judged", [0, 3])
def test_without_a_relevant_document_there_is_a_reason(judged):
    candidates, level = make_pool()
    known = np.full(len(level), np.nan)
    known[:judged] = 0
    found = expected_tau(candidates, known, AP, rng=rng(), draws=5)
    assert np.isnan(found.tau)
    assert "nothing relevant is judged" in found.reason


def test_runs_that_are_the_same_have_no_ranking():
    candidates, level = make_pool(systems=2, depth=30)
    alike = Candidates(
        *(candidates.topics, candidates.systems, candidates.topic, candidates.document),
        candidates.rank[:, [0, 0]],
    )
    found = expected_tau(alike, level, AP, rng=rng(), draws=5)
    assert "same score" in found.reason


def test_one_run_is_no_ranking():
    candidates, level = make_pool(systems=1)
    with pytest.raises(BadInput, match="two runs"):
        expected_tau(candidates, level, AP, rng=rng())


def test_tau_is_that_of_the_comparison_of_rankings():
    generator = rng()
    first, others = generator.integers(0, 6, 9), generator.integers(0, 6, (20, 9))
    wanted = [kendall_tau(first, one) for one in others]
    assert tau_with_each(first.astype(float), others.astype(float)) == pytest.approx(wanted)


def test_tau_with_a_scoring_that_tells_nothing_is_0():
    assert tau_with_each(np.array([1.0, 2.0]), np.zeros((1, 2))).tolist() == [0]
