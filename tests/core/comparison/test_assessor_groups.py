"""Scores by the labels of some people, beside the ordinary way, and people dealt anew by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.agreement.ratings import ratings_from_labels
from core.comparison.assessor_groups import (
    PeopleScores,
    common_means,
    deal_people,
    step_down,
)
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels

MEASURE = parse_measure("nDCG@5")
PEOPLE = tuple(f"a{number}" for number in range(6))
RULES = {
    "maximum": {},
    "median": {},
    "median, whole": {"combine": "median", "whole": True, "factor": 2},
    "mean": {},
    "first": {},
    "majority-untied": {},
    "udm": {"weights": ((0, 0.0), (1, 0.2), (2, 0.7), (3, 1.0))},
    "first two": {"combine": "maximum", "judges": 2},
}


def make_labels(seed: int = 1, facet: str = "page", engines: tuple[str, ...] = ("",)):
    """Return labels in which everybody leaves out some items, and nobody judges topic t3 but a0."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"t{topic}", f"d{document}", facet, engine, who, int(rng.integers(0, 4)))
        for who in PEOPLE
        for topic in range(4)
        for document in range(8)
        for engine in engines
        if rng.random() < 0.6 and (topic < 3 or who == "a0")
    ]
    names = ["topic_id", "document_id", "facet", "engine", "assessor_id", "level"]
    return pd.DataFrame(rows, columns=names).assign(state="level", occasion=0)


def make_runs(seed: int = 2):
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{system}", f"t{topic}", f"d{document}", rank)
        for system in range(4)
        for topic in range(4)
        for rank, document in enumerate(rng.permutation(10)[:7], start=1)
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


def score_plainly(labels, rule, runs, people, systems, topics):
    own = labels[labels["assessor_id"].isin(people)]
    scores = evaluate([MEASURE], compile_rankings(runs, qrels_from_labels(own, rule, None, 3)))
    table = scores.pivot(index="system", columns="topic_id", values="value")
    return table.reindex(index=systems, columns=topics).to_numpy()


@pytest.mark.parametrize("combine", RULES)
def test_scores_by_some_people_are_those_of_their_labels_alone(combine):
    rule = QrelsRule("all", **{"combine": combine, **RULES[combine]})
    labels, runs = make_labels(), make_runs()
    found = PeopleScores(labels, rule, runs, MEASURE, 3)
    assert found.people == PEOPLE
    for people in ({"a1"}, {"a0", "a3"}, set(PEOPLE)):
        expected = score_plainly(labels, rule, runs, people, found.systems, found.topics)
        np.testing.assert_allclose(found.score(found.mask(people)), expected, atol=1e-12)
    assert np.isnan(found.score(found.mask({"a1"}))[:, found.topics.index("t3")]).all()


def test_of_snippets_the_best_of_a_document_counts():
    labels = make_labels(facet="snippet", engines=("x", "y"))
    rule, runs = QrelsRule("all", "snippet", "median"), make_runs()
    found = PeopleScores(labels, rule, runs, MEASURE, 3)
    expected = score_plainly(labels, rule, runs, {"a0", "a2"}, found.systems, found.topics)
    np.testing.assert_allclose(found.score(found.mask({"a0", "a2"})), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (QrelsRule("r", combine="sum"), "'sum' is not of the labels of one group alone"),
        (QrelsRule("r", combine="adjudicated"), "'adjudicated' is not of"),
        (QrelsRule("r", slots=(1,)), "it takes labels of some slots or groups only"),
        (QrelsRule("r", groups=("x",)), "it takes labels of some slots or groups only"),
    ],
)
def test_a_rule_of_more_than_one_groups_labels_is_refused(rule, why):
    with pytest.raises(BadInput, match=why):
        PeopleScores(make_labels(), rule, make_runs(), MEASURE)


def test_a_measure_that_needs_more_than_levels_is_refused():
    with pytest.raises(BadInput, match="needs more than levels"):
        PeopleScores(make_labels(), QrelsRule("r"), make_runs(), parse_measure("TBG"))


