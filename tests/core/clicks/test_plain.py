"""Fits equal plain Python's, after equal steps from equal starts."""

import numpy as np
import pytest

from core.clicks.click_model import parse_click_model
from core.clicks.evaluation import evaluate
from core.clicks.fitting import PYCLICK, fit
from core.clicks.prediction import click_probabilities, conditional_probabilities
from tests.core.clicks import plain
from tests.core.clicks.worlds import EVERY, deal, draw_log, set_world
from tests.each import each

STEPS = 7


def fit_as_pyclick(text, log):
    return fit(parse_click_model(text), log, prior=PYCLICK, steps=STEPS, tolerance=0)


@each("text", ["PBM", "PBM(free)", "UBM", "UBM(free)"])
def test_browsing(text: str):
    log = draw_log(text, 120)
    found = fit_as_pyclick(text, log)
    pages = list(plain.pages_of(log))
    free, by_click = text.endswith("(free)"), text.startswith("UBM")
    attractive, examined, likely = plain.browse(pages, STEPS, by_click=by_click, free=free)
    assert found.log_likelihood == pytest.approx(likely, abs=1e-6)
    for item, value in attractive.items():
        assert found.parameters["attractiveness"][item] == pytest.approx(value, abs=1e-9)
    for (rank, above), value in examined.items():
        at = (rank, above) if by_click else rank
        assert found.parameters["examination"][at] == pytest.approx(value, abs=1e-9)


@each("text", ["DCM", "SDBN", "DBN"])
def test_going_down(text: str):
    log = draw_log(text, 120)
    found = fit_as_pyclick(text, log)
    pages = list(plain.pages_of(log))
    by_rank, gives_up = text == "DCM", text == "DBN"
    attractive, stops, goes_on, likely = plain.go_down(
        pages, STEPS, by_rank=by_rank, gives_up=gives_up
    )
    assert found.log_likelihood == pytest.approx(likely, abs=1e-6)
    for item, value in attractive.items():
        assert found.parameters["attractiveness"][item] == pytest.approx(value, abs=1e-9)
    for key, value in stops.items():
        own = 1 - found.parameters["continuation"] if by_rank else found.parameters["satisfaction"]
        assert own[key] == pytest.approx(value, abs=1e-9)
    if gives_up:
        assert found.parameters["continuation"][0] == pytest.approx(goes_on, abs=1e-9)


@each("text", ["DCM(last-click)", "SDBN(last-click)"])
def test_sums_to_the_last_click(text: str):
    log = draw_log(text, 120)
    found = fit_as_pyclick(text, log)
    pages = list(plain.pages_of(log))
    by_rank = text.startswith("DCM")
    attractive, goes_on = plain.count_to_last_click(pages, by_rank=by_rank)
    chances = [
        plain.predict(
            page,
            attractive.get,
            lambda rank, item: 1 - goes_on.get(rank if by_rank else item, 0.5),
        )
        for page in pages
    ]
    likely = sum(np.log(page).sum() for page in chances)
    assert found.log_likelihood == pytest.approx(likely, abs=1e-6)
    assert evaluate(found, log).log_likelihood == pytest.approx(likely, abs=1e-6)


def test_a_cascade_counts_to_the_first_click():
    log = draw_log("SDBN", 120)
    found = fit_as_pyclick("cascade", log)
    sums = np.tile([1.0, 2.0], (6, 1))
    impossible = 0
    for page in plain.pages_of(log):
        clicks = [rank for rank, (_, click) in enumerate(page) if click]
        for item, click in page[: clicks[0] + 1 if clicks else len(page)]:
            sums[item] += click, 1
        impossible += max(len(clicks) - 1, 0)
    assert impossible
    assert found.parameters["attractiveness"] == pytest.approx(sums[:, 0] / sums[:, 1])
    assert found.log_likelihood == pytest.approx(evaluate(found, log).log_likelihood)


@each("text", EVERY)
def test_clicks_given_those_above_multiply_to_the_likelihood(text: str):
    world, log = set_world(text), draw_log(text, 150)
    found = fit(world.model, log, levels=getattr(world.likelihood, "levels", None))
    assert evaluate(found, log).log_likelihood == pytest.approx(found.log_likelihood, abs=1e-6)


@each("text", EVERY)
def test_clicks_whatever_happens_above_are_summed_over_it(text: str):
    """The chance of every way to click a list adds up to that of a click at each rank."""
    world = set_world(text)
    lists = deal(5, np.random.default_rng(3))
    ways = np.array(np.meshgrid(*[[False, True]] * 4)).reshape(4, -1).T
    for own, told in zip(lists, click_probabilities(world, lists), strict=True):
        shown = own >= 0
        possible = np.unique(ways & shown, axis=0)
        item = np.tile(own, (len(possible), 1))
        chance = conditional_probabilities(world, item, possible)
        whole = np.where(shown, np.where(possible, chance, 1 - chance), 1).prod(axis=1)
        assert whole.sum() == pytest.approx(1)
        assert (whole @ possible)[shown] == pytest.approx(told[shown])
        assert np.isnan(told[~shown]).all()
