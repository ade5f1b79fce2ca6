"""Variance components of labels: balanced by hand, incomplete without bias, and their limits."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.agreement.ratings import ratings_from_labels
from core.errors import TooLittleData
from core.planning.opinions import (
    ONE_OPINION,
    ONE_TOPIC,
    Facets,
    OpinionDesign,
    Opinions,
    _solve,
    error_of_difference,
    error_of_mean,
    estimate_facets,
    find_nesting,
    know_facets,
)
from core.planning.variance import FEW_TOPICS, NOTHING, find_freedom
from tests.calibration.planning import CROSSED, OPINION_MODELS

EVERYBODY, PAIRS, CROWD, FIXED, SKEWED = OPINION_MODELS


def numbers(facets: Facets) -> list[float]:
    return [facets.topic, facets.item, facets.assessor, facets.residual]


def table_of(given: Opinions) -> np.ndarray:
    """Return labels that everybody gave, shape (topics, items, people)."""
    order = np.lexsort((given.assessor, given.item))
    return given.value[order].reshape(len(given.sizes), -1, given.people)


def test_with_as_many_of_all_they_are_those_of_the_analysis_of_variance():
    given = EVERYBODY.draw(12, np.random.default_rng(1))
    y = table_of(given)
    topics, items, people = y.shape
    mean, of_item, of_topic, of_one = y.mean(), y.mean(2), y.mean((1, 2)), y.mean((0, 1))
    apart = y - of_item[..., np.newaxis] - of_one + mean
    residual = (apart**2).sum() / ((topics * items - 1) * (people - 1))
    squares = topics * items * ((of_one - mean) ** 2).sum() / (people - 1)
    within = ((of_item - of_topic[:, np.newaxis]) ** 2).sum() * people / (topics * (items - 1))
    between = items * people * ((of_topic - mean) ** 2).sum() / (topics - 1)
    assert numbers(estimate_facets(given)) == pytest.approx(
        [
            (between - within) / (items * people),
            (within - residual) / people,
            (squares - residual) / (topics * items),
            residual,
        ]
    )


def test_with_as_many_of_all_they_are_those_of_restricted_maximum_likelihood():
    """The likelihood is written out, and maximised from elsewhere."""
    from scipy.optimize import minimize

    given = replace(EVERYBODY, people=4, opinions=4, items=3).draw(10, np.random.default_rng(3))
    size = len(given.value)
    codes = given.topic, given.item, given.assessor, np.arange(size)
    same = [(code[:, np.newaxis] == code).astype(float) for code in codes]
    ones = np.ones(size)

    def deviance(logs: np.ndarray) -> float:
        inverse = np.linalg.inv(sum(np.exp(v) * own for v, own in zip(logs, same, strict=True)))
        weight = ones @ inverse @ ones
        apart = given.value - (ones @ inverse @ given.value) / weight
        _, determinant = np.linalg.slogdet(inverse)
        return float(apart @ inverse @ apart - determinant + np.log(weight))

    fitted = minimize(deviance, np.log([0.2, 0.2, 0.2, 0.2]), method="L-BFGS-B")
    found = numbers(estimate_facets(given))
    assert min(found) > 0.01
    assert found == pytest.approx(np.exp(fitted.x), rel=0.01)


def incomplete() -> Opinions:
    """Labels as rounds leave them: topics and items of several sizes, people of several loads."""
    item = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 7, 8, 8, 8, 8, 9, 9])
    assessor = np.array([0, 1, 2, 0, 3, 1, 1, 2, 0, 1, 3, 2, 3, 3, 0, 2, 0, 1, 2, 3, 4, 1])
    topic = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 3])[item]
    return Opinions(np.zeros(len(item)), item, topic, assessor)


def test_of_incomplete_labels_they_are_unbiased_exactly():
    """Each estimate is y'Ay; for unbiasedness A1 = 0 and tr(A ZZ') is 1 for its own effect only."""
    given = incomplete()
    size = len(given.item)

    def solve(y: np.ndarray) -> np.ndarray:
        return _solve(replace(given, value=y))

    unit = np.eye(size)
    alone = np.array([solve(one) for one in unit])
    form = np.zeros((4, size, size))
    for i in range(size):
        for j in range(size):
            both = alone[i] if i == j else (solve(unit[i] + unit[j]) - alone[i] - alone[j]) / 2
            form[:, i, j] = both
    assert form.sum(axis=2) == pytest.approx(0, abs=1e-12)
    for at, code in enumerate((given.topic, given.item, given.assessor, np.arange(size))):
        same = (code[:, np.newaxis] == code).astype(float)
        wanted = [float(one == at) for one in range(4)]
        assert (form * same).sum(axis=(1, 2)) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("model", [PAIRS, CROWD, FIXED, SKEWED], ids=lambda one: one.name)
def test_on_average_they_are_the_true_ones(model):
    rng = np.random.default_rng(2)
    found = np.array([_solve(model.draw(10, rng)) for _ in range(400)])
    error = found.std(axis=0) / 20
    assert (abs(found.mean(axis=0) - numbers(model.facets)) < 4 * error).all()


def test_who_has_too_little_in_common_is_not_told_apart():
    item = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    given = Opinions(
        np.array([0.0, 2, 1, 1, 3, 0, 2, 1]), item, np.array([0, 0, 1, 1])[item], np.arange(8)
    )
    found = estimate_facets(given)
    assert found.assessor == 0
    assert found.residual == pytest.approx((2 + 0 + 4.5 + 0.5) / 4)


def test_one_item_a_topic_leaves_nothing_for_items():
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(20), 2)
    found = estimate_facets(Opinions(rng.normal(size=40), item, item, np.tile([0, 1], 20)))
    assert found.item == 0
    assert found.residual > 0


def test_what_is_too_little_says_so():
    once = Opinions(np.arange(4.0), np.arange(4), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    with pytest.raises(TooLittleData, match=ONE_OPINION):
        estimate_facets(once)
    item = np.array([0, 0, 1, 1])
    with pytest.raises(TooLittleData, match=ONE_TOPIC):
        estimate_facets(Opinions(np.arange(4.0), item, 0 * item, np.array([0, 1, 0, 1])))
    assert np.isnan(_solve(once.only(once.item < 0))).all()


def test_errors_follow_from_the_variances():
    design = OpinionDesign(10, 5, 2, 4, 0)
    assert design.vary_difference(CROSSED) == pytest.approx(2 * (0.36 + 0.215) / 50)
    assert design.vary_mean(CROSSED) == pytest.approx(0.575 / 50 + 0.008 + 0.025)
    nested = replace(design, nesting=1)
    assert nested.vary_difference(CROSSED) == pytest.approx(2 * (0.36 + 0.265) / 50)
    more = design.with_more(topics=1, opinions=2)
    assert (more.topics, more.opinions, more.items, more.people) == (11, 4, 5, 4)


def test_errors_have_limits_that_hold_them():
    known = know_facets(PAIRS.draw(60, np.random.default_rng(4)))
    assert len(known.without) == 50
    assert known.topics == 60
    design = OpinionDesign(60, 5, 2, 8, 0.75)
    for error in (error_of_mean, error_of_difference):
        found = error(known, design)
        assert 0 < found.low < found.value < found.high
        assert found.reason == ""
    mean = error_of_mean(known, design)
    surer = error_of_mean(replace(known, freedom=10 * known.freedom), design)
    assert surer.high < mean.high
    assert error_of_mean(replace(known, of_assessors=0.0), design).high < surer.high


def test_without_limits_they_say_why():
    design = OpinionDesign(2, 5, 2, 8, 0.75)
    few = know_facets(PAIRS.draw(2, np.random.default_rng(5)))
    for error in (error_of_mean, error_of_difference):
        found = error(few, design)
        assert found.reason == FEW_TOPICS
        assert found.value > 0
        assert np.isnan(found.low)
    item = np.repeat(np.arange(8), 2)
    alike = know_facets(Opinions(np.ones(16), item, item // 2, np.tile([0, 1], 8)))
    found = error_of_difference(alike, design)
    assert (found.value, found.reason) == (0.0, NOTHING)
    assert np.isnan(found.low)


def test_people_who_are_far_off_leave_fewer_degrees_of_freedom():
    even, one = np.array([1.0, 1.1, 0.9, 1.0]), np.array([0.1, 0.1, 0.1, 4.0])
    assert find_freedom(even, 3) == 3
    assert find_freedom(one, 3) < 1.5
    assert find_freedom(np.ones(4), 3) == 3
    assert find_freedom(np.ones(2), 1) == 1


def test_groups_that_never_meet_cost_a_degree_of_freedom_each():
    item = np.repeat(np.arange(8), 2)
    value = np.random.default_rng(6).normal(size=16)
    together = know_facets(Opinions(value, item, item // 2, np.tile([0, 1, 1, 2], 4)))
    apart = know_facets(Opinions(value, item, item // 2, np.tile([0, 1, 2, 3], 4)))
    assert together.freedom <= 2
    assert apart.freedom <= 2


def test_nesting_is_that_of_who_judges_what():
    rng = np.random.default_rng(7)
    assert find_nesting(EVERYBODY.draw(5, rng)) == pytest.approx(0)
    assert find_nesting(FIXED.draw(5, rng)) == pytest.approx(0)
    assert find_nesting(PAIRS.draw(200, rng)) == pytest.approx(PAIRS.nesting, abs=0.02)
    item = np.repeat(np.arange(6), 2)
    assert find_nesting(Opinions(np.zeros(12), item, item // 3, np.arange(12))) == 1
    assert find_nesting(Opinions(np.zeros(12), item, item, np.arange(12))) == 0


def test_errors_are_those_of_simulated_systems():
    """Two systems return five items each, of ten topics, judged by pairs at random."""
    rng = np.random.default_rng(8)
    model = replace(PAIRS, items=10)
    design = OpinionDesign(10, 5, 2, 8, model.nesting)
    found = []
    for _ in range(2_000):
        given = model.draw(10, rng)
        mean = np.bincount(given.item, given.value) / given.counts
        found.append(mean.reshape(10, 2, 5).mean(axis=(0, 2)))
    one, other = np.array(found).T
    assert np.var(one - other) == pytest.approx(design.vary_difference(CROSSED), rel=0.08)
    assert np.var(one) == pytest.approx(design.vary_mean(CROSSED), rel=0.08)


def test_the_labels_of_a_facet_are_levels_by_item_topic_and_assessor():
    rows = [("t", "d1", "a", 2), ("t", "d1", "b", 0), ("u", "d2", "b", 1), ("u", "d3", "a", 2)]
    labels = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    labels = labels.assign(facet="page", engine="", occasion=0, state="level")
    given = Opinions.of(ratings_from_labels(labels, "page", (0, 1, 2)))
    assert sorted(given.value.tolist()) == [0, 1, 2, 2]
    codes = (given.item, given.topic, given.assessor)
    assert [len(set(one.tolist())) for one in codes] == [3, 2, 2]
    (twice,) = np.flatnonzero(np.bincount(given.item) == 2)
    assert sorted(given.value[given.item == twice].tolist()) == [0, 2]
