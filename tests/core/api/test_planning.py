"""Plans from Python: the same numbers as the command."""

import pandas as pd
import pytest

import dissent
from tests.core.reports.test_estimate import make_study
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
