"""What plans say in sentences."""

import numpy as np

from core.analysis.judging.planning_answers import answer_agreement, answer_cost, answer_topics
from core.planning.cost import CostRates
from core.planning.designs import Requirement
from core.planning.item_spread import ItemSpread
from core.planning.variance import ScoreVariance, Variance, given_variance
from core.reports.planning import plan_agreement, plan_cost, plan_topics

PILOT = ScoreVariance(Variance(0.02, 0.01, 0.05, 22, ""), Variance(0.04, 0.02, 0.09, 22, ""), 37)
WANTED = Requirement(0.05, systems=37)


def test_two_systems_by_the_t_test():
    said = answer_topics(plan_topics(PILOT, WANTED), "paired-t", "nDCG@10", 22)
    assert said.startswith("To tell apart systems that differ by 0.050 in nDCG@")
    assert "with power 0.8 you need **128 topics** (65 to 316, as far as the variance is" in said
    assert said.endswith("; the 22 with scores so far tell differences of **0.125**.")


def test_a_pair_among_many_names_the_test():
    said = answer_topics(plan_topics(PILOT, WANTED), "tukey", "")
    assert "power 0.8, by Tukey's test of all pairs among 37 systems, you need **" in said
    assert "so far" not in said


def test_an_interval_has_a_width():
    said = answer_topics(plan_topics(PILOT, WANTED), "interval-width", "AP", 22)
    assert said.startswith(
        "For a confidence interval of the difference of two systems in AP that is 0.100 wide on "
        "average you need **64 topics**"
    )
    assert "tell differences of **" in said


def test_what_is_beyond_and_what_is_given():
    wide = ScoreVariance(Variance(0.02, 0.01, 5e9, 22, ""), Variance(0.04), 2)
    assert "to more than 100,000, as" in answer_topics(plan_topics(wide, WANTED), "paired-t", "AP")
    given = plan_topics(given_variance(differences=0.04), WANTED)
    assert "you need **128 topics**." in answer_topics(given, "paired-t", "AP", 1)
    none = plan_topics(given_variance(differences=0.0), WANTED)
    said = answer_topics(none, "paired-t", "AP", 5)
    assert "the scores do not vary" in said
    unknown = plan_topics(given_variance(differences=0.0), WANTED, ["paired-t"])
    assert "topics" not in answer_topics(unknown, "paired-t", "AP", 5).split(":")[0]


def test_items_judged_twice():
    plan = plan_agreement("linear weighted κ", ItemSpread(0.4, 0.8, 0.05, -1.0, 10, 200), 0.2)
    said = answer_agreement(plan)
    assert said.startswith("For a 95 % interval of linear weighted κ (about 0.400) that is 0.200")
    assert "twice: 20 of each of " in said
    assert "The 200 items in 10 topics judged twice so far would give **" in said
    assumed = answer_agreement(plan_agreement("κ", ItemSpread(0.4, 0.8, 0.05, -1.0), 0.2))
    assert "so far" not in assumed
    never = answer_agreement(plan_agreement("κ", ItemSpread(0.4, 0.8, 1, -1.0), 1e-4, (5,)))
    assert never.endswith(": not with 10,000 topics.")


def test_cost_in_hours_and_money():
    depths, pools = (5, 10, 20), np.array([20.0, 36, 60])
    rates = CostRates(2, 20, wage=15)
    plan = plan_cost(50, depths, pools, rates, WANTED, np.full(3, 0.04), depth=10)
    said = answer_cost(plan, 10, 10)
    assert "50 topics with pools of depth 10, about 36 documents each" in said
    assert "**3,600 judgements**: **20 h**, **300** in money." in said
    assert "pools of depth 10 (of those of 10 or more): 50 topics" in said
    assert "pools of depth 5: 90 topics, power 0.6" in answer_cost(plan, 10, 1)
    assert "same hours" not in answer_cost(plan, 10, None)
    free = plan_cost(50, depths, pools, CostRates(), WANTED, depth=10)
    assert answer_cost(free, 10, 1).endswith("**8 h**.")
