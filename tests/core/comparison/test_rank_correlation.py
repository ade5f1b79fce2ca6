import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from core.comparison.orders import largest_moves, rank_systems
from core.comparison.rank_correlation import (
    COEFFICIENTS,
    compare_rankings,
    document_pairs,
    hollander_wolfe_interval,
    kendall_tau,
    rank_differences,
    spearman,
    tau_interval,
)
from core.comparison.top_weighted import rbo, tau_ap
from core.measures.evaluate import mean_scores
from core.settings import ROOT
from tests.each import each

TEXTBOOK = Path(__file__).parents[3] / "sample_data" / "textbook"


@each("kind", ["a", "b"])
def test_the_textbook_kendall_of_the_top_five(kind):
    """Baeza-Yates & Ribeiro-Neto, ch. 4, p. 91."""
    top = pd.read_csv(TEXTBOOK / "rankings.tsv", sep="\t").head(5)
    assert kendall_tau(top["first"], top["second"], kind) == 0.4


def test_the_textbook_spearman_of_ten_documents():
    """Ch. 4, p. 79: .8545, which its slide truncates to .854."""
    places = pd.read_csv(TEXTBOOK / "rankings.tsv", sep="\t")
    assert round(spearman(places["first"], places["second"]), 4) == 0.8545


pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


@settings(deadline=None)
@given(pairs)
def test_tau_b_against_scipy(rows):
    first, second = zip(*rows, strict=True)
    ours = kendall_tau(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)


@settings(deadline=None)
@given(pairs)
def test_laws_of_tau(rows):
    first, second = (np.array(column) for column in zip(*rows, strict=True))
    tau = kendall_tau(first, second, "a")
    assert -1 <= tau <= 1
    assert kendall_tau(second, first, "a") == tau
    assert kendall_tau(-first, second, "a") == -tau
    assert abs(tau) <= abs(kendall_tau(first, second)) + 1e-12 or len(set(first)) == 1 or tau == 0


@each("size", [2, 5, 6, 10, 24, 37])
def test_the_same_order_is_exactly_one(size):
    """So an upper limit of 1 means equivalent; scipy's own quotient is off by a last digit."""
    order, turned = np.arange(size), -np.arange(size)
    for coefficient in (kendall_tau, spearman):
        assert (coefficient(order, order), coefficient(order, turned)) == (1, -1)


@each("coefficient", [kendall_tau, spearman])
def test_a_missing_score_leaves_no_coefficient(coefficient):
    assert math.isnan(coefficient([1, 2, math.nan, 4], [1, 3, 2, 4]))


def test_ties_count_against_tau_a_only():
    assert kendall_tau([1, 1, 2], [1, 1, 2], "a") == pytest.approx(2 / 3)
    assert kendall_tau([1, 1, 2], [1, 1, 2], "b") == 1


@each("kind", ["a", "b"])
def test_tau_of_fewer_than_two_is_undefined(kind):
    assert math.isnan(kendall_tau([1], [1], kind))
    assert math.isnan(kendall_tau([], [], kind))


@settings(deadline=None)
@given(pairs)
def test_spearman_against_scipy(rows):
    first, second = zip(*rows, strict=True)
    ours = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)


@each(
    ("order", "tau", "low", "high"),
    [
        ([0, 1, 2, 3, 5, 4, 6, 9, 8, 7, 10, 12, 11], 0.872, 0.696, 1.048),
        ([1, 0, 2, 5, 4, 3, 6, 7, 8, 9, 11, 12, 10], 0.846, 0.660, 1.032),
        ([2, 0, 3, 7, 1, 4, 5, 9, 8, 10, 6, 11, 12], 0.718, 0.450, 0.986),
        ([0, 1, 2, 3, 4, 5, 7, 8, 6, 10, 9, 11, 12], 0.923, 0.784, 1.062),
        ([2, 1, 0, 3, 5, 4, 6, 7, 8, 10, 9, 12, 11], 0.846, 0.673, 1.019),
        ([0, 3, 1, 5, 2, 6, 7, 4, 8, 11, 9, 12, 10], 0.769, 0.566, 0.972),
        ([2, 0, 1, 5, 6, 4, 3, 7, 8, 9, 12, 10, 11], 0.769, 0.545, 0.994),
        ([3, 5, 0, 2, 6, 4, 1, 10, 8, 7, 9, 11, 12], 0.615, 0.319, 0.912),
    ],
)
def test_intervals_as_sakai_prints_them(order, tau, low, high):
    """Sakai (2017), Table 6, 13 runs: each printed τ and interval belongs to some order."""
    truth = range(13)
    assert round(kendall_tau(truth, order), 3) == tau
    assert tuple(round(limit, 3) for limit in hollander_wolfe_interval(truth, order)) == (low, high)


