"""95 % limits hold the true value in 95 of 100 studies, whatever the model."""

from collections.abc import Callable

import numpy as np
import pytest

from core.agreement.base import COEFFICIENTS
from tests.calibration.agreement import EVERY, ONE_TOPIC, STUDIES
from tests.calibration.coverage import Coverage, Study, cover
from tests.calibration.label_models import MODELS, LabelModel
from tests.short import few, long

LEAST = 0.93
WIDEST = {5: 1.8, 10: 1.5, 21: 1.5, 50: 1.5}


def check(found: list[Coverage], record_property: Callable[[str, object], None]) -> None:
    """Fail where limits hold less than they say, by more than simulating so few explains."""
    lowest = min(found, key=lambda one: one.covered)
    record_property(
        "counts",
        f"{len(found)} intervals × {lowest.studies:,} studies: coverage "
        f"{lowest.covered:.3f} to {max(one.covered for one in found):.3f}; lowest {lowest.what}; "
        f"absent at most {max(one.absent for one in found):.3f}; "
        f"widest {max(one.width for one in found):.2f}",
    )
    slack = 3 if lowest.studies < 1_000 else 2
    assert [one for one in found if one.covered + slack * one.error < LEAST] == []


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("topics", few([5, 10, 21, 50]))
@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_limits_over_topics_hold_what_they_say(
    study: Study, model: LabelModel, topics: int, long_form: bool, record_property
):
    found = cover(study, model, topics, 2_000 if long_form else 100, np.random.default_rng(topics))
    check(found, record_property)
    if not study.is_rare:
        assert [one for one in found if one.absent] == []
    if long_form and not study.is_rare:
        assert [one for one in found if one.width > WIDEST[topics]] == []


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("topics", [2, 3])
@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_with_two_or_three_topics_they_are_wide_and_hold(study, topics, record_property):
    found = cover(study, MODELS[1], topics, 1_000, np.random.default_rng(topics))
    check(found, record_property)


def test_every_coefficient_is_tried():
    assert {one.name for one in EVERY} == set(COEFFICIENTS.names())


@long
@pytest.mark.parametrize("study", ONE_TOPIC, ids=lambda one: one.name)
def test_limits_over_the_items_of_one_topic(study, record_property):
    found = cover(study, MODELS[0], 1, 1_000, np.random.default_rng(1))
    check(found, record_property)
