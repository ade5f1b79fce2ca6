"""GMAP: the geometric mean of AP against trec_eval's, and what else it is not used for."""

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given

from core.api import compare
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.reports.scores import GEOMETRIC, average_topics, score_topics
from core.versions.judgements import put_on_scale
from tests.core.measures.worlds import worlds


def average_by_trec_eval(trec_eval, runs, qrels):
    """Return GMAP by system, over the judged topics; one without an answer scores the least."""
    found = trec_eval(runs, qrels, {"gm_map"})
    relevant = qrels[qrels["level"] > 0]["topic_id"].unique()
    least = {"gm_map": np.log(0.00001)}
    logs = {
        system: [found.get((system, topic), least)["gm_map"] for topic in relevant]
        for system in runs["system"].unique()
        if len(relevant)
    }
    mean = pytrec_eval.compute_aggregated_measure
    return {system: mean("gm_map", values) for system, values in logs.items()}


@given(worlds())
def test_any_run_against_trec_eval(trec_eval, world):
    runs, qrels = world
    scores = evaluate(
        [parse_measure("GMAP"), parse_measure("AP")], compile_rankings(runs, put_on_scale(qrels))
    )
    means = mean_scores(scores)
    ours = means[means["measure"] == "GMAP"].set_index("system")["value"]
    assert ours.to_dict() == pytest.approx(average_by_trec_eval(trec_eval, *world), abs=1e-12)
    by_topic = scores.pivot(index=["system", "topic_id"], columns="measure", values="value")
    assert by_topic.empty or by_topic["GMAP"].tolist() == by_topic["AP"].tolist()


def test_it_has_no_interval_and_says_why(textbook):
    means = average_topics(score_topics(textbook("binary"), [parse_measure("GMAP")]))
    assert means[["low", "high"]].isna().all(axis=None)
    assert means["reason"].tolist() == [GEOMETRIC]


def test_systems_are_not_tested_by_it():
    runs = pd.DataFrame({"system": ["a", "b"], "topic_id": "t", "document_id": "d", "rank": 1})
    qrels = pd.DataFrame({"topic_id": "t", "document_id": ["d"], "level": 1})
    with pytest.raises(BadInput, match=r"GMAP is one geometric mean over all topics, .*by AP"):
        compare(runs, qrels, ["AP", "GMAP"])
