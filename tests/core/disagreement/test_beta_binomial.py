import numpy as np
import pytest
from scipy.stats import betabinom, binom

from core.disagreement.beta_binomial import estimate_spread, reach_probability
from core.disagreement.user_disagreement import relevance_weight


@pytest.mark.parametrize("users", [1, 2, 5, 40, 999])
def test_chances_are_scipys(users):
    p, spread = np.array([0.01, 0.3, 0.9]), np.array([0.02, 0.2, 0.7])
    for needed in {1, (users + 1) // 2, users}:
        cases = 1 / spread - 1
        varied = betabinom(users, p * cases, (1 - p) * cases).sf(needed - 1)
        assert reach_probability(p, spread, users, needed) == pytest.approx(varied, rel=1e-7)
        plain = binom(users, p).sf(needed - 1)
        assert reach_probability(p, np.zeros(3), users, needed) == pytest.approx(plain, rel=1e-9)


def test_without_spread_it_is_the_models_weight():
    for users, at_least, is_top in ((3, 1, False), (6, 4, False), (6, 4, True), (3, 1, True)):
        found = reach_probability(np.array(0.31), np.array(0.0), users - 1, at_least - is_top)
        assert found == pytest.approx(relevance_weight(0.31, is_top, users, at_least))


def test_certain_things_are_certain():
    p = np.array([0, 1, 0.4, np.nan])
    spread = np.full(4, 0.1)
    assert reach_probability(p, spread, 3, 0).tolist()[:3] == [1, 1, 1]
    assert reach_probability(p, spread, 3, 4).tolist()[:3] == [0, 0, 0]
    assert reach_probability(p, spread, 3, 2).tolist()[:2] == [0, 1]
    assert all(np.isnan(reach_probability(p, spread, 3, needed)[3]) for needed in (0, 2, 4))
    rounded = np.array([np.nextafter(1, 2), -1e-17])
    assert reach_probability(rounded, spread[:2], 3, 2).tolist() == [1, 0]
    # Where everybody says the same on an item, any number is as likely as one.
    assert reach_probability(p[2:3], np.ones(1), 5, 5) == pytest.approx(0.4, abs=1e-6)


def test_the_spread_is_that_of_the_beta_distribution():
    for a, b in ((1, 3), (0.2, 0.6), (30, 10)):
        p = a / (a + b)
        both = a * (a + 1) / ((a + b) * (a + b + 1))
        found = estimate_spread(np.array(p), np.array(both))
        assert found == pytest.approx(1 / (a + b + 1))
    apart = estimate_spread(np.array([0.5, 0.0, 1.0]), np.array([0.1, 0.0, 1.0]))
    assert apart.tolist()[0] == 0
    assert np.isnan(apart[1:]).all()
