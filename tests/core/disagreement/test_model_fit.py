"""Verdicts on the model: counted anew by hand, and on labels for which it is true or not."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom

from core.agreement.intervals import share_interval
from core.disagreement.model_fit import (
    FEW_TOPICS,
    SAMPLES,
    ModelFit,
    assess_fit,
    fit_labels,
    select_predictions,
)
from core.disagreement.repeated_labels import RepeatedLabels
from core.disagreement.user_disagreement import relevance_weight
from core.disagreement.verification import draw_labels, expect_draws, verify_weights
from tests.calibration.user_models import TRUE, VARIED

TOP = 2


def drawn(model=VARIED, topics: int = 21, seed: int = 1) -> RepeatedLabels:
    return model.draw(topics, np.random.default_rng(seed))


def fit(labels: RepeatedLabels) -> ModelFit:
    found = assess_fit(expect_draws(labels, TOP))
    assert found is not None
    return found


def labels_of(*items: tuple[int, ...]) -> RepeatedLabels:
    """Return labels of items, each a topic of its own."""
    item = np.repeat(np.arange(len(items)), [len(one) for one in items])
    level = np.array([level for one in items for level in one])
    return RepeatedLabels(item, np.arange(len(item)), level, (0, 1, 2), item, "topic")


def rows_of(labels: RepeatedLabels) -> list[tuple[float, float, float, float]]:
    """Return observed, low, high and predicted of the predictions tested, item by item in a loop.

    Items have six labels and a topic ten items.
    """
    levels = labels.level.reshape(-1, 6)
    topic = labels.unit[::6]
    found = []
    for level in (0, 1, 2):
        cases, tops = np.zeros((2, topic.max() + 1))
        hits = np.zeros((topic.max() + 1, 7, 7))
        for at, given in zip(topic, levels, strict=True):
            for first in np.flatnonzero(given == level):
                rest = int((np.delete(given, first) == TOP).sum())
                cases[at] += 1 / 6
                tops[at] += rest / 5 / 6
                for users in range(3, 7):
                    for at_least in range(1, users + 1):
                        # Of five others, users − 1 are looked at: ways by the hypergeometric.
                        need = at_least - (level == TOP)
                        ways = sum(
                            _choose(rest, k) * _choose(5 - rest, users - 1 - k)
                            for k in range(max(need, 0), users)
                        )
                        hits[at, users, at_least] += ways / _choose(5, users - 1) / 6
        p = tops.sum() / cases.sum()
        for users in range(3, 7):
            for at_least in range(1, users + 1):
                if not 1 <= at_least - (level == TOP) <= users - 1:
                    continue
                own = hits[:, users, at_least]
                low, high, _ = share_interval(own[:, None], cases[:, None])
                weight = relevance_weight(p, level == TOP, users, at_least)
                found.append((own.sum() / cases.sum(), low[0], high[0], weight))
    return found


def _choose(n: int, k: int) -> float:
    from math import comb

    return comb(n, k) if 0 <= k <= n else 0


@pytest.mark.parametrize("model", [TRUE[0], VARIED], ids=lambda one: one.name)
def test_what_is_outside_is_counted_as_by_hand(model):
    labels = drawn(model)
    rows, found = rows_of(labels), fit(labels)
    assert (found.tested, found.units, found.items) == (len(rows), 21, 210) == (42, 21, 210)
    assert found.outside == sum(not low <= weight <= high for _, low, high, weight in rows)
    apart = np.mean([abs(observed - weight) for observed, _, _, weight in rows])
    assert found.difference == pytest.approx(apart)
    outside = [(o, w) for o, low, high, w in rows if not low <= w <= high]
    ratios = [
        max(o, w) / min(o, w) if min(o, w) > 0 else np.inf
        for o, w in outside or [(o, w) for o, _, _, w in rows]
    ]
    expected = np.nan if np.isinf(max(ratios)) else max(ratios)
    assert found.worst["ratio"] == pytest.approx(expected, nan_ok=True)


def test_items_that_differ_refute_it_and_the_beta_binomial_model_is_borne_out():
    labels = drawn()
    found = fit(labels)
    assert found.verdict == "fails"
    assert found.p == pytest.approx(1 / (SAMPLES + 1), abs=0.05)
    assert found.outside > found.by_chance
    assert found.varied is not None
    assert found.varied.verdict == "holds"
    assert found.varied.difference < found.difference / 3
    # All levels are given to the same items: top labels correlate by .15 whichever was given.
    many = fit(drawn(topics=400))
    assert all(0.1 < one < 0.2 for one in many.spread.values())
    observed, cases = 0.3, 1 / many.spread[0] - 1
    weight = betabinom(5, observed * cases, (1 - observed) * cases).sf(0)
    assert weight < relevance_weight(observed, False, 6, 1)


@pytest.mark.parametrize("model", TRUE, ids=lambda one: one.name)
def test_where_it_is_true_it_is_said_to_hold(model):
    found = fit(drawn(model, topics=30))
    assert found.verdict == "holds"
    assert found.outside <= found.by_chance


def test_few_items_and_few_topics_allow_no_verdict():
    assert fit(drawn(TRUE[0], topics=4)).verdict == "too few items"
    assert fit(drawn(TRUE[0], topics=FEW_TOPICS - 1)).verdict == "too few topics"
    assert fit(drawn(TRUE[0], topics=FEW_TOPICS)).verdict == "holds"


def test_labels_that_test_nothing_have_no_verdict():
    assert assess_fit(expect_draws(labels_of((0, 2), (1, 2)), TOP, min_labels=2)) is None
    assert fit_labels(labels_of((0, 2), (1, 2)), TOP) is None
    # One topic alone tells of each level.
    assert fit_labels(labels_of((0, 0, 2)), TOP) is None
    three = fit_labels(labels_of((0, 1, 2), (0, 1, 2), (0, 2), (0, 2)), TOP)
    assert three is not None
    assert three.items == 2
    assert three.varied is None
    labels = drawn()
    assert fit_labels(labels, TOP) == replace(fit(labels), varied=None)


def test_the_chance_that_is_outside_by_drawing_is_that_of_the_table():
    labels = drawn()
    draws = draw_labels(labels, TOP, repeats=20, rng=np.random.default_rng(0))
    assert assess_fit(draws) == fit(labels)
    table = select_predictions(verify_weights(draws), TOP)
    table = table[table["users"] > 2]
    is_outside = ~table["predicted"].between(table["low"], table["high"])
    assert len(table) == 42
    assert abs(int(is_outside.sum()) - fit(labels).outside) <= 4


def test_what_is_known_beforehand_is_no_prediction():
    table = pd.DataFrame(
        [(0, 2, 1), (0, 2, 2), (2, 2, 1), (2, 2, 2)], columns=["level", "users", "at_least"]
    ).assign(observed=0.5)
    found = select_predictions(table, TOP)
    assert found[["level", "at_least"]].to_numpy().tolist() == [[0, 1], [2, 2]]
    assert select_predictions(table.assign(observed=np.nan), TOP).empty
