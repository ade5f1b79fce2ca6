from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

LEVELS = st.lists(st.integers(0, 3), min_size=1, max_size=30)
WEIGHTS = {0: 0.0, 1: 0.28, 2: 0.41, 3: 1.0}


@cache
def compile_levels(levels, unseen=(3,)):
    """Return one ranking with these levels; the unseen ones are judged but not retrieved."""
    documents = [f"d{at}" for at in range(len(levels) + len(unseen))]
    qrels = pd.DataFrame({"document_id": documents, "level": [*levels, *unseen]})
    runs = pd.DataFrame({"document_id": documents[: len(levels)]})
    runs["rank"] = range(1, len(levels) + 1)
    return compile_rankings(
        runs.assign(system="s", topic_id="t"),
        put_on_scale(qrels.assign(topic_id="t", iteration="0")),
    )


def score(text, levels, weights=None, unseen=(3,)):
    return parse_measure(text).score(compile_levels(tuple(levels), unseen), weights)[0]


def add_up_slowly(stops):
    """Σ over ranks r of R_r / r × Π of (1 − R) above, rank by rank."""
    total, reading = 0.0, 1.0
    for rank, stop in enumerate(stops, start=1):
        total += reading * stop / rank
        reading *= 1 - stop
    return total


@given(LEVELS)
def test_err_equals_its_definition(levels):
    for text, stop in {
        "ERR": lambda level: level / 4,
        "ERR(gain='exp')": lambda level: (2**level - 1) / 8,
        "ERR(gain='exp', gmax=4)": lambda level: (2**level - 1) / 16,
        "ERR(gain={1: 1, 2: 5, 3: 4})": lambda level: [0, 1, 5, 4][level] / 6,
    }.items():
        expected = add_up_slowly([stop(level) for level in levels])
        assert score(text, levels) == pytest.approx(expected, abs=1e-14)


@given(LEVELS, st.permutations([0.2, 0.6, 1.0]))
def test_a_udm_weight_is_the_stop_probability_even_1(levels, weights):
    weights = dict(enumerate([0.0, *weights]))
    stops = [weights[level] for level in levels]
    assert score("ERR(gain='udm')", levels, weights) == pytest.approx(
        add_up_slowly(stops), abs=1e-14
    )
    best = add_up_slowly(sorted([*stops, weights[3]], reverse=True))
    assert score("nERR(gain='udm')", levels, weights) == pytest.approx(
        add_up_slowly(stops) / best, abs=1e-14
    )


def test_rows_do_not_disturb_each_other():
    """A certain stop in one ranking leaves the next one alone."""
    qrels = pd.DataFrame({"topic_id": ["a", "b", "b"], "document_id": ["x", "x", "y"]})
    runs = qrels.assign(system="s", rank=[1, 1, 2])
    rankings = compile_rankings(runs, put_on_scale(qrels.assign(iteration="0", level=[3, 1, 3])))
    found = parse_measure("ERR(gain='udm')").score(rankings, WEIGHTS)
    assert found.tolist() == pytest.approx([1, 0.28 + 0.72 / 2], abs=1e-15)


def test_gmax_is_the_highest_level_judged_for_any_topic_unless_given():
    qrels = pd.DataFrame({"topic_id": ["a", "b"], "document_id": "x", "level": [1, 3]})
    runs = pd.DataFrame({"topic_id": ["a"], "document_id": "x", "system": "s", "rank": 1})
    rankings = compile_rankings(runs, put_on_scale(qrels.assign(iteration="0")))
    assert parse_measure("ERR").score(rankings)[0] == 1 / 4
    assert parse_measure("ERR(gmax=4)").score(rankings)[0] == 1 / 5
    assert parse_measure("RBP(gain='linear')").score(rankings)[0] == pytest.approx(0.2 / 3)
    assert parse_measure("RBP(gain='linear', gmax=4)").score(rankings)[0] == pytest.approx(0.05)
    with pytest.raises(BadInput, match=r"level 3 is judged, above gmax=2; name the scale"):
        parse_measure("ERR(gmax=2)").score(rankings)


def test_nerr_is_undefined_where_nothing_judged_has_a_gain():
    assert np.isnan(score("nERR", [0, 0], unseen=()))
    assert score("ERR", [0, 0], unseen=()) == 0
    assert score("RBP(gain='linear')", [0, 0], unseen=()) == 0
    assert score("RBP(gain={})", [0, 0], unseen=()) == 0
    assert np.isnan(score("nERR(gain={1: 0})", [0, 1], unseen=()))


@given(LEVELS, st.sampled_from([0.5, 0.8, 0.95]))
def test_rbp_equals_its_definition(levels, p):
    def add_up(gains):
        return (1 - p) * sum(gain * p**place for place, gain in enumerate(gains))

    for text, gain in {
        f"RBP(p={p})": lambda level: level >= 1,
        f"RBP(p={p}, rel=2)": lambda level: level >= 2,
        f"RBP(p={p}, gain='linear')": lambda level: level / 3,
        f"RBP(p={p}, gain='exp')": lambda level: (2**level - 1) / 7,
        f"RBP(p={p}, rel=2, gain='linear')": lambda level: level / 3,
        f"RBP(p={p}, gain={{1: 1, 2: 5, 3: 4}})": lambda level: [0, 1, 5, 4][level] / 5,
        f"RBP(p={p}, gain='udm')": WEIGHTS.get,
    }.items():
        expected = add_up([gain(level) for level in levels])
        assert score(text, levels, WEIGHTS) == pytest.approx(expected, abs=1e-14)


@each("text", ["ERR(gain='udm')", "nERR(gain='udm')", "RBP(gain='udm')"])
def test_a_weight_that_is_no_probability_is_refused(text):
    for wrong in (1.5, -0.1, np.nan):
        with pytest.raises(BadInput, match="no probability; give weights from 0 to 1"):
            score(text, [1, 2], {1: 0.2, 2: wrong, 3: 1})
    with pytest.raises(BadInput, match="estimate or give weights first"):
        score(text, [1, 2])


def test_the_scale_of_the_rankings_is_the_highest_level_unless_the_measure_names_one(textbook):
    """Of levels 0 to 3 only 1 is judged: with gmax 3 it stops one in four."""
    rankings = textbook("binary")
    known = replace(rankings, gmax=3)
    first = parse_measure("ERR@1").score(known).max()
    assert first == pytest.approx(1 / 4)
    assert parse_measure("ERR@1").score(rankings).max() == pytest.approx(1 / 2)
    assert parse_measure("ERR(gmax=1)@1").score(known).max() == pytest.approx(1 / 2)