def plain_interval(first, second) -> tuple[float, float]:
    """Return Hollander and Wolfe's limits item by item, without ties."""
    n = len(first)
    excess = [
        sum(math.copysign(1, (first[i] - first[j]) * (second[i] - second[j]))
            for j in range(n) if j != i)
        for i in range(n)
    ]  # fmt: skip
    tau = sum(excess) / n / (n - 1)
    squares = sum((one - sum(excess) / n) ** 2 for one in excess)
    first_part = 2 * (n - 2) / (n * (n - 1) ** 2) * squares
    half = 1.959963984540054 * math.sqrt(2 / (n * (n - 1)) * (first_part + 1 - tau**2))
    return tau - half, tau + half


@given(st.integers(2, 12).flatmap(lambda n: st.tuples(*[st.permutations(range(n))] * 2)))
def test_intervals_against_a_plain_loop(orders):
    expected = plain_interval(*orders)
    for kind in ("a", "b"):
        assert hollander_wolfe_interval(*orders, kind) == pytest.approx(expected, abs=1e-7)


def test_the_tuna_of_hollander_and_wolfe():
    """Example 8.1: τ = 16/36; its items' excesses and variance worked by hand."""
    lightness = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
    panel = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]
    low, high = hollander_wolfe_interval(lightness, panel)
    assert (low + high) / 2 == pytest.approx(16 / 36)
    # Excesses 4 4 8 6 2 -2 4 4 2: sum 32, squares about the mean 62 2/9.
    variance = (2 * 7 / (9 * 64) * (62 + 2 / 9) + 1 - (16 / 36) ** 2) / 36
    assert high - low == pytest.approx(2 * 1.959964 * math.sqrt(variance), abs=1e-6)


def test_limits_of_one_order():
    assert hollander_wolfe_interval([1, 2, 3, 4], [10, 20, 30, 40]) == (1, 1)
    assert hollander_wolfe_interval([1, 2], [2, 1]) == (-1, -1)
    assert all(math.isnan(limit) for limit in hollander_wolfe_interval([1], [1]))
    assert all(math.isnan(limit) for limit in hollander_wolfe_interval([1, 1, 1], [1, 2, 3]))


@given(pairs)
def test_limits_with_ties(rows):
    first, second = zip(*rows, strict=True)
    for kind in ("a", "b"):
        tau, (low, high) = (
            kendall_tau(first, second, kind),
            hollander_wolfe_interval(first, second, kind),
        )
        if math.isnan(tau):
            assert math.isnan(low)
            assert math.isnan(high)
        else:
            assert low <= tau + 1e-12
            assert high - tau == pytest.approx(tau - low, abs=1e-12)
            assert hollander_wolfe_interval(second, first, kind) == pytest.approx(
                (low, high), abs=1e-12
            )
            reversed_limits = hollander_wolfe_interval([-value for value in first], second, kind)
            assert reversed_limits == pytest.approx((-high, -low), abs=1e-12)


@each(("tau", "systems", "low", "high"), [(1, 2, -0.9, 1), (-1, 2, -1, 0.9), (1, 5, 0.227, 1)])
def test_few_systems_tell_little(tau, systems, low, high):
    assert tau_interval(tau, systems) == pytest.approx((low, high), abs=2e-3)


