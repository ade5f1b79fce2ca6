"""Items judged twice: what they add to κ and p(top | level), and how wide intervals come out."""

from dataclasses import replace

import numpy as np
import pytest

from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.overall import measure_agreement
from core.agreement.pooled import pool, pool_without
from core.disagreement.user_disagreement import estimate_top_probability
from core.errors import BadInput, TooLittleData
from core.planning.item_spread import (
    ItemSpread,
    assume_kappa,
    assume_share,
    spread_of_kappa,
    spread_of_share,
)
from core.planning.judged_twice import count_topics_for, expect_width, plan_items
from tests.calibration.label_models import LEVELS, MODELS, rate
from tests.each import each
from tests.short import long

LINEAR = Kappa("linear")
SHARES = np.array([4.0, 3, 2, 1])


def draw(model, topics, assessors=2, seed=1):
    return rate(model.draw(topics, assessors, np.random.default_rng(seed)))


@each("weighting", ["unweighted", "linear", "quadratic", "binary>=2"])
@each("assessors", [2, 3])
def test_the_value_is_pooled_kappa_and_the_spread_that_of_leaving_items_out(weighting, assessors):
    coefficient = Kappa(weighting)
    ratings = draw(MODELS[1], 8, assessors)
    found = spread_of_kappa(ratings, coefficient)
    matrices = confusion_matrices(ratings)
    assert found.value == pytest.approx(pool(matrices, [coefficient])[0])
    without = pool_without(matrices, matrices.topic, 8, [coefficient])[0]
    jackknife = np.sqrt(7 / 8 * ((without - without.mean()) ** 2).sum())
    said = np.sqrt(found.variance / found.items * found.design_effect(30))
    assert said == pytest.approx(jackknife, rel=0.15)
    assert (found.topics, found.items) == (8, 240)


def test_items_with_one_label_play_no_part():
    ratings = draw(MODELS[0], 4, 3)
    few = ratings.topic == 0
    kept = ~(few & (ratings.assessor > 0)) & ~(~few & (ratings.assessor == 2))
    part = replace(
        ratings, item=ratings.item[kept], assessor=ratings.assessor[kept],
        level=ratings.level[kept], topic=ratings.topic[kept],
    )  # fmt: skip
    assert spread_of_kappa(part, LINEAR).topics == 3
    assert spread_of_share(part, 2, 3).items == 90


def test_the_share_is_that_of_the_user_disagreement_model():
    ratings = draw(MODELS[1], 10, 3)
    table = estimate_top_probability(ratings, 3).set_index("level")
    for level in LEVELS[1:]:
        found = spread_of_share(ratings, level, 3)
        assert found.value == pytest.approx(table.loc[level, "p"])
        assert 0 <= found.alike <= 1


def observe(model, topics, items, study):
    own = replace(model, items=items)
    rng = np.random.default_rng([topics, items])
    widths = [study(rate(own.draw(topics, 2, rng))) for _ in range(60)]
    return float(np.nanmean(widths))


def width_of_kappa(ratings):
    row = measure_agreement(ratings, [LINEAR]).iloc[0]
    return row["high"] - row["low"]


def width_of_share(ratings):
    row = estimate_top_probability(ratings, 3).iloc[2]
    return row["high"] - row["low"]


@long
@each("model", MODELS, ids=lambda one: one.name)
@each("items", [10, 30])
def test_planned_numbers_give_intervals_as_wide_as_wanted(model, items):
    """60 simulated studies of the planned size, mean width within 15 % for κ, 25 % for p.

    The pilot is large, so that the plan is tried and not the pilot's luck.
    """
    pilot = draw(model, 600)
    for spread, study, slack in (
        (spread_of_kappa(pilot, LINEAR), width_of_kappa, 0.15),
        (spread_of_share(pilot, 2, 3), width_of_share, 0.25),
    ):
        topics = int(count_topics_for(spread, 0.2, items))
        assert observe(model, topics, items, study) == pytest.approx(0.2, rel=slack)


def test_alike_topics_have_no_design_effect_and_others_do():
    alike, apart = (spread_of_kappa(draw(model, 300), LINEAR) for model in MODELS[:2])
    assert alike.design_effect(30) < 1.2
    assert apart.design_effect(30) > 2


