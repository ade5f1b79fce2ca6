"""p values over items equal SciPy's, those over topics a loop; the correction is SciPy's, too."""

import numpy as np
import pytest
from scipy.stats import binom, false_discovery_control, t, ttest_1samp, wilcoxon

from core.machines.advantage_tests import (
    adjust_false_discovery,
    is_rejected,
    p_over_items,
    p_over_topics,
)
from tests.each import each
from tests.short import few

VALUES = np.array([1.0, 0.0, -1.0])


def spread(outcomes):
    """Return the differences that three counts stand for."""
    return np.repeat(VALUES, np.asarray(outcomes, dtype=int))


@each("epsilon", [0.0, 0.1, 0.2, 0.5, 0.37])
def test_many_items_equal_the_t_test_of_scipy(epsilon):
    rng = np.random.default_rng(1)
    outcomes = rng.multinomial(rng.integers(30, 200, 12), [0.3, 0.5, 0.2]).astype(float).T
    expected = [ttest_1samp(spread(own), epsilon, alternative="less").pvalue for own in outcomes.T]
    assert p_over_items(outcomes, epsilon) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("items", [(1, 14), (14, 30)])
@pytest.mark.parametrize("epsilon", few([0.2, 0.5, 0.0, 0.1, 0.37], 3))
def test_few_items_equal_the_signed_ranks_of_scipy(epsilon, items):
    rng = np.random.default_rng(2)
    outcomes = rng.multinomial(rng.integers(*items, 4), [0.3, 0.4, 0.3]).astype(float).T
    outcomes[:, 0] = (3, 1, 2) if items[0] == 1 else (7, 9, 5)
    shifted = [spread(own) - epsilon for own in outcomes.T]
    expected = [wilcoxon(own, alternative="less").pvalue if own.any() else 1.0 for own in shifted]
    assert p_over_items(outcomes, epsilon) == pytest.approx(expected, rel=1e-9)


def test_items_that_are_all_alike():
    many, five = np.array([[0.0], [40], [0]]), np.array([[0.0], [5], [0]])
    assert p_over_items(many, 0.2).tolist() == [0]
    assert p_over_items(many, 0).tolist() == [1]
    assert p_over_items(many[[1, 0, 2]], 0.2).tolist() == [1]
    assert p_over_items(five, 0.2).tolist() == [0.5**5]
    assert p_over_items(five, 0).tolist() == [1]
    assert p_over_items(np.array([[0.0], [1], [0]]), 0.2).tolist() == [0.5]


def by_hand(outcomes, epsilon):
    """Return the p over topics of one person, by leaving topics out one after the other."""
    values = [spread(topic) for topic in outcomes.T]
    whole = np.concatenate(values).mean()
    left = np.array(
        [
            np.concatenate([own for place, own in enumerate(values) if place != out]).mean()
            for out in range(len(values))
        ]
    )
    n, apart = len(left), left - left.mean()
    error = np.sqrt((n - 1) / n * (apart**2).sum())
    freedom = np.clip(3 * (apart**2).sum() ** 2 / (apart**4).sum(), 1, n - 1)
    return t.cdf((whole - epsilon) / error, freedom)


def test_topics_equal_a_loop_that_leaves_them_out():
    rng = np.random.default_rng(3)
    outcomes = rng.multinomial(rng.integers(1, 20, (9, 4)), [0.3, 0.5, 0.2])
    outcomes = np.moveaxis(outcomes, -1, 0).astype(float)
    found = p_over_topics(outcomes, 0.2)
    assert found == pytest.approx([by_hand(outcomes[:, :, at], 0.2) for at in range(4)])
    # A topic without items of a person is none of theirs.
    outcomes[:, 3, 1] = 0
    kept = np.delete(outcomes[:, :, 1], 3, axis=1)
    assert p_over_topics(outcomes, 0.2)[1] == pytest.approx(by_hand(kept, 0.2))


def test_topics_alike_say_as_much_as_their_number_allows():
    alike = np.zeros((3, 6, 4))
    alike[1, :, 0] = 3  # always as close
    alike[2, :, 1] = 2  # the machine always closer
    alike[0, :, 2] = 2  # the person always closer
    alike[:, :, 3] = np.array([1, 2, 1])[:, np.newaxis]
    p = p_over_topics(alike, 0.2)
    # If a fifth of topics favoured the person, six topics would miss them this often.
    assert p[0] == p[3] == pytest.approx(binom.pmf(0, 6, 0.2))
    assert p[1] == pytest.approx((0.8 / 2) ** 6)
    assert p[2] == 1


def test_one_topic_has_no_p():
    one = np.zeros((3, 2, 1))
    one[:, 1, 0] = 4
    assert np.isnan(p_over_topics(one, 0.2)).all()
    assert p_over_topics(np.zeros((3, 2, 0)), 0.2).tolist() == []


def test_the_correction_is_that_of_scipy():
    rng = np.random.default_rng(4)
    for number in (1, 2, 7, 40):
        p = rng.random(number) ** 4
        assert adjust_false_discovery(p) == pytest.approx(false_discovery_control(p, method="by"))
    tied = np.array([0.01, 0.5, 0.01, 0.01])
    assert adjust_false_discovery(tied) == pytest.approx(false_discovery_control(tied, method="by"))
    assert adjust_false_discovery(np.array([])).tolist() == []


def test_what_has_no_p_counts_as_a_test_but_is_not_rejected():
    assert is_rejected(np.array([0.03, np.nan]), 0.05).tolist() == [False, False]
    assert is_rejected(np.array([0.03]), 0.05).tolist() == [True]
