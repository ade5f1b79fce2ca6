"""Strengths against published fits and independent ones; undefeated items, groups, ties."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import t

from core.errors import BadInput, TooLittleData
from core.preference.bradley_terry import APART, NO_BOUND, ONE_UNIT, SAME, UNBOUNDED, bradley_terry
from core.preference.clusters import cluster_preferences
from core.preference.pair_counts import count_pairs
from tests.core.preference.simulated import pair_counts, preferences, simulate
from tests.each import each
from tests.short import try_often

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Agresti (2002), Categorical Data Analysis, 2nd edition, section 10.6: wins of the row over the
column, American League East 1987, home and away games together."""
BASEBALL_FIT = (
    *((1.5814, 0.3433), (1.4364, 0.3396), (1.2945, 0.3367)),
    *((1.2476, 0.3359), (1.1077, 0.3339), (0.6839, 0.3319)),
)
"""Strength and standard error beside Baltimore, as R's BradleyTerry2 prints them; Agresti's Table
10.11 has the same to two decimals."""

JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITATIONS = ((0, 730, 498, 221), (33, 0, 68, 17), (320, 813, 0, 142), (284, 276, 325, 0))
"""Stigler (1994), Statistical Science 9(1): citations of the row by the column."""
CITATIONS_FIT = (0, -2.9491, -0.4796, 0.2690)
"""Beside Biometrika, as R's BradleyTerry2 fits them."""


def strengths(given, model="bradley-terry"):
    return bradley_terry(given, model).frame["strength"].to_numpy()


def design(given):
    """Return the logistic regression of the model: a row for each pair, the last item at 0."""
    table = np.zeros((len(given.first), len(given.items)))
    table[np.arange(len(table)), given.first] = 1
    table[np.arange(len(table)), given.second] = -1
    return table[:, :-1]


def fit_by_regression(given):
    """Return strengths and standard errors, mean 0 and beside the last item, by statsmodels."""
    outcome = np.stack([given.wins + given.ties / 2, given.losses + given.ties / 2], axis=1)
    model = sm.GLM(outcome, design(given), family=sm.families.Binomial())
    fit = model.fit(tol=1e-14, maxiter=200)
    size = len(given.items)
    centre = (np.eye(size) - 1 / size)[:, :-1]
    error = np.sqrt(np.diag(centre @ fit.cov_params() @ centre.T))
    return centre @ fit.params, error, fit.bse


def test_the_published_fit_of_baseball_games():
    given = pair_counts(TEAMS, BASEBALL)
    found = strengths(given)
    published, errors = np.array(BASEBALL_FIT).T
    assert found[:-1] - found[-1] == pytest.approx(published, abs=6e-5)
    assert fit_by_regression(given)[2] == pytest.approx(errors, abs=6e-5)


def test_the_published_fit_of_citations():
    found = strengths(pair_counts(JOURNALS, CITATIONS))
    assert found - found[0] == pytest.approx(CITATIONS_FIT, abs=6e-5)


@each(
    "given",
    [pair_counts(TEAMS, BASEBALL), pair_counts(JOURNALS, CITATIONS)],
    ids=["games", "citations"],
)
def test_published_data_fit_as_by_regression_to_a_millionth(given):
    frame = bradley_terry(given).frame
    wanted, error, _ = fit_by_regression(given)
    assert frame["strength"].to_numpy() == pytest.approx(wanted, abs=1e-6)
    half = (frame["high"] - frame["low"]).to_numpy() / 2
    assert half / 1.959963984540054 == pytest.approx(error, abs=1e-6)
    assert (frame["note"] == "").all()


@each("seed", range(5))
def test_simulated_data_with_ties_fit_as_by_regression(seed):
    rng = np.random.default_rng(seed)
    frame = simulate(2000, 15, 1, rng, ties=0.3)
    given = count_pairs(frame)
    wanted, error, _ = fit_by_regression(given)
    found = bradley_terry(given).frame
    assert found["strength"].to_numpy() == pytest.approx(wanted, abs=1e-6)
    assert (found["high"] - found["strength"]).to_numpy() == pytest.approx(1.95996398 * error)


