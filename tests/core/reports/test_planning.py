"""Plans from plain frames: designs, curves, pools by depth, cost, items judged twice."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.planning.choices import METHODS
from core.planning.cost import CostRates
from core.planning.designs import DESIGNS, TOO_MANY, Requirement, parse_design
from core.planning.item_spread import ItemSpread
from core.planning.variance import METHOD, NOTHING, given_variance
from core.reports.planning import (
    DEPTHS,
    choose_variances,
    plan_agreement,
    plan_cost,
    plan_topics,
    variance_by_depth,
    variance_of_scores,
)
from core.versions.judgements import put_on_scale
from tests.core.reports.test_estimate import make_study
from tests.each import each

MEASURE = parse_measure("nDCG@5")


@pytest.fixture(scope="module")
def study() -> tuple[pd.DataFrame, pd.DataFrame]:
    runs, _, machine = make_study()
    return runs, machine


@pytest.fixture(scope="module")
def scores(study) -> pd.DataFrame:
    runs, qrels = study
    return evaluate([MEASURE], compile_rankings(runs, put_on_scale(qrels)))


def test_every_design_is_shown():
    assert set(METHODS) == set(DESIGNS.names())


def test_a_pilot_gives_topics_with_limits(scores):
    variance, matrix = variance_of_scores(scores)
    plan = plan_topics(variance, Requirement(0.1, systems=4), present=len(matrix.topics))
    rows = plan.designs
    assert rows["method"].tolist() == list(METHODS)
    assert ((rows["low"] <= rows["topics"]) & (rows["topics"] <= rows["high"])).all()
    assert (rows["units"] == len(matrix.topics)).all()
    assert (rows["interval"] == METHOD).all()
    assert (rows["reason"] == "").all()
    by = rows.set_index("method")
    assert by["power"].isna().tolist() == [False] * 4 + [True]
    assert by["systems"].tolist() == [2, 4, 4, 4, 2]
    assert by.loc["tukey", "topics"] > by.loc["paired-t", "topics"]


def test_the_curve_goes_through_what_is_needed_and_what_there_is(scores):
    variance, matrix = variance_of_scores(scores)
    plan = plan_topics(variance, Requirement(0.1), present=len(matrix.topics))
    own = plan.curve[plan.curve["method"] == "paired-t"].set_index("topics")
    needed = int(plan.designs.set_index("method").loc["paired-t", "topics"])
    assert own.loc[needed, "power"] >= 0.8 > own.loc[needed - 1 :, "power"].iloc[0] - 0.05
    assert own.loc[needed, "effect"] <= 0.1
    assert (own["power_low"] <= own["power"]).all()
    assert (own["power"] <= own["power_high"]).all()
    assert (own["effect_low"] <= own["effect"]).all()
    width = plan.curve[plan.curve["method"] == "interval-width"]
    assert width["power"].isna().all()
    assert (width["width_low"] < width["width"]).all()
    now = plan.at(len(matrix.topics)).set_index("method")
    assert now.loc["paired-t", "effect"] == own.loc[len(matrix.topics), "effect"]


def test_given_variances_have_no_limits():
    plan = plan_topics(given_variance(differences=0.04), Requirement(0.05))
    row = plan.designs.iloc[0]
    assert row["topics"] == 128
    assert np.isnan(row["low"])
    assert "given" in row["reason"]
    assert plan.curve["effect_low"].isna().all()


def test_what_cannot_be_planned_says_why():
    nothing = plan_topics(given_variance(differences=0.0), Requirement())
    assert nothing.designs["topics"].isna().all()
    assert set(nothing.designs["reason"]) == {NOTHING}
    assert nothing.curve.empty
    beyond = plan_topics(given_variance(differences=1.0), Requirement(1e-4), ["paired-t"])
    assert beyond.designs["reason"].tolist() == [TOO_MANY]
    assert len(beyond.curve)
    with pytest.raises(BadInput, match="known are"):
        plan_topics(given_variance(differences=1.0), Requirement(), ["guess"])


def test_the_same_pilot_on_fewer_systems_or_topics_is_refused(scores):
    with pytest.raises(TooLittleData):
        variance_of_scores(scores[scores["system"] == scores["system"].iloc[0]])


def test_pools_by_depth_grow_and_a_deep_one_has_all_scores(study, scores):
    runs, qrels = study
    table = variance_by_depth(runs, put_on_scale(qrels), MEASURE, (1, 5, 100))
    assert table["pool"].is_monotonic_increasing
    whole, matrix = variance_of_scores(scores)
    last = table.iloc[-1]
    assert last["residual"] == pytest.approx(whole.residual.value)
    assert last["mean"] == pytest.approx(matrix.values.mean())
    assert (last["topics"], last["systems"]) == matrix.values.shape
    assert (table["reason"] == "").all()


def test_a_depth_without_judgements_says_so(study):
    runs, qrels = study
    strange = qrels.assign(document_id="nowhere-" + qrels["document_id"].astype(str))
    table = variance_by_depth(runs, put_on_scale(strange), MEASURE, (1,))
    assert np.isnan(table["residual"].iloc[0])
    assert "judged" in table["reason"].iloc[0]
    one = runs[runs["system"] == runs["system"].iloc[0]]
    assert (
        "two systems"
        in variance_by_depth(one, put_on_scale(qrels), MEASURE, (5,))["reason"].iloc[0]
    )


def test_cost_is_compared_at_the_hours_of_the_usual_depth():
    pools = np.array([10.0, 30, 60, 120, 300, 600])
    variances = np.full(6, 0.04)
    plan = plan_cost(40, DEPTHS, pools, CostRates(), Requirement(), variances, depth=10)
    assert plan.hours == pytest.approx(plan.cost.set_index("depth").loc[10, "hours"])
    assert plan.same.set_index("depth").loc[10, "topics"] == 40
    assert plan.same["power"].dropna().is_monotonic_decreasing
    own = plan_cost(40, DEPTHS, pools, CostRates(), Requirement(), hours=3)
    assert own.hours == 3
    assert own.same.empty


@each(
    "wrong",
    [{"topics": 0}, {"depth": 7}, {"method": "interval-width"}],
)
def test_cost_refuses_what_makes_no_sense(wrong):
    given = {"topics": 40, "method": "paired-t"} | wrong
    topics = given.pop("topics")
    with pytest.raises(BadInput):
        plan_cost(topics, (5, 10), np.ones(2), CostRates(), Requirement(), **given)


def test_each_design_takes_its_own_variance_by_depth():
    residual, within = np.array([0.02, np.nan]), np.array([0.05, np.nan])
    for method, value in (("paired-t", 0.04), ("tukey", 0.02), ("one-way-anova", 0.05)):
        found = choose_variances(parse_design(method), residual, within)
        assert found[0] == pytest.approx(value)
        assert np.isnan(found[1])


def test_items_judged_twice_and_what_the_pilot_would_give():
    spread = ItemSpread(0.4, 0.8, 0.05, -1.0, topics=10, items=200)
    plan = plan_agreement("κ", spread, 0.2)
    assert plan.now > 0.2
    known = plan.items.dropna(subset="topics")
    assert (known["width"] <= 0.2).all()
    assert set(plan.curve["per_topic"]) == set(plan.items["per_topic"])
    assumed = plan_agreement("κ", ItemSpread(0.4, 0.8, 0.0, -1.0), 0.2, (20,))
    assert np.isnan(assumed.now)
    never = plan_agreement("κ", ItemSpread(0.4, 0.8, 1.0, -1.0), 1e-4, (5,))
    assert never.items["topics"].isna().all()
    assert len(never.curve)