def test_a_plan_has_a_row_for_each_number_of_items():
    spread = ItemSpread(0.5, 0.3, 0.05, -1.0)
    table = plan_items(spread, 0.2, (5, 20))
    assert table["per_topic"].tolist() == [5, 20]
    assert (table["width"] <= 0.2).all()
    assert (table["items"] == table["topics"] * table["per_topic"]).all()
    assert table["topics"].iloc[0] > table["topics"].iloc[1]
    for row in table.itertuples():
        fewer = expect_width(spread, np.array([row.topics - 1]), row.per_topic)
        assert fewer[0] > 0.2
    beyond = plan_items(spread, 1e-5, (5,)).iloc[0]
    assert np.isnan(beyond["topics"])
    assert "10,000" in beyond["reason"]


@each("weighting", ["unweighted", "linear", "quadratic", "binary>=1"])
def test_an_assumed_kappa_is_what_such_labels_give(weighting):
    coefficient, kappa = Kappa(weighting), 0.4
    rng = np.random.default_rng(2)
    shape = 400, 25
    first, second = (rng.choice(4, shape, p=SHARES / 10) for _ in range(2))
    second = np.where(rng.random(shape) < kappa, first, second)
    found = spread_of_kappa(rate(np.stack([first, second], axis=2)), coefficient)
    assumed = assume_kappa(kappa, SHARES, coefficient)
    assert found.value == pytest.approx(kappa, abs=0.03)
    assert found.variance == pytest.approx(assumed.variance, rel=0.06)
    assert found.alike < 0.01
    assert (assumed.topics, assumed.least) == (0, -1)


def test_an_assumed_share_is_binomial():
    found = assume_share(0.3, 0.5, 0.1)
    assert found.variance == pytest.approx(0.3 * 0.7 / 0.5)
    assert (found.least, found.design_effect(11)) == (0.0, 2.0)


def test_what_cannot_be_planned_is_refused():
    ratings = draw(MODELS[0], 1)
    with pytest.raises(TooLittleData, match="two topics"):
        spread_of_kappa(ratings, LINEAR)
    with pytest.raises(TooLittleData, match="two topics"):
        spread_of_share(ratings, 1, 3)
    flat = rate(np.zeros((3, 5, 2), dtype=np.int64))
    with pytest.raises(TooLittleData, match="not defined"):
        spread_of_kappa(flat, LINEAR)
    with pytest.raises(TooLittleData, match="no label of level 1"):
        spread_of_share(flat, 1, 3)
    alone = rate(np.zeros((3, 5, 1), dtype=np.int64))
    with pytest.raises(TooLittleData, match="no item is judged by two"):
        spread_of_kappa(alone, LINEAR)
    with pytest.raises(BadInput, match="not a level"):
        spread_of_share(ratings, 9, 3)


def test_one_item_a_topic_tells_nothing_within_topics():
    levels = np.array([[[0, 0]], [[1, 1]], [[2, 1]], [[3, 2]]])
    found = spread_of_kappa(rate(levels), LINEAR)
    assert found.items == found.topics == 4
    assert found.alike == 0
    agreed = spread_of_share(rate(np.full((3, 2, 2), 3)), 3, 3)
    assert (agreed.value, agreed.variance, agreed.alike) == (1.0, 0.0, 0.0)


@each(
    "make",
    [
        lambda: assume_kappa(1.0, SHARES, LINEAR),
        lambda: assume_kappa(0.5, np.array([1.0, 0]), LINEAR),
        lambda: assume_kappa(0.5, SHARES, LINEAR, alike=2),
        lambda: assume_kappa(0.5, np.array([0.0, 1, 1]), Kappa("binary>=1")),
        lambda: assume_share(0),
        lambda: assume_share(0.5, cases=3),
        lambda: count_topics_for(assume_share(0.5), 0, 5),
        lambda: count_topics_for(assume_share(0.5), 0.1, 0),
    ],
)
def test_numbers_out_of_range_are_refused(make):
    with pytest.raises(BadInput):
        make()
