"""The dynamic Bayesian network by every hidden world: who is attracted, satisfied, goes on."""

from itertools import product
from math import log

import numpy as np
import pytest
from scipy.optimize import minimize

from core.clicks.click_model import parse_click_model
from core.clicks.fitting import MAXIMUM_LIKELIHOOD, POOLED, fit
from core.clicks.prediction import (
    click_probabilities,
    conditional_probabilities,
    set_parameters,
)
from tests.core.clicks.worlds import make_log
from tests.each import each

DBN = parse_click_model("DBN")
NAMES = ("attractiveness", "satisfaction")


def list_worlds(length):
    """Return all that users may feel, shape (worlds, length, 3), and what they click then.

    Chapelle and Zhang (2009), section 4: the first result is examined; an examined result that
    attracts is clicked; a clicked one may satisfy; who is satisfied stops, who is not goes on to
    the next result with one chance, clicked or not.
    """
    worlds = list(product(product((False, True), repeat=3), repeat=length))
    clicks = []
    for world in worlds:
        examines, own = True, []
        for attracted, satisfied, onward in world:
            own.append(examines and attracted)
            examines = examines and not (attracted and satisfied) and onward
        clicks.append(tuple(own))
    return np.array(worlds), clicks


WORLDS = {length: list_worlds(length) for length in (2, 3)}


def chances(page, attracts, satisfies, goes_on):
    """Return how likely each way is to click a page, over all of what a user may feel."""
    felt, clicks = WORLDS[len(page)]
    one = np.array([(attracts[item], satisfies[item], goes_on) for item in page])
    chance = np.where(felt, one, 1 - one).prod(axis=(1, 2))
    found = {}
    for way, part in zip(clicks, chance.tolist(), strict=True):
        found[way] = found.get(way, 0.0) + part
    return found


def draw(seed, pages=500):
    """Return lists of two or three of four items, and clicks drawn from the sums above."""
    rng = np.random.default_rng(seed)
    attracts, satisfies, goes_on = rng.uniform(0.3, 0.8, 4), rng.uniform(0.2, 0.8, 4), 0.75
    lists = np.array(
        [[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 1], [2, 1, 3], [3, 0, -1], [1, 2, -1]]
    )
    item = lists[rng.integers(0, len(lists), pages)]
    clicked = np.zeros(item.shape, dtype=bool)
    told = {}
    for at, row in enumerate(item.tolist()):
        page = tuple(one for one in row if one >= 0)
        if page not in told:
            told[page] = chances(page, attracts, satisfies, goes_on)
        ways = list(told[page])
        own = ways[rng.choice(len(ways), p=list(told[page].values()))]
        clicked[at, : len(page)] = own
    return make_log(item, clicked)


def count_pages(log_of_clicks):
    """Return how often each page was clicked in each way."""
    counts = {}
    for row, clicks in zip(
        log_of_clicks.item.tolist(), log_of_clicks.clicked.tolist(), strict=True
    ):
        page = tuple(one for one in row if one >= 0)
        own = counts.setdefault(page, {})
        way = tuple(clicks[: len(page)])
        own[way] = own.get(way, 0) + 1
    return counts


def log_likelihood(counts, attracts, satisfies, goes_on):
    total = 0.0
    for page, ways in counts.items():
        told = chances(page, attracts, satisfies, goes_on)
        total += sum(times * log(told[way]) for way, times in ways.items())
    return total


def parameters_of(found):
    return [
        *found.parameters["attractiveness"][:4],
        *found.parameters["satisfaction"][:4],
        found.parameters["continuation"][0],
    ]


def as_function(counts):
    return lambda values: log_likelihood(counts, values[:4], values[4:8], values[8])


def slopes(function, values, step=1e-5):
    return [
        (function(values + step * one) - function(values - step * one)) / (2 * step)
        for one in np.eye(len(values))
    ]


@each("seed", range(3))
def test_predictions_are_sums_over_hidden_worlds(seed):
    rng = np.random.default_rng(seed)
    attracts, satisfies, goes_on = rng.random(4), rng.random(4), rng.random()
    world = set_parameters(
        DBN,
        4,
        3,
        {"attractiveness": attracts, "satisfaction": satisfies, "continuation": [goes_on]},
    )
    for page in ((2, 0, 3), (1, 2, 0), (3, 1)):
        told = chances(page, attracts, satisfies, goes_on)
        shown = np.full((len(told), 3), -1)
        shown[:, : len(page)] = page
        ways = np.zeros((len(told), 3), dtype=bool)
        ways[:, : len(page)] = list(told)
        alone = [sum(one for way, one in told.items() if way[at]) for at in range(len(page))]
        assert click_probabilities(world, shown[:1])[0][: len(page)] == pytest.approx(alone)
        found = conditional_probabilities(world, shown, ways)
        for row, way in zip(found, told, strict=True):
            for at in range(len(page)):
                above = {one: chance for one, chance in told.items() if one[:at] == way[:at]}
                clicked = sum(chance for one, chance in above.items() if one[at])
                assert row[at] == pytest.approx(clicked / sum(above.values()))


def test_no_other_parameters_make_the_log_more_likely():
    log_of_clicks = draw(1)
    counts = count_pages(log_of_clicks)
    likely = as_function(counts)
    found = fit(DBN, log_of_clicks, prior=MAXIMUM_LIKELIHOOD, steps=20_000, tolerance=1e-10)
    ours = np.array(parameters_of(found))
    assert found.log_likelihood == pytest.approx(likely(ours), abs=1e-6)
    best = minimize(
        lambda values: -likely(values),
        np.full(9, 0.5),
        method="L-BFGS-B",
        bounds=[(1e-6, 1 - 1e-6)] * 9,
        options={"ftol": 1e-13, "gtol": 1e-7},
    )
    assert found.log_likelihood >= -best.fun - 1e-5
    assert ours == pytest.approx(best.x, abs=2e-3)


def test_with_a_prior_it_is_the_most_likely_beside_the_events_before_the_log():
    """Two events an item, a fifth of one for going on.

    Their mean is that of all items together, beside one event that came and one that did not.
    """
    log_of_clicks = draw(0, 200)
    likely = as_function(count_pages(log_of_clicks))
    found = fit(DBN, log_of_clicks, prior=POOLED, steps=20_000, tolerance=1e-11)
    before = [(found.means[name], 2.0) for name in NAMES for _ in range(4)] + [(0.5, 0.2)]

    def likely_with_prior(values):
        return likely(values) + sum(
            events * (mean * log(one) + (1 - mean) * log(1 - one))
            for one, (mean, events) in zip(values, before, strict=True)
        )

    ours = np.array(parameters_of(found))
    assert slopes(likely_with_prior, ours) == pytest.approx([0] * 9, abs=1e-3)
    assert found.log_likelihood == pytest.approx(likely(ours), abs=1e-6)
    together = minimize(
        lambda three: (
            -likely([three[0]] * 4 + [three[1]] * 4 + [three[2]])
            - sum(log(one) + log(1 - one) for one in three)
        ),
        np.full(3, 0.5),
        method="L-BFGS-B",
        bounds=[(1e-6, 1 - 1e-6)] * 3,
    )
    assert [found.means[name] for name in NAMES] == pytest.approx(together.x[:2], abs=1e-4)