def test_topics_fitted_together_are_as_fitted_alone():
    frame = simulate(3000, 8, 4, np.random.default_rng(1))
    together = bradley_terry(count_pairs(frame)).frame
    for topic, own in frame.groupby("topic_id"):
        alone = bradley_terry(count_pairs(own)).frame
        rows = together[together["topic_id"] == topic]
        for name in ("strength", "low", "high"):
            assert rows[name].to_numpy() == pytest.approx(alone[name].to_numpy(), abs=1e-8)
        assert rows["group"].tolist() == [1] * 8


def test_two_items_by_hand():
    found = bradley_terry(pair_counts("ab", [[0, 6], [2, 0]])).frame
    assert found["strength"].tolist() == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    error = np.sqrt(1 / 6 + 1 / 2) / 2
    assert found["high"][0] == pytest.approx(np.log(3) / 2 + 1.959964 * error)
    assert found[["item", "n", "points"]].values.tolist() == [["a", 8, 6.0], ["b", 8, 2.0]]


def test_ties_are_half_a_win_each():
    tied = pair_counts("abc", [[0, 3, 2], [1, 0, 3], [1, 1, 0]], [[0, 2, 0], [2, 0, 4], [0, 4, 0]])
    halved = pair_counts("abc", [[0, 4, 2], [2, 0, 5], [1, 3, 0]])
    assert strengths(tied) == pytest.approx(strengths(halved), abs=1e-9)


def test_an_undefeated_item_has_a_finite_strength_and_no_finite_limits():
    found = bradley_terry(pair_counts("ab", [[0, 3], [0, 0]])).frame
    theta = found["strength"][0]
    assert found["low"].tolist() == [-np.inf] * 2
    assert found["high"].tolist() == [np.inf] * 2
    assert found["reason"].tolist() == [NO_BOUND] * 2
    # The derivative: three wins unexpected by 1 − σ(2θ) each, against the tie, σ(θ) − 1/2.
    assert 3 * (1 - 1 / (1 + np.exp(-2 * theta))) == pytest.approx(
        1 / (1 + np.exp(-theta)) - 1 / 2, abs=1e-9
    )
    assert found["note"].tolist() == [UNBOUNDED, UNBOUNDED]
    more = bradley_terry(pair_counts("ab", [[0, 30], [0, 0]])).frame
    assert more["strength"][0] > theta


def test_a_group_out_of_reach_is_bounded_too():
    """a and b share their wins, so do c and d; but nobody of c and d ever beat a or b."""
    wins = [[0, 1, 2, 2], [1, 0, 2, 2], [0, 0, 0, 1], [0, 0, 1, 0]]
    found = bradley_terry(pair_counts("abcd", wins)).frame
    assert np.isfinite(found["strength"]).all()
    assert np.isinf(found[["low", "high"]].to_numpy()).all()
    assert (found["note"] == UNBOUNDED).all()
    assert found["strength"].tolist() == pytest.approx(
        [*[found["strength"][0]] * 2] + [-found["strength"][0]] * 2
    )


def test_only_the_part_without_bounds_is_given_more():
    wins = np.zeros((5, 5))
    wins[:2, :2] = [[0, 2], [1, 0]]
    wins[2:, 2:] = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    found = bradley_terry(pair_counts("abcde", wins)).frame
    assert found["group"].tolist() == [1, 1, 2, 2, 2]
    assert found["note"].tolist() == [APART] * 2 + [f"{UNBOUNDED}; {APART}"] * 3
    assert found["strength"][:2].tolist() == pytest.approx([np.log(2) / 2, -np.log(2) / 2])
    assert found["strength"][2:].sum() == pytest.approx(0, abs=1e-9)
    assert found["strength"][2:].is_monotonic_decreasing
    assert np.isfinite(found["high"]).tolist() == [True] * 2 + [False] * 3


