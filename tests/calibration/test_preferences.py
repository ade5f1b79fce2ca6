"""95 % limits of strengths and shares hold the true value in 95 of 100 studies."""

import numpy as np
import pandas as pd
import pytest

from tests.calibration.coverage import Study, cover
from tests.calibration.preference_models import MODELS, PreferenceModel, compare_systems
from tests.calibration.preferences import STUDIES
from tests.calibration.test_coverage import WIDEST, check
from tests.short import few, long

DIFFERING = MODELS[::-1]
ABSENT = 0.1
"""So many studies of five topics, at most, may set no bound to a strength."""


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("topics", few([5, 10, 21, 50]))
@pytest.mark.parametrize("model", few(DIFFERING), ids=lambda one: one.name)
@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_limits_over_topics_hold_what_they_say(
    study: Study, model: PreferenceModel, topics: int, long_form: bool, record_property
):
    found = cover(study, model, topics, 1_000 if long_form else 100, np.random.default_rng(topics))
    check(found, record_property)
    most = ABSENT if study.is_rare and topics == 5 else 0.01
    assert [one for one in found if one.absent > most] == []
    if long_form and topics > 5:
        assert [one for one in found if one.width > WIDEST[topics]] == []


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_with_three_topics_they_are_wide_and_hold(study, record_property):
    check(cover(study, DIFFERING[0], 3, 1_000, np.random.default_rng(3)), record_property)


def test_a_model_has_the_strengths_and_ties_that_it_says():
    rows = compare_systems(MODELS[0].draw(20_000, 1, np.random.default_rng(0)))
    counts = pd.crosstab([rows["first"], rows["second"]], rows["choice"])
    odds = np.log(counts["first"] / counts["second"])
    wanted = [0.6, 1.0, 1.6, 0.4, 1.0, 0.6]
    assert odds.tolist() == pytest.approx(wanted, abs=0.08)
    tie = counts["tie"] / np.sqrt(counts["first"] * counts["second"])
    assert tie.tolist() == pytest.approx([0.3] * 6, abs=0.03)
