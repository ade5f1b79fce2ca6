"""95 % limits hold the true value in 95 of 100 studies, whatever the model."""

from collections.abc import Callable

import numpy as np
import pytest

from core.agreement.base import COEFFICIENTS
from core.agreement.confusion import confusion_matrices
from core.agreement.topics import agreement_by_topic, split_topics
from tests.calibration.agreement import EVERY, ONE_TOPIC, STUDIES
from tests.calibration.coverage import Coverage, Study, cover
from tests.calibration.label_models import MODELS, LabelModel, rate
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


@pytest.mark.parametrize("study", ONE_TOPIC, ids=lambda one: one.name)
def test_limits_over_the_items_of_one_topic(study, long_form, record_property):
    found = cover(study, MODELS[0], 1, 2_000 if long_form else 200, np.random.default_rng(1))
    check(found, record_property)


def test_topics_where_only_chance_agrees_are_rarely_high(long_form, record_property):
    """Both assessors draw their levels alone: κ is 0, and 2.5 of 100 topics may seem high."""
    topics = 20_000 if long_form else 1_000
    rng = np.random.default_rng(5)
    for shares in ((1, 1, 1, 1), (4, 3, 2, 1), (30, 4, 2, 1)):
        chance = np.array(shares) / sum(shares)
        levels = rng.choice(4, size=(topics, 30, 2), p=chance)
        sets = split_topics(agreement_by_topic(confusion_matrices(rate(levels))))
        rate_high = len(sets.high) / topics
        record_property("counts", f"{shares}: {rate_high:.3f} of {topics:,} topics are high")
        assert rate_high - 3 * np.sqrt(0.025 * 0.975 / topics) < 0.03


def test_topics_on_which_assessors_agree_are_mostly_high():
    levels = MODELS[0].draw(300, 2, np.random.default_rng(6))
    sets = split_topics(agreement_by_topic(confusion_matrices(rate(levels))))
    assert len(sets.high) > 0.9 * 300