def test_the_error_of_a_group_without_bounds_is_that_of_the_penalised_information():
    wins = np.array([[0, 2, 2], [0, 0, 2], [0, 1, 0]], dtype=float)
    found = bradley_terry(pair_counts("abc", wins)).frame

    def fall(theta):
        gap = theta[:, np.newaxis] - theta
        return (wins * np.log1p(np.exp(-gap))).sum() + np.log(2 * np.cosh(theta / 2)).sum()

    best = minimize(fall, np.zeros(3), method="BFGS", options={"gtol": 1e-10}).x
    assert found["strength"].to_numpy() == pytest.approx(best - best.mean(), abs=1e-6)
    chance = 1 / (1 + np.exp(best - best[:, np.newaxis]))
    weight = (wins + wins.T) * chance * (1 - chance)
    alone = 1 / (1 + np.exp(-best))
    information = np.diag(weight.sum(axis=1) + alone * (1 - alone)) - weight
    centre = np.eye(3) - 1 / 3
    error = np.sqrt(np.diag(centre @ np.linalg.inv(information) @ centre))
    assert found["error"].to_numpy() == pytest.approx(error, rel=1e-5)


def fit_davidson(given):
    """Return strengths, their standard errors and the tie parameter, by general optimisation."""

    def fall(values):
        theta, log_tie = np.append(values[:-1], 0), values[-1]
        gap = (theta[given.first] - theta[given.second]) / 2
        scale = np.log(np.exp(gap) + np.exp(-gap) + np.exp(log_tie))
        told = given.wins * gap - given.losses * gap + given.ties * log_tie
        return -(told - given.played * scale).sum()

    size = len(given.items)
    found = minimize(fall, np.zeros(size), method="BFGS", options={"gtol": 1e-9}).x
    step, at = 1e-4, np.eye(size)
    information = np.array(
        [
            [
                (
                    fall(found + step * (one + other))
                    - fall(found + step * (one - other))
                    - fall(found - step * (one - other))
                    + fall(found - step * (one + other))
                )
                / (4 * step**2)
                for one in at
            ]
            for other in at
        ]
    )
    centre = (np.eye(size) - 1 / size)[:, :-1]
    covariance = centre @ np.linalg.inv(information)[:-1, :-1] @ centre.T
    return centre @ found[:-1], np.sqrt(np.diag(covariance)), np.exp(found[-1])


@each("seed", range(3))
def test_davidson_as_by_general_optimisation(seed):
    given = count_pairs(simulate(600, 6, 1, np.random.default_rng(seed), ties=0.25))
    found = bradley_terry(given, "davidson")
    wanted, error, ties = fit_davidson(given)
    assert found.frame["strength"].to_numpy() == pytest.approx(wanted, abs=1e-5)
    half = (found.frame["high"] - found.frame["strength"]).to_numpy()
    assert half == pytest.approx(1.959964 * error, rel=1e-4)
    assert found.tie_parameter == pytest.approx(ties, rel=1e-5)


def test_davidson_of_two_items_by_hand():
    """Two parameters and two free shares: wins 8, ties 6, losses 2 are e^(d/2) : ν : e^(−d/2)."""
    found = bradley_terry(pair_counts("ab", [[0, 8], [2, 0]], [[0, 6], [6, 0]]), "davidson")
    assert found.frame["strength"].tolist() == pytest.approx([np.log(4) / 2, -np.log(4) / 2])
    assert found.tie_parameter == pytest.approx(6 / np.sqrt(8 * 2))


def test_davidson_where_ties_do_not_bind():
    """a never lost to b: with a tie parameter of its own the tie sets no bound to a's strength."""
    given = pair_counts("ab", [[0, 3], [0, 0]], [[0, 2], [2, 0]])
    found = bradley_terry(given, "davidson")
    assert np.isfinite(found.frame["strength"]).all()
    assert (found.frame["note"] == UNBOUNDED).all()
    assert (bradley_terry(given).frame["note"] == "").all()


def test_davidson_without_ties_is_bradley_terry():
    given = pair_counts(TEAMS, BASEBALL)
    found = bradley_terry(given, "davidson")
    assert found.tie_parameter == 0
    assert found.frame["strength"].to_numpy() == pytest.approx(strengths(given))
    assert np.isnan(bradley_terry(given).tie_parameter)


