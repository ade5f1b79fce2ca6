from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from core.agreement.ratings import ratings_from_labels
from core.disagreement.user_disagreement import (
    estimate_top_probability,
    relevance_weight,
    relevance_weights,
)
from core.errors import BadInput, TooLittleData
from tests.core.agreement.leaving_out import limits_of_share
from tests.each import each

probabilities = st.floats(0, 1)
keys = st.tuples(st.sampled_from("tuv"), st.sampled_from("defg"), st.sampled_from("abcde"))


def count_slowly(labels, top, weighting):
    """Return cases, top cases and plain pairs by level from a loop over ordered pairs."""
    items, sums = {}, {}
    for row in labels.itertuples():
        items.setdefault((row.topic_id, row.document_id), []).append(row.level)
    for given_levels in items.values():
        n = len(given_levels)
        weight = 2 / (n * (n - 1)) if weighting == "item" and n > 1 else 1
        for one, other in permutations(given_levels, 2):
            cases = sums.setdefault(one, [0, 0, 0])
            cases[0] += weight
            cases[1] += weight * (other >= top)
            cases[2] += 1
    return sums


def compare(table, expected, tolerance=1e-12):
    for row in table.itertuples():
        cases, top_cases, pairs = expected.get(row.level, (0, 0, 0))
        assert row.pairs == pairs
        assert row.cases == pytest.approx(cases, abs=tolerance)
        assert row.top_cases == pytest.approx(top_cases, abs=tolerance)
        p = top_cases / cases if cases else np.nan
        assert row.p == pytest.approx(p, abs=tolerance, nan_ok=True)


def estimate(labels, top, weighting="item", levels=(0, 1, 2, 3)):
    ratings = ratings_from_labels(labels, "page", levels)
    return estimate_top_probability(ratings, top, weighting)


@given(
    st.dictionaries(keys, st.integers(0, 3)), st.integers(1, 3), st.sampled_from(["item", "pairs"])
)
def test_estimate_equals_a_loop_over_ordered_pairs(make_labels, given_levels, top, weighting):
    labels = make_labels([(*key, level) for key, level in given_levels.items()])
    table = estimate(labels, top, weighting)
    compare(table, count_slowly(labels, top, weighting))


@each("weighting", ["item", "pairs"])
def test_dl19_equals_a_loop(dl19_labels, weighting):
    table = estimate(dl19_labels, 3, weighting)
    compare(table, count_slowly(dl19_labels, 3, weighting))
    assert table["cases"].tolist() == table["pairs"].tolist()
    assert table["p"].is_monotonic_increasing
    assert (table["low"] < table["p"]).all()
    assert (table["p"] < table["high"]).all()
    assert not table["few"].any()


@each("weighting", ["item", "pairs"])
def test_chorus_with_three_raters_equals_a_loop(chorus_labels, weighting):
    table = estimate(chorus_labels, 3, weighting)
    compare(table, count_slowly(chorus_labels, 3, weighting), 1e-9)
    assert table["pairs"].sum() == 3188 * 6
    assert table["cases"].sum() == pytest.approx(3188 * (2 if weighting == "item" else 6))


def test_an_item_counts_as_a_double_judgement_however_many_judge_it(make_labels):
    labels = make_labels([("t", "d", name, 1) for name in "abcdefg"])
    row = estimate(labels, 1, levels=(0, 1)).iloc[1]
    assert (row["cases"], row["top_cases"], row["pairs"]) == (pytest.approx(2), row["cases"], 42)


def test_columns_and_rows(make_labels):
    table = estimate(make_labels([("t", "d", "a", 1), ("t", "d", "b", 3)]), 3)
    assert " ".join(table.columns) == "level cases top_cases pairs p low high topics few reason"
    assert table["level"].tolist() == [0, 1, 2, 3]
    assert table["p"].tolist()[1::2] == [1, 0]


def test_levels_above_the_top_are_top(make_labels):
    labels = make_labels([("t", "d", "a", 1), ("t", "d", "b", 3)])
    assert estimate(labels, 2)["p"].tolist()[1] == 1


