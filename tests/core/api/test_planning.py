"""Plans from Python: the same numbers as the command."""

import numpy as np
import pandas as pd
import pytest

import dissent
from core.reports.opinions import OpinionQuestion
from tests.calibration.label_models import MODELS, label_rows
from tests.core.reports.test_estimate import make_study
from tests.core.reports.test_votes import make_votes
from tests.each import each
from tests.short import long


@long
def test_scores_of_evaluate_are_a_pilot():
    runs, _, machine = make_study()
    scores = dissent.evaluate(runs, machine.drop(columns="iteration"), "nDCG@5").by_topic
    found = dissent.plan(scores, effect=0.1)
    assert found.variance.systems == 4
    assert (found.designs["units"] == 24).all()
    assert found.at(24)["effect"].notna().all()
    more = dissent.plan(scores, effect=0.1, systems=10).designs.set_index("method")["topics"]
    assert more["tukey"] > found.designs.set_index("method")["topics"]["tukey"]


def test_given_variances():
    row = dissent.plan(variance=0.02, methods=["paired-t"]).designs.iloc[0]
    assert row["variance"] == 0.04
    assert row["topics"] == 128


@each("given", [{}, {"scores": pd.DataFrame(), "variance": 1.0}])
def test_either_scores_or_a_variance(given):
    with pytest.raises(dissent.BadInput, match="either"):
        dissent.plan(**given)


def test_opinions_of_labels_and_votes_of_two_batches():
    rows = label_rows(MODELS[1].draw(6, 2, np.random.default_rng(1)))
    found = dissent.plan_opinions(rows, items=5, budget=100, draws=10, seed=3)
    assert found.question == OpinionQuestion(5, 100, 10, 3)
    assert found.now.items == 5
    with pytest.raises(dissent.BadInput, match="level"):
        dissent.plan_opinions(rows, levels=[0, 1])
    votes = make_votes(400)
    both = dissent.plan_votes(votes, later=make_votes(100, 2), budget=20, draws=10)
    assert both.budget == 20
    alone = dissent.plan_votes(votes).shares["share"]
    assert not np.allclose(both.shares["share"], alone)