def test_davidson_of_ties_only_is_refused():
    given = pair_counts("ab", np.zeros((2, 2)), [[0, 2], [2, 0]])
    with pytest.raises(TooLittleData, match="every preference is a tie"):
        bradley_terry(given, "davidson")
    assert strengths(given).tolist() == [0, 0]


def test_an_unknown_model_is_refused():
    with pytest.raises(BadInput, match="'elo' is not a model"):
        bradley_terry(pair_counts("ab", [[0, 1], [1, 0]]), "elo")


def test_a_long_chain_of_neighbours_is_fitted():
    """Pairs of neighbours only: each difference is the log odds of that pair."""
    rng = np.random.default_rng(5)
    rows = []
    for at, won in enumerate(rng.integers(2, 9, size=399)):
        pair = ("1", f"d{at:03}", f"d{at + 1:03}")
        rows += [(*pair, "first")] * int(won) + [(*pair, "second")] * int(10 - won)
    given = count_pairs(preferences(*rows))
    found = strengths(given)
    wanted = np.log(given.wins / given.losses)
    assert found[:-1] - found[1:] == pytest.approx(wanted, abs=1e-6)


def test_a_step_that_would_lower_the_likelihood_is_shortened():
    """Counts found by trying, on which Newton's first whole step goes too far."""
    wins = [[0, 89, 0], [18, 0, 3], [0, 30, 0]]
    given = pair_counts("abc", wins, [[0, 0, 4596], [0, 0, 0], [4596, 0, 0]])
    found = bradley_terry(given, "davidson")
    wanted, _, ties = fit_davidson(given)
    assert found.tie_parameter == pytest.approx(ties, rel=1e-4)
    assert found.frame["strength"].to_numpy() == pytest.approx(wanted, abs=1e-4)


@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(1, 40), st.floats(0, 0.9))
@try_often(2)
def test_anything_counted_has_finite_strengths(seed, items, n, ties):
    frame = simulate(n, items, 2, np.random.default_rng(seed), ties=ties)
    given = count_pairs(frame)
    models = ["bradley-terry"] + ["davidson"] * bool((given.wins + given.losses).any())
    for model in models:
        found = bradley_terry(given, model).frame
        assert np.isfinite(found[["strength", "error"]].to_numpy()).all()
        assert (found["low"] < found["strength"]).all()
        bounded = found["reason"] == ""
        assert (np.isfinite(found["high"]) == bounded).all()
        assert found["note"].str.contains(UNBOUNDED).tolist() == (~bounded).tolist()
        means = found.groupby(["topic_id", "group"])["strength"].mean()
        assert means.to_numpy() == pytest.approx(0, abs=1e-9)


def test_names_and_order_do_not_matter():
    rng = np.random.default_rng(9)
    frame = simulate(400, 6, 1, rng)
    table = bradley_terry(count_pairs(frame)).frame.set_index("item")["strength"]
    shuffled = frame.sample(frac=1, random_state=3)
    again = bradley_terry(count_pairs(shuffled)).frame.set_index("item")["strength"]
    assert again.to_numpy() == pytest.approx(table.to_numpy(), abs=1e-9)


def by_topic(*topics, kind="systems"):
    """Return preferences; a topic is the winners of 'ab', 'bc' and 'ac' in turn, as 'aba'."""
    rows = [
        (f"t{at}", *pair, "first" if won == pair[0] else "second", f"x{at}")
        for at, winners in enumerate(topics)
        for pair, won in zip(("ab", "bc", "ac"), winners, strict=True)
    ]
    return preferences(*rows, kind=kind, facet="panel" if kind == "systems" else "page")


MIXED = by_topic("aba", "bbc", "aca", "abc", "bca", "aba")


def limits_of(frame, model="bradley-terry"):
    counts = count_pairs(frame)
    return bradley_terry(counts, model, cluster_preferences(frame, counts)).frame