@pytest.mark.parametrize(("items", "few"), [(49, True), (50, False)])
def test_fewer_than_fifty_cases_are_few(make_labels, items, few):
    labels = make_labels(
        [
            (f"t{at}", "d", name, at_level)
            for at in range(items)
            for name, at_level in (("a", 0), ("b", 1))
        ]
    )
    assert estimate(labels, 1, levels=(0, 1))["few"].tolist() == [few, few]


@each(("items", "few"), [(74, True), (75, False)])
def test_few_counts_weighted_cases(make_labels, items, few):
    rows = [
        (f"t{at}", "d", name, level)
        for at in range(items)
        for name, level in zip("abc", (0, 0, 1), strict=True)
    ]
    table = estimate(make_labels(rows), 1, levels=(0, 1))
    assert table["pairs"].tolist() == [4 * items, 2 * items]
    assert table["few"].tolist() == [4 * items / 3 < 50, 2 * items / 3 < 50 - 1e-9] == [False, few]


def test_limits_equal_leaving_out_each_topic_in_a_loop(dl19_labels):
    table = estimate(dl19_labels, 3)
    counts = [count_slowly(rows, 3, "item") for _, rows in dl19_labels.groupby("topic_id")]
    for row in table.itertuples():
        own = np.array([found[row.level][:2] for found in counts if row.level in found])
        left = own.sum(axis=0) - own
        expected = limits_of_share(row.p, left[:, 1] / left[:, 0], own[:, 0].tolist())
        np.testing.assert_allclose([row.low, row.high], expected, rtol=1e-9)
        assert row.topics == len(own)


def test_none_of_a_few_topics_says_little(make_labels):
    rows = [(f"t{at}", "d", name, level) for at in range(3) for name, level in (("a", 0), ("b", 1))]
    row = estimate(make_labels(rows), 3).iloc[0]
    assert (row["p"], row["low"], row["few"]) == (0, 0, True)
    assert row["high"] == pytest.approx(1 - 0.025 ** (1 / 3))


def test_topics_without_a_second_label_do_not_count(make_labels):
    rows = [(t, d, name, int(d in t)) for t in ("xd", "ye", "zd") for d in "de" for name in "ab"]
    alone = [(f"alone{at}", "d", "a", 1) for at in range(50)]
    pd.testing.assert_frame_equal(
        estimate(make_labels(rows), 1), estimate(make_labels(rows + alone), 1)
    )


def test_what_is_missing_has_a_reason(make_labels):
    labels = make_labels([("t", "d", "a", 1), ("t", "d", "b", 1), ("u", "d", "a", 2)])
    table = estimate(labels, 3)
    unseen = "no label of this level on an item another assessor judged"
    assert table["reason"].tolist() == [unseen, "all cases belong to one topic", unseen, unseen]
    assert table["p"].isna().tolist() == [True, False, True, True]
    assert table[["low", "high"]].isna().all(axis=None)


@each("rows", [[], [("t", "d", "a", 1)], [("t", "d", "a", 1), ("t", "e", "b", 1)]])
def test_nothing_judged_twice_is_undefined_throughout(make_labels, rows):
    table = estimate(make_labels(rows), 3)
    assert table[["p", "low", "high"]].isna().all(axis=None)
    assert (table["cases"] == 0).all()
    assert (table["reason"] != "").all()


def test_no_labels_and_no_scale_are_too_little(make_labels):
    with pytest.raises(TooLittleData, match="nothing was judged"):
        estimate(make_labels([]), 1, levels=None)


def test_unknown_top_and_weighting_are_refused(make_labels):
    labels = make_labels([("t", "d", "a", 1)])
    with pytest.raises(BadInput, match="4 is not a level of the scale 0, 1, 2, 3"):
        estimate(labels, 4)
    with pytest.raises(BadInput, match="'labels' is not a weighting"):
        estimate(labels, 3, "labels")


