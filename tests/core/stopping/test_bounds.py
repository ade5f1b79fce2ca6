"""Bounds of scores, against every judgement of the rest that there can be."""

from itertools import product

import numpy as np
import pytest

from core.measures.catalogue import parse_measure
from core.stopping.bounds import bound_scores
from core.stopping.drawn_levels import code_levels
from core.stopping.pool_scores import find_threshold, make_scorer
from tests.core.stopping.made_pools import hide, make_pool
from tests.each import each

BINARY = ("AP", "AP@3", "P", "P@3", "RBP", "RBP(p=0.5)@3")


def tiny(seed, unjudged=0.4, topics=2):
    candidates, level = make_pool(topics=topics, systems=3, depth=3, documents=8, seed=seed)
    return candidates, np.minimum(hide(level, unjudged, seed), 1)


def all_means(candidates, level, measure):
    values, code = code_levels(level, find_threshold(measure))
    rest = np.flatnonzero(code == 0)
    filled = np.repeat(code[np.newaxis], 2 ** len(rest), axis=0)
    filled[:, rest] = np.array(list(product((1, 2), repeat=len(rest))), dtype=np.uint8)
    return make_scorer(candidates, values, measure).score(filled).means


@each("text", BINARY)
@each("seed", range(6))
def test_no_judgement_of_the_rest_is_beyond(text, seed):
    measure = parse_measure(text)
    candidates, level = tiny(seed)
    found = bound_scores(candidates, level, measure)
    means = all_means(candidates, level, measure)
    assert (np.nanmin(means, axis=0) >= found.low - 1e-6).all()
    assert (np.nanmax(means, axis=0) <= found.high + 1e-6).all()
    signs = np.sign(np.round(means[:, :, None] - means[:, None], 6))
    always = (signs > 0).all(axis=0).sum()
    assert found.decided <= always
    assert found.pairs == 3


@each("text", BINARY)
@each("seed", range(6))
def test_bounds_of_one_topic_are_reached(text, seed):
    measure = parse_measure(text)
    candidates, level = tiny(seed, topics=1)
    level[np.flatnonzero(~np.isnan(level))[0]] = 1  # the topic counts whatever comes
    found = bound_scores(candidates, level, measure)
    means = all_means(candidates, level, measure)
    assert found.low == pytest.approx(means.min(axis=0), abs=1e-6)
    assert found.high == pytest.approx(means.max(axis=0), abs=1e-6)
    if not text.startswith("AP"):
        least = (means[:, :, None] - means[:, None]).min(axis=0)
        assert found.decided == (least > 1e-6).sum()


def test_with_everything_judged_all_is_decided():
    candidates, level = make_pool()
    found = bound_scores(candidates, level, parse_measure("RBP"))
    assert found.low == pytest.approx(found.today, abs=1e-6)
    assert found.high == pytest.approx(found.today, abs=1e-6)
    assert found.all_relevant == pytest.approx(found.today)
    assert found.decided == found.pairs
    assert found.residual == pytest.approx(np.full(5, 0.8**8), abs=1e-6)


def test_graded_measures_have_the_two_scenarios_only():
    candidates, level = make_pool()
    found = bound_scores(candidates, hide(level, 0.5), parse_measure("nDCG@5"))
    assert np.isnan(found.low).all()
    assert (found.all_relevant > 0).all()
    assert np.isnan(found.residual).all()
    assert found.decided == 0


@each("text", ["AP", "P@3", "RBP"])
def test_with_nothing_judged_everything_is_open(text):
    candidates, level = make_pool()
    found = bound_scores(candidates, np.full(len(level), np.nan), parse_measure(text))
    assert found.decided == 0
    assert np.isnan(found.today).all()


def test_with_nothing_to_find_there_is_no_bound():
    candidates, level = make_pool()
    found = bound_scores(candidates, np.zeros(len(level)), parse_measure("AP"))
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()