@each("model", ["bradley-terry", "davidson"])
def test_limits_over_topics_leave_each_topic_out_by_a_step_of_newtons(model):
    """Beside the same by a dense matrix of all items, written out preference by preference."""
    frame = simulate(300, 5, 8, np.random.default_rng(4), kind="systems", ties=0.3)
    counts = count_pairs(frame)
    found = limits_of(frame, model)
    tie = bradley_terry(counts, model).tie_parameter
    tie = 0 if np.isnan(tie) else tie
    at = found.set_index("item")["strength"]
    moves = []
    for topic in sorted(frame["topic_id"].unique()):
        score, information = np.zeros(5), np.zeros((5, 5))
        for row in frame.itertuples():
            one, other = (list(at.index).index(name) for name in (row.first, row.second))
            way = np.zeros(5)
            way[[one, other]] = 1, -1
            gap = (at[row.first] - at[row.second]) / 2
            odds = np.array([np.exp(gap), tie, np.exp(-gap)])
            outcomes = np.array([0.5, 0, -0.5])
            mean = odds @ outcomes / odds.sum()
            spread = odds @ (outcomes - mean) ** 2 / odds.sum()
            if row.topic_id == topic:
                told = {"first": 0.5, "tie": 0, "second": -0.5}[row.choice]
                score += way * (told - mean)
            else:
                information += spread * np.outer(way, way)
        moves.append(np.linalg.pinv(information) @ score)
    error = np.sqrt(7 / 8 * (np.array(moves) ** 2).sum(axis=0))
    half = (found["high"] - found["strength"]).to_numpy()
    assert half == pytest.approx(t.ppf(0.975, 7) * error, rel=1e-6)
    assert found[["interval", "unit", "units"]].drop_duplicates().values.tolist() == [
        ["jackknife", "topic", 8]
    ]


def test_topics_that_differ_widen_the_limits_and_more_of_the_same_do_not_narrow_them():
    once = limits_of(MIXED)
    more = MIXED.assign(assessor_id="again")
    twice = limits_of(pd.concat([MIXED, more], ignore_index=True))
    assert twice[["strength", "low", "high"]].to_numpy() == pytest.approx(
        once[["strength", "low", "high"]].to_numpy(), abs=1e-7
    )


def test_one_topic_gives_no_limits_of_systems():
    found = limits_of(simulate(200, 4, 1, np.random.default_rng(1), kind="systems"))
    assert found[["low", "high"]].isna().all(axis=None)
    assert (found["reason"] == ONE_UNIT["topic"]).all()
    assert found["units"].tolist() == [1] * 4


def test_limits_of_documents_are_over_the_assessors_of_their_topic():
    found = limits_of(simulate(900, 4, 2, np.random.default_rng(2), assessors=7))
    assert (found["unit"] == "assessor").all()
    assert found["units"].tolist() == [7] * 8
    assert np.isfinite(found["high"]).all()
    alone = limits_of(simulate(300, 4, 1, np.random.default_rng(2), assessors=1))
    assert (alone["reason"] == ONE_UNIT["assessor"]).all()


def test_a_topic_without_which_items_are_not_compared_leaves_no_limits():
    frame = MIXED[(MIXED["topic_id"] == "t0") | (MIXED["second"] != "c")]
    more = preferences(("t0", "b", "c", "second", "y"), kind="systems", facet="panel")
    found = limits_of(pd.concat([frame, more], ignore_index=True))
    assert found["low"].isna().all()
    assert found["reason"].str.startswith("without one topic some items are not compared").all()


def test_who_won_everything_has_no_finite_limits_over_topics_either():
    found = limits_of(by_topic("aba", "aca", "aba"))
    assert np.isinf(found[["low", "high"]].to_numpy()).all()
    assert (found["reason"] == NO_BOUND).all()


@pytest.mark.parametrize("choice", ["tie", "first"])
def test_units_that_all_say_the_same_give_no_limits(choice):
    """A cycle on every topic, or ties alone: no topic differs from another, which is no proof."""
    rows = [
        (f"t{topic}", *pair, choice)
        for topic in range(9)
        for pair in (("a", "b"), ("b", "c"), ("c", "a"))
    ]
    said = preferences(*rows, kind="systems")
    counts = count_pairs(said)
    found = bradley_terry(counts, clusters=cluster_preferences(said, counts)).frame
    assert np.allclose(found["strength"], 0)
    assert found[["low", "high"]].isna().all(axis=None)
    assert (found["reason"] == SAME.format(unit="topic")).all()