def test_limits_over_systems_stay_inside_and_hold_tau():
    for systems in (2, 3, 7, 40):
        pairs = systems * (systems - 1) // 2
        for agree in range(0, pairs + 1, max(1, pairs // 12)):
            tau = 2 * agree / pairs - 1
            low, high = tau_interval(tau, systems)
            assert -1 <= low <= tau <= high <= 1
            assert low < high
            assert tau_interval(-tau, systems) == pytest.approx((-high, -low), abs=1e-9)
    assert all(math.isnan(limit) for limit in tau_interval(float("nan"), 5))
    assert all(math.isnan(limit) for limit in tau_interval(1.0, 1))


def test_tau_b_is_as_sure_as_tau_a_in_its_own_units():
    first, second = [1, 2, 2, 3, 5, 4], [1, 3, 2, 2, 5, 4]
    widths = {
        kind: np.diff(hollander_wolfe_interval(first, second, kind))[0] for kind in ("a", "b")
    }
    share = kendall_tau(first, second, "a") / kendall_tau(first, second, "b")
    assert widths["a"] / widths["b"] == pytest.approx(share)


def test_rankings_are_compared_over_the_systems_they_share():
    rows = [("v1", "a", 0.9), ("v1", "b", 0.8), ("v1", "c", 0.7), ("v1", "d", 0.6)]
    rows += [("v2", "a", 0.1), ("v2", "b", 0.2), ("v2", "c", 0.3), ("v3", "a", 0.5)]
    ranked = rank_systems(pd.DataFrame(rows, columns=["version", "system", "value"]))
    compared = compare_rankings(ranked)
    assert list(compared) == ["first", "second", "systems", *COEFFICIENTS]
    row = compared.iloc[0]
    assert row[["first", "second", "systems"]].tolist() == ["v1", "v2", 3]
    assert row[["tau", "tau_ap", "spearman"]].tolist() == [-1] * 3
    assert row["rbo"] == pytest.approx(rbo([3, 2, 1], [1, 2, 3]))
    assert compared["systems"].tolist() == [3, 1, 1]
    for coefficient in COEFFICIENTS:
        assert compared[coefficient].isna().tolist() == [False, True, True]


def test_a_better_rank_is_a_higher_score_for_what_weighs_the_top():
    rows = [("v1", "abcde"), ("v2", "bacde"), ("v3", "abced")]
    means = [(name, system, -at) for name, order in rows for at, system in enumerate(order)]
    ranked = rank_systems(pd.DataFrame(means, columns=["version", "system", "value"]))
    compared = compare_rankings(ranked).set_index(["first", "second"])
    assert compared["tau"].loc["v1", "v2"] == compared["tau"].loc["v1", "v3"] == 0.8
    assert compared["tau_ap"].loc["v1", "v2"] == pytest.approx(0.5)
    assert compared["tau_ap"].loc["v1", "v3"] == pytest.approx(0.875)
    assert compared["rbo"].loc["v1", "v2"] < compared["rbo"].loc["v1", "v3"] < 1


def test_dl19_systems_under_the_first_and_the_second_assessor(dl19_scores):
    """The whole path: labels to versions to scores to orders, 37 systems, against scipy."""
    means = [
        mean_scores(scores).assign(version=version)
        for version, scores in dl19_scores.groupby("version", sort=False)
    ]
    ranked = rank_systems(pd.concat(means))
    assert ranked.groupby("version", sort=False)["system"].nunique().tolist() == [37] * 5
    compared = compare_rankings(ranked).set_index(["first", "second"]).loc[("slot 1", "slot 2")]
    wide = ranked.pivot(index="system", columns="version", values="value")
    expected = kendalltau(wide["slot 1"], wide["slot 2"]).statistic
    assert compared["tau"] == pytest.approx(expected, abs=1e-12)
    assert 0.5 < expected < 1
    rho = spearmanr(wide["slot 1"], wide["slot 2"]).statistic
    assert compared["spearman"] == pytest.approx(rho, abs=1e-12)
    assert compared["tau_ap"] == tau_ap(wide["slot 1"], wide["slot 2"])
    assert compared["rbo"] == rbo(wide["slot 1"], wide["slot 2"])
    assert largest_moves(ranked)["move"].iloc[0] > 0


@pytest.fixture
def ranks() -> pd.DataFrame:
    return pd.read_csv(ROOT / "sample_data" / "textbook" / "rankings.tsv", sep="\t")


def test_the_differences_are_the_textbooks(ranks: pd.DataFrame):
    steps = rank_differences(ranks)
    assert steps["difference"].tolist() == [-1, -1, 2, -1, 1, -1, -1, -2, 3, 1]
    assert steps["squared"].sum() == 24
    value = 1 - 6 * steps["squared"].sum() / (10 * 99)
    assert value == pytest.approx(spearmanr(ranks["first"], ranks["second"]).statistic)


def test_the_pairs_of_the_first_five_are_the_textbooks(ranks: pd.DataFrame):
    pairs = document_pairs(ranks.head(5))
    assert "".join("C" if one else "D" for one in pairs["concordant"]) == "CDCCDCCCCD"
    assert (pairs.loc[1, "ahead"], pairs.loc[1, "behind"]) == ("d123", "d56")
    assert (pairs.loc[1, "first"], pairs.loc[1, "second"]) == (2, -1)


def test_the_pairs_lead_to_tau_in_whatever_order_the_documents_come():
    rng = np.random.default_rng(5)
    for _ in range(20):
        ranks = pd.DataFrame(
            {
                "document": [f"d{place}" for place in range(8)],
                "first": rng.permutation(8) + 1,
                "second": rng.permutation(8) + 1,
            }
        )
        share = document_pairs(ranks)["concordant"].mean()
        expected = kendalltau(ranks["first"], ranks["second"]).statistic
        assert 2 * share - 1 == pytest.approx(expected)
