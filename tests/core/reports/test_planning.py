"""Plans from plain frames: designs, curves, pools by depth, cost, items judged twice."""

import re
from dataclasses import replace

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
from core.planning.variance import METHOD, NOTHING, ScoreVariance, Variance, given_variance
from core.reports.planning import (
    DEPTHS,
    choose_variances,
    plan_agreement,
    plan_cost,
    plan_topics,
    variance_by_depth,
    variance_of_scores,
)
from core.reports.report import Report, stack_tables
from core.versions.judgements import put_on_scale
from core.wording import plain_with_facts
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


def told(plan: Report) -> str:
    """Return the answer as Markdown has it, without what keeps signs from being read."""
    return re.sub(r"\\(.)", r"\1", plain_with_facts(plan.answer))


PILOT = ScoreVariance(Variance(0.02, 0.01, 0.05, 22, ""), Variance(0.04, 0.02, 0.09, 22, ""), 37)
WANTED = Requirement(0.05, systems=37)


def test_two_systems_by_the_t_test():
    said = told(plan_topics(PILOT, WANTED, measure="nDCG@10"))
    assert said.startswith("To tell apart systems that differ by 0.050 in nDCG@")
    assert "with power 0.8 you need **128 topics** (65 to 316, as far as the variance is" in said
    assert said.endswith("; the 22 with scores so far tell differences of **0.125**.")


def test_a_pair_among_many_names_the_test():
    said = told(plan_topics(PILOT, WANTED, present=0, method="tukey"))
    assert "power 0.8, by Tukey's test of all pairs among 37 systems, you need **" in said
    assert "so far" not in said


def test_an_interval_has_a_width():
    said = told(plan_topics(PILOT, WANTED, method="interval-width", measure="AP"))
    assert said.startswith(
        "For a confidence interval of the difference of two systems in AP that is 0.100 wide on "
        "average you need **64 topics**"
    )
    assert "tell differences of **" in said


def test_what_is_beyond_and_what_is_given():
    wide = ScoreVariance(Variance(0.02, 0.01, 5e9, 22, ""), Variance(0.04), 2)
    assert "to more than 100,000, as" in told(plan_topics(wide, WANTED))
    given = plan_topics(given_variance(differences=0.04), WANTED)
    assert "you need **128 topics**." in told(given)
    assert given.reached.empty
    some = plan_topics(given_variance(differences=0.04), WANTED, present=34)
    assert told(some).endswith("; the 34 topics tell differences of **0.099**.")
    none = plan_topics(given_variance(differences=0.0), WANTED, present=5)
    assert "the scores do not vary" in told(none)
    assert "topics" not in told(none).split(":")[0]


def test_items_judged_twice():
    plan = plan_agreement("linear weighted κ", ItemSpread(0.4, 0.8, 0.05, -1.0, 10, 200), 0.2)
    said = told(plan)
    assert said.startswith("For a 95 % interval of linear weighted κ (about 0.400) that is 0.200")
    assert "twice: 20 of each of " in said
    assert "The 200 items in 10 topics judged twice so far would give **" in said
    assumed = told(plan_agreement("κ", ItemSpread(0.4, 0.8, 0.05, -1.0), 0.2))
    assert "so far" not in assumed
    never = told(plan_agreement("κ", ItemSpread(0.4, 0.8, 1, -1.0), 1e-4, (5,)))
    assert never.endswith(": not with 10,000 topics.")


def test_cost_in_hours_and_money():
    depths, pools = (5, 10, 20), np.array([20.0, 36, 60])
    rates = CostRates(2, 20, wage=15)
    plan = plan_cost(50, depths, pools, rates, WANTED, np.full(3, 0.04), depth=10, least=10)
    said = told(plan)
    assert "50 topics with pools of depth 10, about 36 documents each" in said
    assert "**3,600 judgements**: **20 h**, **300 in money**." in said
    assert "pools of depth 10 (of those of 10 or more): 50 topics" in said
    assert "pools of depth 5: 90 topics, power 0.6" in told(replace(plan, least=1))
    assert "same hours" not in told(replace(plan, least=None))
    free = plan_cost(50, depths, pools, CostRates(), WANTED, depth=10)
    assert told(replace(free, least=1)).endswith("**8 h**.")


def test_tables_of_plans_stand_below_each_other():
    plan = plan_topics(PILOT, WANTED)
    assert plan.present == 22
    assert plan.reached["title"].tolist() == plan.designs["title"].tolist()
    assert plan.variances.set_index("of")["value"].to_dict() == pytest.approx(
        {"residual": 0.02, "within": 0.04, "differences": 0.04}
    )
    whole = stack_tables({one: plan.table(one) for one in plan.tables})
    assert set(whole["table"]) == set(plan.tables)
    said = plan.describe_interval("designs", plan.designs.iloc[0])["of"]
    assert said.endswith("as far as the variance is known, over topics like these")
    spread = ItemSpread(0.4, 0.8, 0.05, -1.0)
    assert plan_agreement("kappa(linear)", spread, 0.2).answer.startswith(
        "For a 95 % interval of linear weighted κ (about 0.400)"
    )


def test_the_usual_depth_is_the_one_nearest_to_ten():
    pools = np.array([4.0, 30.0])
    assert plan_cost(5, (2, 12), pools, CostRates(), WANTED).depth == 12


def test_limits_know_where_the_measure_ends(scores):
    low = scores.assign(value=scores["value"] / 8)
    known = variance_of_scores(low)[0].residual
    for other in (low.drop(columns="measure"), low.assign(measure="ours")):
        unknown = variance_of_scores(other)[0].residual
        assert known.low < unknown.low < unknown.high < known.high


def test_one_topic_and_one_document_are_one():
    rates, wanted = CostRates(), Requirement(effect=0.1)
    one = told(plan_cost(1, [1], np.array([1.0]), rates, wanted))
    assert "1 topic with pools of depth 1, about 1 document each, is **1 judgement**: " in one
    two = told(plan_cost(2, [1], np.array([3.0]), rates, wanted))
    assert "2 topics with pools of depth 1, about 3 documents each, are **6 judgements**: " in two


def test_one_topic_tells_no_difference():
    plan = plan_topics(given_variance(0.04), Requirement(effect=0.1), present=1)
    assert "tell differences of" not in told(plan)
    assert plan.reached.empty
    two = plan_topics(given_variance(0.04), Requirement(effect=0.1), present=20)
    assert "; the 20 topics tell differences of " in told(two)
