"""What counts as a tie: the same score but for rounding."""

from itertools import permutations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.conditions import compare_conditions, examine_condition
from core.comparison.orders import rank_systems
from core.comparison.rank_correlation import kendall_tau, spearman
from core.comparison.significance_test import SignificanceTest
from core.comparison.ties import order_best, tie_close
from core.comparison.top_weighted import rba, rbo, tau_ap
from core.comparison.verdict import reach_verdict
from tests.each import each


def test_means_that_rounding_has_set_apart_share_a_rank():
    topics = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 0.1, 0.2])
    rng = np.random.default_rng(3)
    means = [rng.permutation(topics).cumsum()[-1] / len(topics) for _ in range(8)]
    assert len(set(means)) > 1, "no rounding to be seen: this shows nothing"
    frame = pd.DataFrame({"version": "v", "system": list("abcdefgh"), "value": means})
    assert rank_systems(frame)["rank"].tolist() == [1] * 8
    other = pd.DataFrame({"version": "v", "system": list("abcdefghi"), "value": [*means, 0.2]})
    assert rank_systems(other)["rank"].tolist() == [1] * 8 + [9]
    assert rank_systems(other, greater_is_better=False)["rank"].tolist() == [1] + [2] * 8


EQUAL = np.array([10, 9, 8, 7, 6, 5, 4, 3, 3, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0]) / 10
"""Scores by P@10 that 21 topics may have; added up in another order, the sum is another."""


def test_eight_systems_with_the_same_scores_are_all_the_best():
    """Places 1 1 3 3 3 3 7 7 came of rounding, and a "best system" with them."""
    rng = np.random.default_rng(6)
    scores = np.array([rng.permutation(EQUAL) for _ in range(8)])
    assert len({one.cumsum()[-1] / 21 for one in scores}) > 1, "no rounding to be seen"
    systems = [f"s{at}" for at in range(8)]
    rows = pd.DataFrame(
        {
            "system": np.repeat(systems, 21),
            "topic_id": np.tile([f"t{at:02}" for at in range(21)], 8),
            "value": scores.ravel(),
            "judged": 1.0,
        }
    )
    trial = SignificanceTest(samples=20)
    conditions = [
        examine_condition(name, rows.sample(frac=1, random_state=seed), trial)
        for seed, name in enumerate("xy")
    ]
    found = compare_conditions(conditions, trial)
    assert found.ranked["rank"].tolist() == [1] * 16
    (order,) = found.orders.to_dict("records")
    assert (order["largest"], order["far"], order["best_first"]) == (0, 0, "s0, s1, s2 and 5 more")
    assert np.isnan(order["tau"])
    assert reach_verdict(found)[0].startswith("No order of systems can be told")
    assert order_best([one.cumsum()[-1] for one in scores]).tolist() == list(range(8))


def test_correlations_see_the_same_ties():
    exact, rounded = [0.3, 0.3, 0.1, 0.5], [0.3, 0.1 + 0.2, 0.1, 0.5]
    for order in permutations(range(4)):
        for coefficient in (kendall_tau, spearman, tau_ap, rbo, rba):
            first = coefficient([rounded[at] for at in order], exact)
            assert first == coefficient([exact[at] for at in order], exact)


@each(
    ("values", "expected"),
    [
        ([], []),
        ([2.0], [2.0]),
        ([0, 0, 0], [0, 0, 0]),
        ([np.nan, 1, 1 + 1e-12], [np.nan, 1, 1]),
        ([np.inf, np.inf, 1, 1 + 1e-6], [np.inf, np.inf, 1, 1 + 1e-6]),
        ([1e6, 1e6 + 1e-5, 0, 1e-5], [1e6, 1e6, 0, 0]),
        ([-1, -1 - 1e-12, 1], [-1 - 1e-12, -1 - 1e-12, 1]),
        ([0, 1e-12], [0, 1e-12]),
    ],
)
def test_what_is_close_is_told_by_the_largest_score(values, expected):
    np.testing.assert_array_equal(tie_close(values), expected)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=1), st.integers(0, 99))
def test_rounding_changes_no_order(values, seed):
    noise = np.random.default_rng(seed).uniform(-1e-11, 1e-11, len(values))
    noisy = tie_close(np.array(values) + noise * max(values))
    same = np.sign(np.subtract.outer(values, values)) == np.sign(np.subtract.outer(noisy, noisy))
    assert same.all()
