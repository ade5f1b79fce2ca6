"""What holds of every click model."""

import numpy as np
import pytest

from core.clicks.click_model import CLICK_MODELS, parse_click_model
from core.clicks.evaluation import evaluate
from core.clicks.fitting import MAXIMUM_LIKELIHOOD, fit
from core.clicks.prediction import click_probabilities, conditional_probabilities, simulate
from core.errors import BadInput
from tests.core.clicks.worlds import EVERY, HIDDEN, KNOWN, LEVELS, deal, draw_log, set_world
from tests.each import each
from tests.short import long


def fit_world(text, log, **chosen):
    return fit(parse_click_model(text), log, levels=LEVELS, **chosen)


@each("text", EVERY)
def test_text_round_trip(text: str):
    assert str(parse_click_model(text)) == text


def test_every_model_is_described_and_has_a_world():
    assert set(KNOWN) == set(CLICK_MODELS.names())
    for entry in CLICK_MODELS:
        assert entry.description
        assert entry.reference
        assert set(entry.suggested) <= set(entry.examples)


@each("text", ["PBM(sometimes)", "UBM(1)", "DCM(x)", "SDBN(x)", "no model"])
def test_a_model_that_is_unknown(text: str):
    with pytest.raises(BadInput):
        parse_click_model(text)


@each("text", EVERY)
def test_probabilities(text: str):
    found = fit_world(text, draw_log("UBM", 200))
    for one in found.parameters.values():
        assert ((one > 0) & (one <= 1)).all()
    lists = deal(50, np.random.default_rng(1))
    for one in (
        click_probabilities(found, lists),
        conditional_probabilities(found, lists, np.zeros(lists.shape, dtype=bool)),
    ):
        assert (np.isnan(one) == (lists < 0)).all()
        assert ((one >= 0) & (one <= 1))[lists >= 0].all()


@each("text", HIDDEN)
def test_no_step_makes_the_log_less_likely(text: str):
    log = draw_log("UBM", 300)
    found = fit_world(text, log, prior=MAXIMUM_LIKELIHOOD, steps=40, tolerance=0)
    assert found.steps == 40
    assert np.diff(found.history).min() > -1e-9


@long
@each("text", EVERY)
def test_order_of_pages_does_not_matter(text: str):
    log = draw_log("SDBN", 150)
    mixed = log.select(np.random.default_rng(0).permutation(len(log)))
    one, other = fit_world(text, log, steps=30), fit_world(text, mixed, steps=30)
    for name, values in one.parameters.items():
        assert other.parameters[name] == pytest.approx(values, abs=1e-9)


@each("text", EVERY)
def test_clicks_come_as_often_as_the_model_says(text: str):
    world = set_world(text)
    lists = np.tile(np.array([3, 1, 5, -1]), (40_000, 1))
    clicked = simulate(world, lists, np.random.default_rng(2))
    assert not clicked[:, 3].any()
    told = click_probabilities(world, lists[:1])[0]
    assert clicked[:, :3].mean(axis=0) == pytest.approx(told[:3], abs=0.01)


@long
@each("text", [one for one in EVERY if "(" not in one])
def test_what_is_simulated_is_recovered(text: str):
    world = set_world(text)
    found = fit_world(text, draw_log(text, 12_000))
    for name, true in world.parameters.items():
        near = np.abs(found.parameters[name] - true) < 0.06
        # What is below the last rank, or above a click that stands there, was never seen.
        unseen = {"UBM": 6, "DCM": 1}.get(text, 0) if name in ("examination", "continuation") else 0
        assert (~near).sum() <= unseen


@long
@each("text", ["PBM", "UBM", "DBN"])
def test_the_true_model_predicts_best(text: str):
    learnt, new = draw_log(text, 4_000, seed=1), draw_log(text, 4_000, seed=2)
    found = {
        one: evaluate(fit_world(one, learnt), new)
        for one in ("CTR", "rank-CTR", "document-CTR", "PBM", "UBM", "cascade", "DCM", "DBN")
    }
    assert max(found, key=lambda one: found[one].log_likelihood) == text
    assert min(found, key=lambda one: found[one].conditional) == text
    if text != "DBN":
        assert min(found, key=lambda one: found[one].perplexity) == text
