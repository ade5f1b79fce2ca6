"""Scores of drawn pools are those of core.measures."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.stopping import pool_scores
from core.stopping.drawn_levels import code_levels
from core.stopping.pool_scores import can_be_drawn, find_threshold, make_scorer
from core.versions.judgements import put_on_scale
from tests.core.stopping.made_pools import hide, make_pool
from tests.each import each

MEASURES = (
    *("AP", "AP(rel=2)", "AP@5", "P", "P@5", "P(rel=2)@3", "P@20", "RBP", "RBP(rel=2, p=0.5)@4"),
    *("DCG", "DCG(gain='exp')@5", "nDCG", "nDCG@5", "nDCG(gain='exp', discount='zipf')@3"),
    *("nDCG(gain={0: 0.3, 1: 0.9, 2: 0.5})@4", "nDCG(gain='udm')@10", "nDCG(discount='jarvelin')"),
)
WEIGHTS = {0: 0.0, 1: 0.2, 2: 1.0}


def as_frames(candidates, level):
    item, system = np.nonzero(candidates.rank)
    runs = pd.DataFrame(
        {
            "system": np.array(candidates.systems)[system],
            "topic_id": np.array(candidates.topics)[candidates.topic[item]],
            "document_id": candidates.document[item].astype(str),
            "rank": candidates.rank[item, system].astype(int),
        }
    )
    known = ~np.isnan(level)
    qrels = pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics)[candidates.topic[known]],
            "iteration": "0",
            "document_id": candidates.document[known].astype(str),
            "level": level[known].astype(int),
        }
    )
    return runs.sort_values(["system", "topic_id", "rank"]), qrels


def means_by_measures(candidates, level, measure):
    runs, qrels = as_frames(candidates, level)
    rankings = compile_rankings(runs, put_on_scale(qrels))
    scores = mean_scores(evaluate([measure], rankings, WEIGHTS))
    return scores.set_index("system")["value"].reindex(list(candidates.systems)).to_numpy()


@each("text", MEASURES)
@each("unjudged", [0.0, 0.5, 0.95])
def test_scores_are_those_of_the_measures(text, unjudged):
    candidates, level = make_pool()
    measure = parse_measure(text)
    level = hide(level, unjudged)
    values, code = code_levels(level, find_threshold(measure))
    found = make_scorer(candidates, values, measure, WEIGHTS).score(code[np.newaxis]).means[0]
    wanted = means_by_measures(candidates, level, measure)
    assert found == pytest.approx(wanted, abs=1e-6, nan_ok=True)


def test_many_judgements_are_scored_in_blocks_as_one_by_one(monkeypatch):
    candidates, level = make_pool()
    measure = parse_measure("AP")
    values, code = code_levels(level, find_threshold(measure))
    rng = np.random.default_rng(3)
    drawn = rng.integers(0, 3, (7, len(code))).astype(np.uint8)
    scorer = make_scorer(candidates, values, measure)
    together = scorer.score(drawn).means
    monkeypatch.setattr(pool_scores, "CELLS", 90)
    assert scorer.score(drawn).means == pytest.approx(together)
    alone = [scorer.score(one[np.newaxis]).means[0] for one in drawn]
    assert np.array(alone) == pytest.approx(together)


def test_a_deep_pool_counts_beyond_255():
    candidates, level = make_pool(topics=1, systems=2, depth=300, documents=400)
    measure = parse_measure("AP")
    level = np.ones_like(level)
    values, code = code_levels(level, find_threshold(measure))
    found = make_scorer(candidates, values, measure).score(code[np.newaxis]).means[0]
    assert found == pytest.approx(means_by_measures(candidates, level, measure), abs=1e-6)


def test_nothing_relevant_is_no_mean():
    candidates, level = make_pool()
    measure = parse_measure("AP")
    values, code = code_levels(np.zeros_like(level), find_threshold(measure))
    assert np.isnan(make_scorer(candidates, values, measure).score(code[np.newaxis]).means).all()


@each("text", ["RR", "bpref", "ERR@10", "RBP(gain='linear')"])
def test_other_measures_are_refused_by_name(text):
    candidates, _ = make_pool()
    with pytest.raises(BadInput, match="choose one of them"):
        make_scorer(candidates, np.array([0.0, 1.0]), parse_measure(text))


@each(
    ("name", "can"),
    [("AP", True), ("nDCG@10", True), ("RBP(p=0.8)", True), ("ERR@10", False),
     ("RBP(p=0.8, gain='exp')", False)],
)  # fmt: skip
def test_it_is_told_beforehand_which_measures_can_be_drawn(name: str, can: bool):
    assert can_be_drawn(parse_measure(name)) == can