@each(
    ("p", "users", "at_least", "weight"),
    [
        # Demeester et al. (2014): table 1 at p = .30, table 4 and the text of section 7.
        (0.30, 3, 1, 0.51),
        (0.30, 3, 2, 0.09),
        (0.30, 5, 2, 0.348),
        (0.23, 3, 1, 0.41),
        (0.15, 3, 1, 0.28),
        (5 / 36, 3, 1, 0.26),
        (87 / 372, 3, 1, 0.41),
    ],
)
def test_published_weights(p, users, at_least, weight):
    found = relevance_weights({0: 0.1, 1: p, 2: 0.5}, 2, users=users, at_least=at_least)
    digits = 3 if weight == 0.348 else 2
    assert round(found[1], digits) == weight


def test_the_intuition_of_figure_4():
    # One Key, four HRel and three Rel with weights 1, 1/2, 1/3: four effective top results.
    weights = relevance_weights({0: 0, 1: 1 / 3, 2: 1 / 2, 3: 1}, 3, users=2, at_least=1)
    assert weights[3] + 4 * weights[2] + 3 * weights[1] == pytest.approx(4)


@given(probabilities, st.integers(1, 12), st.data())
def test_weights_equal_the_binomial_tail(p, users, data):
    at_least = data.draw(st.integers(1, users))
    below = relevance_weight(p, False, users, at_least)
    top = relevance_weight(p, True, users, at_least)
    assert below == pytest.approx(binom.sf(at_least - 1, users - 1, p), abs=1e-12)
    assert top == pytest.approx(binom.sf(at_least - 2, users - 1, p), abs=1e-12)
    assert 0 <= below <= top + 1e-12 <= 1 + 1e-12


@given(probabilities, st.integers(1, 1000))
def test_one_of_n_users(p, users):
    assert relevance_weight(p, True, users, 1) == 1
    assert relevance_weight(p, False, users, 1) == pytest.approx(1 - (1 - p) ** (users - 1))


@given(st.lists(probabilities, min_size=2, max_size=5), st.integers(2, 8), st.data())
def test_laws_of_the_weights(given_p, users, data):
    p = dict(enumerate(given_p))
    at_least = data.draw(st.integers(1, users - 1))
    top = len(p) - 1
    weights = relevance_weights(p, top, users=users, at_least=at_least, keep_lowest=True)
    stricter = relevance_weights(p, top, users=users, at_least=at_least + 1, keep_lowest=True)
    more = relevance_weights(p, top, users=users + 1, at_least=at_least, keep_lowest=True)
    for level in p:
        assert stricter[level] <= weights[level] + 1e-12
        assert weights[level] <= more[level] + 1e-12


def test_the_lowest_level_is_kept_on_request_only():
    p = {0: 0.2, 1: 0.3, 2: 0.5}
    assert relevance_weights(p, 2, users=2, at_least=1)[0] == 0
    assert relevance_weights(p, 2, users=2, at_least=1, keep_lowest=True)[0] == pytest.approx(0.2)
    assert relevance_weights({0: 0.4}, 0, users=2, at_least=2) == {0: pytest.approx(0.4)}


def test_a_series_will_do_and_unknown_stays_unknown():
    p = pd.Series([0.1, np.nan, 0.2, 0.5], index=[0, 1, 2, 3])
    weights = relevance_weights(p, 2, users=3, at_least=2)
    assert list(weights) == [0, 1, 2, 3]
    assert np.isnan(weights[1])
    assert weights[2] == pytest.approx(1 - 0.8**2)
    assert weights[3] == pytest.approx(1 - 0.5**2)


@each(
    ("users", "at_least", "field"),
    [
        (0, 1, "users"),
        (1001, 1, "users"),
        (3, 0, "at_least"),
        (3, 4, "at_least"),
        (3, -1, "at_least"),
    ],
)
def test_numbers_of_users_that_make_no_sense(users, at_least, field):
    with pytest.raises(BadInput, match=f"field '{field}'"):
        relevance_weights({0: 0.1, 1: 0.5}, 1, users=users, at_least=at_least)


def test_probabilities_that_are_none_are_refused():
    with pytest.raises(BadInput, match=r"between 0 and 1, not at 1\.2"):
        relevance_weights({0: 0, 1: 1.2, 2: 0.5}, 2, users=3, at_least=1)
    with pytest.raises(BadInput, match="no probability for the top level 3"):
        relevance_weights({0: 0, 1: 0.2}, 3, users=3, at_least=1)
