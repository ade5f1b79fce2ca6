"""Pools, hours and money, and what the same effort buys by depth."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.orders.candidates import build_candidates
from core.planning.cost import FEW, Cost, CostRates, Price, compare_depths, count_cost, tell_cost
from core.planning.designs import Requirement, find_effect, parse_design
from core.planning.pool_size import assume_pools, measure_pools
from tests.each import each

RUNS = pd.DataFrame(
    [("a", "t1", "d1", 1), ("a", "t1", "d2", 2), ("b", "t1", "d1", 1), ("b", "t1", "d3", 2),
     ("a", "t2", "d1", 1), ("b", "t2", "d2", 1)],
    columns=["system", "topic_id", "document_id", "rank"],
)  # fmt: skip
PAIRED = parse_design("paired-t")


def test_pools_are_counted_over_topics():
    assert measure_pools(build_candidates(RUNS, 5), [1, 2]).tolist() == [1.5, 2.5]


def test_no_runs_have_no_pool():
    with pytest.raises(BadInput, match="no runs"):
        measure_pools(build_candidates(RUNS.iloc[:0], 5), [1])


def test_pools_by_overlap_lie_between_one_run_and_all():
    assert assume_pools(5, 1, [10]).tolist() == [10]
    assert assume_pools(5, 0, [10, 20]).tolist() == [50, 100]
    assert assume_pools(3, 0.5, [10]).tolist() == [20]
    for given in ((0, 0.5), (3, 1.5)):
        with pytest.raises(BadInput):
            assume_pools(*given, [10])


def test_cost_is_topics_by_documents_by_judges_by_time():
    rates = CostRates(judges=2, seconds=36, wage=30, overhead=3)
    table = count_cost(10, [5, 10], np.array([20.0, 50]), rates)
    assert table["judgements"].tolist() == [400, 1000]
    assert table["documents"].tolist() == [200, 500]
    assert table["hours"].tolist() == pytest.approx([10 * 2 * (0.2 + 0.05), 10 * 2 * (0.5 + 0.05)])
    assert table["money"].tolist() == pytest.approx([150, 330])


def test_the_same_hours_buy_more_topics_with_shallow_pools():
    wanted = Requirement(0.1)
    pools, variances = np.array([10.0, 20, 1000]), np.array([0.05, 0.04, 0.04])
    rates = CostRates(seconds=36)
    table = compare_depths(5, [5, 10, 500], pools, variances, rates, PAIRED, wanted)
    assert table["topics"].tolist() == [50, 25, 0]
    assert (table["hours"] <= 5 + 1e-9).all()
    assert table["power"].iloc[0] == pytest.approx(PAIRED.reach(np.array([50.0]), 0.05, wanted)[0])
    assert table["effect"].iloc[1] == pytest.approx(find_effect(PAIRED, 25, 0.04, wanted))
    assert table["reason"].tolist() == ["", "", FEW]
    assert table.loc[2, ["power", "effect"]].isna().all()


def test_a_depth_without_variance_says_so():
    unknown = np.array([np.nan])
    table = compare_depths(5, [5], np.array([10.0]), unknown, CostRates(), PAIRED, Requirement())
    assert table["reason"].tolist() == ["no variance is known"]


@each("given", [{"judges": 0}, {"seconds": 0}, {"wage": -1}, {"overhead": float("inf")}])
def test_rates_out_of_range_are_refused(given):
    with pytest.raises(BadInput):
        CostRates(**given)


def test_nothing_to_spend_is_refused():
    with pytest.raises(BadInput, match="above 0 hours"):
        compare_depths(0, [5], np.ones(1), np.ones(1), CostRates(), PAIRED, Requirement())


def test_costs_add_up():
    price = Price(hour=20, label=0.1)
    assert tell_cost(100, 2, price) == Cost(100, 2, 50)
    assert tell_cost(100, 2, Price()).money == 0


@each("values", [(-1, 0), (0, -1), (float("nan"), 0)])
def test_a_price_below_0_is_refused(values):
    with pytest.raises(BadInput):
        Price(*values)
