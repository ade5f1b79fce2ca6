"""Runs under parts of their judgements: what compiling them anew would give."""

import numpy as np
import pandas as pd
import pytest

from core.errors import TooLittleData
from core.measures.base import MEASURES
from core.measures.catalogue import parse_measure
from core.measures.partly_judged import PartlyJudged, score_by_topic
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

TEXTS = [text for entry in MEASURES for text in entry.examples if "udm" not in text]
"""All that need no weights: these are the same for every part."""

TOPICS = ("t1", "t2", "t3")


def make(seed=5, iterations=("0",), levels=4):
    rng = np.random.default_rng(seed)
    rows = [
        (topic, rng.choice(iterations), f"d{number}", int(rng.integers(0, levels)))
        for topic in TOPICS
        for number in range(15)
    ]
    qrels = pd.DataFrame(rows, columns=["topic_id", "iteration", "document_id", "level"])
    rows = [
        (system, topic, f"d{document}", rank)
        for system in ("s1", "s2", "s3")
        for topic in TOPICS
        for rank, document in enumerate(rng.permutation(25)[: rng.integers(1, 25)], start=1)
    ]
    runs = pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])
    return runs, qrels, rng.random(len(qrels)) < 0.4


def score_plainly(measure, runs, qrels, judged, topics):
    """Return the scores of a part whose rows alone are compiled."""
    rankings = compile_rankings(runs, put_on_scale(qrels[judged], float(qrels["level"].max())))
    return score_by_topic(measure, rankings, topics)


@pytest.fixture(scope="module")
def parts():
    """Rankings by a part of the judgements, those compiled of its rows alone, and by all twice."""
    runs, qrels, judged = make()
    partly = PartlyJudged(runs, put_on_scale(qrels))
    alone = compile_rankings(runs, put_on_scale(qrels[judged], float(qrels["level"].max())))
    return partly.at(judged), alone, partly.at(np.ones(len(qrels), dtype=bool)), partly.full


@each("text", TEXTS)
def test_a_part_scores_as_if_compiled_alone(parts, text):
    found, alone, every, full = (score_by_topic(parse_measure(text), one, TOPICS) for one in parts)
    np.testing.assert_allclose(found, alone)
    np.testing.assert_allclose(every, full)


@each("kind", ["intents", "engines", "words"])
@each("text", ["AP", "nDCG@5", "α-nDCG@5", "TBG"])
def test_what_cannot_be_cut_is_compiled_anew(kind, text):
    runs, qrels, judged = make(iterations=("1", "2") if kind == "intents" else ("0",))
    if kind == "engines":
        qrels["engine"] = np.where(np.arange(len(qrels)) % 2, "s1", "")
    if kind == "words":
        runs["words"] = 100.0 + np.arange(len(runs))
    measure = parse_measure(text)
    found = score_by_topic(measure, PartlyJudged(runs, put_on_scale(qrels)).at(judged), TOPICS)
    np.testing.assert_allclose(found, score_plainly(measure, runs, qrels, judged, TOPICS))


def test_real_levels_stay_what_they_are():
    runs, qrels, judged = make()
    qrels["level"] = qrels["level"] / 2
    found = PartlyJudged(runs, put_on_scale(qrels, 1.5)).at(judged)
    np.testing.assert_allclose(
        score_by_topic(parse_measure("nDCG@5"), found, TOPICS),
        score_plainly(parse_measure("nDCG@5"), runs, qrels, judged, TOPICS),
    )
    assert found.gmax == 1.5


def test_a_topic_without_a_judgement_scores_nothing():
    runs, qrels, _ = make()
    judged = (qrels["topic_id"] == "t2").to_numpy()
    partly = PartlyJudged(runs, put_on_scale(qrels))
    scores = score_by_topic(parse_measure("AP"), partly.at(judged), TOPICS)
    assert (scores[[0, 2]] == 0).all()
    assert scores[1].any()
    assert (score_by_topic(parse_measure("AP"), partly.full, ("t9", "t2"))[0] == 0).all()
    nothing = partly.at(np.zeros(len(qrels), dtype=bool))
    assert (score_by_topic(parse_measure("AP"), nothing, TOPICS) == 0).all()


def test_nothing_cannot_be_compiled():
    runs, qrels, _ = make(iterations=("1", "2"))
    with pytest.raises(TooLittleData):
        PartlyJudged(runs, put_on_scale(qrels)).at(np.zeros(len(qrels), dtype=bool))