def test_without_labels_there_are_no_scores():
    with pytest.raises(TooLittleData):
        PeopleScores(make_labels().assign(facet="snippet"), QrelsRule("r"), make_runs(), MEASURE)


def test_means_are_over_topics_that_count_in_both():
    first, second = np.array([[0.2, 0.4, np.nan]]), np.array([[0.6, np.nan, 0.5]])
    assert common_means(first, second) == (0.2, 0.6, 1)
    one, other, topics = common_means(first[:, 1:], second[:, 1:])
    assert np.isnan([one, other]).all()
    assert topics == 0


def test_p_are_those_of_all_dealings():
    """Means of people's numbers: three against four, all 35 dealings, step-down by hand."""
    values = np.random.default_rng(4).normal(size=(7, 3)) + np.array([0, 0, 3])
    values[:3, 2] -= 3.0

    def tell(first, second):
        return np.abs(values[first].mean(axis=0) - values[second].mean(axis=0))

    first = np.arange(7) < 3
    found = deal_people(first, ~first, tell, 8_000, np.random.default_rng(1))
    assert found.least == 1 / 35
    every = []
    for chosen in combinations(range(7), 3):
        mask = np.isin(np.arange(7), chosen)
        every.append(tell(mask, ~mask))
    every, observed = np.array(every), tell(first, ~first)
    order, least = np.argsort(-observed), 0.0
    expected = np.empty(3)
    for place, at in enumerate(order):
        largest = every[:, order[place:]].max(axis=1)
        least = expected[at] = max(least, (largest >= observed[at] - 1e-12).mean())
    np.testing.assert_allclose(step_down(found.observed, found.drawn), expected, atol=0.02)
    # With all of them the p are the same to the last digit: what is observed is one of them.
    others = every[np.abs(every - observed).max(axis=1) > 0]
    np.testing.assert_allclose(step_down(observed, others), expected)


def test_groups_of_one_size_may_change_places():
    tell = lambda first, second: np.array([float(first[0])])  # noqa: E731
    first, told = np.array([True, True, False, False, False]), []
    second = np.array([False, False, True, True, False])
    found = deal_people(first, second, tell, 99, np.random.default_rng(1), told.append)
    assert found.least == 2 / 6
    assert told[-1] == 1.0
    assert set(found.drawn.ravel()) == {0.0, 1.0}


def test_what_is_undefined_has_no_p_and_counts_as_large_where_it_is_dealt():
    observed = np.array([0.5, np.nan, 0.1])
    drawn = np.array([[0.1, 0.9, 0.2], [np.nan, 0.1, 0.0], [0.6, 0.2, 0.05]])
    np.testing.assert_allclose(step_down(observed, drawn), [0.75, np.nan, 0.75])


@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_labels_are_found_among_ratings_and_score_as_those_of_people(facet: str):
    engines = ("",) if facet == "page" else ("x", "y")
    labels = make_labels(facet=facet, engines=engines).sample(frac=1, random_state=3)
    ratings = ratings_from_labels(labels[labels["assessor_id"] != "a5"], facet)
    scores = PeopleScores(labels, QrelsRule("", facet, combine="mean"), make_runs(), MEASURE)
    place = scores.find_labels(ratings)
    own = labels.reset_index(drop=True)
    assert np.array_equal(place == -1, own["assessor_id"] == "a5")
    known = place >= 0
    items = ratings.items.iloc[ratings.item[place[known]]].reset_index(drop=True)
    there = own[known].reset_index(drop=True)
    names = ["topic_id", "document_id", "engine"]
    assert (items[names] == there[names]).all(axis=None)
    assert np.array_equal(ratings.level[place[known]], there["level"])
    some = scores.mask({"a0", "a2"})
    kept = own["assessor_id"].isin(["a0", "a2"]).to_numpy()
    assert np.array_equal(scores.score_labels(kept), scores.score(some), equal_nan=True)
